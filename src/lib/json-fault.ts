/** Where a text stops being JSON, counted from 1; columns are UTF-16 units. `expected`: what JSON has there. */
export interface JsonFault {
  line: number;
  column: number;
  expected: string;
}

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

/**
 * The first fault of a text that is not JSON (RFC 8259); null where it is. The engine's own message gives no
 * position for many faults, and quotes the text.
 */
export function findJsonFault(text: string): JsonFault | null {
  const scanner = new Scanner(text);
  const expected = scanner.scan();
  return expected === null ? null : { ...scanner.position(), expected };
}

class Scanner {
  readonly #text: string;
  #at = 0;
  #state: State = "value";
  /** The closing brackets of what is open. */
  readonly #open: ("}" | "]")[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads on; what JSON has at the first fault, or null at the end of a text without one. */
  scan(): string | null {
    for (;;) {
      this.#take(SPACE);
      const isEnd = this.#at === this.#text.length;
      if (isEnd && this.#state === "next" && this.#open.length === 0) return null;
      const fault = isEnd ? this.#expected() : this.#step(this.#text.charAt(this.#at));
      if (fault !== null) return fault;
    }
  }

  position(): { line: number; column: number } {
    const before = this.#text.slice(0, this.#at).split(/\r\n|[\r\n]/);
    return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  }

  #step(char: string): string | null {
    if (this.#state === "next") return this.#afterValue(char);
    if (this.#state === "name" || this.#state === "firstName") return this.#name(char);
    if (char === "]" && this.#state === "firstItem") return this.#close();
    if (char === "{" || char === "[") {
      this.#at++;
      this.#open.push(char === "{" ? "}" : "]");
      this.#state = char === "{" ? "firstName" : "firstItem";
      return null;
    }
    if (char === '"') {
      const fault = this.#string();
      if (fault !== null) return fault;
    } else if (!this.#take(NUMBER) && !this.#take(WORD)) {
      return this.#expected();
    }
    this.#state = "next";
    return null;
  }

  #afterValue(char: string): string | null {
    const closing = this.#open.at(-1);
    if (closing !== undefined && char === closing) return this.#close();
    if (closing === undefined || char !== ",") return this.#expected();
    this.#at++;
    this.#state = closing === "}" ? "name" : "value";
    return null;
  }

  #name(char: string): string | null {
    if (char === "}" && this.#state === "firstName") return this.#close();
    if (char !== '"') return this.#expected();
    const fault = this.#string();
    if (fault !== null) return fault;
    this.#take(SPACE);
    if (this.#text.charAt(this.#at) !== ":") return "a colon";
    this.#at++;
    this.#state = "value";
    return null;
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
    const closing = this.#open.at(-1);
    return this.#state === "next" && closing !== undefined
      ? `a comma or ${closing}`
      : EXPECTED[this.#state];
  }
}
