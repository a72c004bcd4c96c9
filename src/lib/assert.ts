/** Throws when a condition is false. For bugs only, never for invalid input. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
