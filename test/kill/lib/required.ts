/** What must be there; that it is not is a mistake of the test itself. */
export function assertDefined<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}
