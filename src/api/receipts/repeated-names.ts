/**
 * Whether an object of a JSON text names a member twice. Parsers differ in which of them they show, so that such
 * a text can show what was never signed. `parsed` is the text's value, in which each name stands once.
 */
export function repeatsNames(text: string, parsed: unknown): boolean {
  return namesIn(text) !== membersOf(parsed);
}

/** Colons outside of strings: one for each member. */
function namesIn(text: string): number {
  let count = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') inString = !inString;
    else if (inString && char === "\\") at += 1;
    else if (!inString && char === ":") count += 1;
  }
  return count;
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const values: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const inner of values) count += membersOf(inner);
  return count;
}
