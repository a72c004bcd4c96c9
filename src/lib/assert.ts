/** Stops the program where a fact it relies on does not hold: a bug, never a user's mistake. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
