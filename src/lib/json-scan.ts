/** A place in a text, counted from 1; columns are UTF-16 units. */
interface Position {
  line: number;
  column: number;
}

/** What a text is beyond its parsed value. */
export interface JsonScan {
  /** Where the text stops being JSON, and what JSON has there. Null where it is JSON. */
  fault: (Position & { expected: string }) | null;
  /** The first name that its object has already; I-JSON (RFC 7493) forbids it. */
  duplicate: Position | null;
  /** The depth of nested arrays and objects, up to a fault or to the first beyond `depthMax`, where the scan ends. */
  depth: number;
  /** Paths of whole numbers that are written with a decimal point or an exponent, such as `49.0`: the first ones. */
  decimals: string[][];
  /** Paths of numbers that no double holds, such as `1e400`: parsed they are infinite, and written again they are null. */
  infinite: string[][];
}

/** Paths of each kind; 4,096 characters of metadata, where decimals are right, have fewer. */
const NOTED_MAX = 2_000;
const IS_DECIMAL = /[.eE]/;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const FIRST_PRINTABLE = 0x20;

/** What may come next: a value, a member's name, or what follows a value. */
type State = "value" | "firstItem" | "firstName" | "name" | "next";

const EXPECTED: Record<State, string> = {
  value: "an object, array, string, number, true, false or null",
  firstItem: "a value or ]",
  firstName: "a field name in double quotes or }",
  name: "a field name in double quotes",
  next: "the end of the body",
};

/** An array or object whose end is still to come. */
interface Open {
  closing: "}" | "]";
  /** The names so far; of an array none. */
  names: Set<string>;
  /** The name or index of what is read now. */
  step: string;
}

/**
 * Reads a JSON text (RFC 8259) up to its first fault, or to what is nested deeper than `depthMax`. The engine's own
 * message gives no position for many faults, and quotes the text; its value tells neither a name that came twice nor how
 * a number was written.
 */
export function scanJson(text: string, depthMax: number): JsonScan {
  return new Scanner(text, depthMax).scan();
}

class Scanner {
  readonly #text: string;
  readonly #depthMax: number;
  #at = 0;
  #state: State = "value";
  readonly #open: Open[] = [];
  #depth = 0;
  #duplicateAt: number | null = null;
  readonly #decimals: string[][] = [];
  readonly #infinite: string[][] = [];

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
  }

  scan(): JsonScan {
    const expected = this.#fault();
    return {
      fault: expected === null ? null : { ...this.#position(this.#at), expected },
      duplicate: this.#duplicateAt === null ? null : this.#position(this.#duplicateAt),
      depth: this.#depth,
      decimals: this.#decimals,
      infinite: this.#infinite,
    };
  }

  /** Reads on; what JSON has at the first fault, or null without one at the end of the text or beyond `depthMax`. */
  #fault(): string | null {
    for (;;) {
      // A path is as long as it is deep: beyond it the paths alone would fill the isolate.
      if (this.#depth > this.#depthMax) return null;
      this.#take(SPACE);
      const isEnd = this.#at === this.#text.length;
      if (isEnd && this.#state === "next" && this.#open.length === 0) return null;
      const fault = isEnd ? this.#expected() : this.#step(this.#text.charAt(this.#at));
      if (fault !== null) return fault;
    }
  }

  #position(at: number): Position {
    const before = this.#text.slice(0, at).split(/\r\n|[\r\n]/);
    return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  }

  #step(char: string): string | null {
    if (this.#state === "next") return this.#afterValue(char);
    if (this.#state === "name" || this.#state === "firstName") return this.#name(char);
    if (char === "]" && this.#state === "firstItem") return this.#close();
    if (char === "{" || char === "[") {
      this.#at++;
      this.#open.push({ closing: char === "{" ? "}" : "]", names: new Set(), step: "0" });
      this.#depth = Math.max(this.#depth, this.#open.length);
      this.#state = char === "{" ? "firstName" : "firstItem";
      return null;
    }
    const start = this.#at;
    if (char === '"') {
      const fault = this.#string();
      if (fault !== null) return fault;
    } else if (this.#take(NUMBER)) {
      this.#note(this.#text.slice(start, this.#at));
    } else if (!this.#take(WORD)) {
      return this.#expected();
    }
    this.#state = "next";
    return null;
  }

  #note(number: string): void {
    const value = Number(number);
    const isInfinite = !Number.isFinite(value);
    if (!isInfinite && !(IS_DECIMAL.test(number) && Number.isInteger(value))) return;
    const noted = isInfinite ? this.#infinite : this.#decimals;
    if (noted.length < NOTED_MAX) noted.push(this.#open.map(({ step }) => step));
  }

  #afterValue(char: string): string | null {
    const open = this.#open.at(-1);
    if (open !== undefined && char === open.closing) return this.#close();
    if (open === undefined || char !== ",") return this.#expected();
    this.#at++;
    this.#state = open.closing === "}" ? "name" : "value";
    if (open.closing === "]") open.step = String(Number(open.step) + 1);
    return null;
  }

  #name(char: string): string | null {
    if (char === "}" && this.#state === "firstName") return this.#close();
    if (char !== '"') return this.#expected();
    const start = this.#at;
    const fault = this.#string();
    if (fault !== null) return fault;
    this.#enter(start);
    this.#take(SPACE);
    if (this.#text.charAt(this.#at) !== ":") return "a colon";
    this.#at++;
    this.#state = "value";
    return null;
  }

  /** Goes to the member whose name began at `start`. */
  #enter(start: number): void {
    const open = this.#open.at(-1);
    if (open === undefined) return;
    open.step = JSON.parse(this.#text.slice(start, this.#at)) as string;
    if (open.names.has(open.step)) this.#duplicateAt ??= start;
    open.names.add(open.step);
  }

  #close(): null {
    this.#at++;
    this.#open.pop();
    this.#state = "next";
    return null;
  }

  #string(): string | null {
    this.#at++;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (char === '"') {
        this.#at++;
        return null;
      }
      if (char === "\\") {
        if (!this.#take(ESCAPE)) return "an escape such as \\n or \\u0041";
        this.#at--;
      } else if (char.charCodeAt(0) < FIRST_PRINTABLE) {
        return "an escape instead of a control character or line break";
      }
    }
    return "a closing double quote";
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const length = pattern.exec(this.#text)?.[0].length ?? 0;
    this.#at += length;
    return length > 0;
  }

  #expected(): string {
    const closing = this.#open.at(-1)?.closing;
    return this.#state === "next" && closing !== undefined
      ? `a comma or ${closing}`
      : EXPECTED[this.#state];
  }
}
