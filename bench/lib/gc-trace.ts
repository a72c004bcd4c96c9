/**
 * V8 flags for a full collection after each allocated megabyte, each printed in a line. The heap after a
 * collection is the memory in use at that moment. Slow, but exact.
 */
export const TRACED_GC = [
  "--trace-gc",
  "--gc-global",
  "--min-semi-space-size=1",
  "--max-semi-space-size=1",
];

const COLLECTION = /^\[\d+:(0x[0-9a-f]+)\].*Mark-Compact.* -> ([\d.]+) \(/;

/** The heap sizes of each isolate after its collections, MB. */
export class GcTrace {
  readonly #heapSizes = new Map<string, number[]>();

  /** Reads a line that workerd printed. Ignores lines that are not V8's. */
  readonly add = (line: string): void => {
    const [, isolate, megabytes] = COLLECTION.exec(line) ?? [];
    if (isolate === undefined) return;
    const before = this.#heapSizes.get(isolate) ?? [];
    this.#heapSizes.set(isolate, [...before, Number(megabytes)]);
  };

  /** Returns and clears the heap sizes, by isolate. */
  takeHeapSizes(): Map<string, number[]> {
    const sizes = new Map(this.#heapSizes);
    this.#heapSizes.clear();
    return sizes;
  }
}

/** The isolate with the largest heap at rest: Centavo's, because D1, queues and entry have little code. */
export function largestIsolate(atRest: Map<string, number[]>): string {
  const [largest] = [...atRest].toSorted(
    ([, left], [, right]) => (right.at(-1) ?? 0) - (left.at(-1) ?? 0),
  );
  if (largest === undefined) throw new Error("V8 printed no collection");
  return largest[0];
}
