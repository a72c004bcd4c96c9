export const LANGUAGES = ["pt-BR", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first of our languages in an `Accept-Language` header (RFC 9110), else pt-BR. */
export function acceptedLanguage(header: string | undefined): Language {
  const asked = (header ?? "").toLowerCase();
  const first = asked.split(",").find((word) => /^\s*(?:pt|en)\b/.test(word));
  return first?.trim().startsWith("en") === true ? "en" : "pt-BR";
}

/** Puts values in a text's `{name}` places. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
