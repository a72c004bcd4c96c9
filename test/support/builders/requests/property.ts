import type { RandomSource } from "../../../../src/domain/shared/clock.ts";

/** A seeded random source (mulberry32): a failed case can be repeated. */
export class Seeded implements RandomSource {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From [0, 1). */
  fraction(): number {
    return this.#word() / 2 ** 32;
  }

  /** An integer from `min` to `max` inclusive; the span may exceed 32 bits. */
  integer(min: number, max: number): number {
    const fraction = (this.#word() * 2 ** 21 + (this.#word() >>> 11)) / 2 ** 53;
    return min + Math.floor(fraction * (max - min + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.integer(0, items.length - 1)]!;
  }

  /** `length` code points of an alphabet. */
  text(alphabet: string, length: number): string {
    const characters = Array.from(alphabet);
    return Array.from({ length }, () => this.pick(characters)).join("");
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integer(0, 0xff));
  }

  #word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

/**
 * Checks a property on `times` random cases, different in each run. A failure contains its seed:
 * `forAll(1, property, seed)` repeats it.
 */
export function forAll(
  times: number,
  law: (random: Seeded) => void,
  firstSeed = Math.floor(Math.random() * 2 ** 32),
): void {
  for (let run = 0; run < times; run++) {
    const seed = (firstSeed + run) >>> 0;
    try {
      law(new Seeded(seed));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`broken with seed ${seed}: ${reason}`, { cause: error });
    }
  }
}

/** A random source with one bit set: shows the effect of that bit. */
export function onlyBit(bit: number): RandomSource {
  return {
    bytes: (length) =>
      Uint8Array.from({ length }, (_, index) => (index === bit >> 3 ? 1 << (bit & 7) : 0)),
  };
}
