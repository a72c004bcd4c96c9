/** A value of a JSON column for a statement that is written by hand: NULL stays NULL. */
export function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
