/** Seeded random numbers (mulberry32): a run can be repeated. */
export class Random {
  #state: number;

  constructor(...seeds: number[]) {
    this.#state = seeds.reduce(
      (mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) + 1,
      0x2545f491,
    );
  }

  /** From [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Inclusive. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.next() * items.length)];
  }
}
