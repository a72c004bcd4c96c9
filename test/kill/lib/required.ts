/** Returns a value that must exist; its absence is a bug of the test. */
export function assertDefined<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
}
