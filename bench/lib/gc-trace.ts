/**
 * V8's flags for a full collection whenever a megabyte was allocated, each told in a line: what is left
 * after one is what is in use at that moment, however little of a turn has passed. Slow, and exact.
 */
export const TRACED_GC = [
  "--trace-gc",
  "--gc-global",
  "--min-semi-space-size=1",
  "--max-semi-space-size=1",
];

const COLLECTION = /^\[\d+:(0x[0-9a-f]+)\].*Mark-Compact.* -> ([\d.]+) \(/;

/** What each isolate had in use after its collections, MB, as V8 told it. */
export class GcTrace {
  readonly #inUse = new Map<string, number[]>();

  /** A line that workerd printed; others than V8's are passed over. */
  readonly add = (line: string): void => {
    const [, isolate, megabytes] = COLLECTION.exec(line) ?? [];
    if (isolate === undefined) return;
    const before = this.#inUse.get(isolate) ?? [];
    this.#inUse.set(isolate, [...before, Number(megabytes)]);
  };

  /** Forgets what was told; answers what was in use, by isolate. */
  takeHeapSizes(): Map<string, number[]> {
    const told = new Map(this.#inUse);
    this.#inUse.clear();
    return told;
  }
}

/** The isolate that has most in use at rest: Centavo's, as D1, queues and entry have little code. */
export function largestIsolate(atRest: Map<string, number[]>): string {
  const [largest] = [...atRest].toSorted(
    ([, left], [, right]) => (right.at(-1) ?? 0) - (left.at(-1) ?? 0),
  );
  if (largest === undefined) throw new Error("V8 told of no collection");
  return largest[0];
}
