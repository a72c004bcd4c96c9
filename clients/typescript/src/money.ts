/** `1.234,56`, `25,00` or `25`: groups of three by points, two digits of centavos after a comma. */
const REAIS = /^(?:R\$\s*)?(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{2}))?$/;

/**
 * Reais as a Brazilian writes them, in the centavos that the API takes: `brl("25,00")` is 2500. Throws a `RangeError`
 * for any other text, such as `25.00`.
 */
export function brl(text: string): number {
  const [, reais, centavos = "00"] = REAIS.exec(text.trim()) ?? [];
  const cents = Number(`${reais?.replaceAll(".", "")}${centavos}`);
  if (!Number.isSafeInteger(cents)) throw new RangeError(`"${text}" is no amount such as "25,00".`);
  return cents;
}
