import { jsonValue, sample, string } from "fast-check";
import type { Seeded } from "../support/builders/requests/property.ts";

/** Integers at the borders of the API's fields, of 32 bits, of safe integers and of floats. */
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  99,
  100,
  101,
  999,
  1_000,
  1.5,
  0.1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  999_999_999_999,
  1_000_000_000_000,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  5e-324,
  -1e308,
];

export const STRINGS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u200b\ufeff",
  "👩‍👩‍👧‍👦".repeat(50),
  "é\u0301\u0301".repeat(90),
  "ﬁ４２４２",
  "__proto__",
  "constructor",
  "' OR '1'='1",
  "'; DROP TABLE transactions; --",
  '"><script>alert(1)</script>',
  "${7*7}{{7*7}}",
  "../../../etc/passwd",
  "%00%0d%0aSet-Cookie: a=b",
  "\r\nX-Injected: 1",
  "null",
  "NaN",
  "1e400",
  "-1",
  "0x10",
  "٣٤",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31T23:59:59.999Z",
  "+275760-09-13T00:00:00.001Z",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "http://127.0.0.1/",
  "https://[::1]/",
  "javascript:alert(1)",
  "*",
  "%",
  "_",
  "🂡".repeat(128),
  "a".repeat(254),
  "a".repeat(256),
  "a".repeat(4_097),
  "9".repeat(400),
];

/** Long enough for every limit but the body's. */
const HUGE = "ab".repeat(20_000);

/** Names that mean something to JavaScript. */
export const PROTOTYPE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "toJSON",
];

/** Values of each kind that no field expects, for one seed. */
export class Junk {
  readonly #random: Seeded;
  readonly #json: unknown[];
  readonly #texts: string[];

  constructor(random: Seeded) {
    this.#random = random;
    const options = { seed: random.integer(0, 2 ** 31 - 1), numRuns: 200 };
    this.#json = sample(jsonValue({ maxDepth: 4 }), options);
    this.#texts = sample(string({ unit: "binary", maxLength: 60 }), options);
  }

  text(): string {
    if (this.#random.fraction() < 0.02) return HUGE;
    return this.#random.pick(this.#random.fraction() < 0.7 ? STRINGS : this.#texts);
  }

  number(): number {
    return this.#random.pick(NUMBERS);
  }

  value(): unknown {
    const kind = this.#random.fraction();
    if (kind < 0.25) return this.number();
    if (kind < 0.5) return this.text();
    if (kind < 0.6) return this.#random.pick([null, true, false, [], {}, [[]], [null]]);
    if (kind < 0.65) return nested(this.#random.pick([5, 31, 33, 500]));
    return structuredClone(this.#random.pick(this.#json));
  }

  /** Text that a header may hold (RFC 9110): printable ASCII. */
  headerText(): string {
    return this.text()
      .replaceAll(/[^\x20-\x7e]/g, "")
      .slice(0, 8_000);
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Text as a part of a path. */
export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
