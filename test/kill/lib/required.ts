/** What must be there; that it is not is a mistake of the test itself. */
export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} is missing`);
  return value;
}
