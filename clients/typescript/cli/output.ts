/** What moves a terminal's cursor or changes its colours, ends a line, or turns the direction of text. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** A text of the service in one line that a terminal only shows: a control is shown by its number. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u{${codeOf(control)}}`);
}

function jsonOf(record: unknown): string {
  return JSON.stringify(record).replace(
    CONTROLS,
    (control) => `\\u${codeOf(control).padStart(4, "0")}`,
  );
}

function codeOf(control: string): string {
  return control.charCodeAt(0).toString(16);
}

/** Where commands print: texts for people or, with `--json`, one JSON document a line. */
export class Output {
  readonly isJson: boolean;
  readonly #print: (line: string) => void;

  constructor(isJson: boolean, print: (line: string) => void) {
    this.isJson = isJson;
    this.#print = print;
  }

  /** Prints a text or, with `--json`, the record that it tells of. */
  say(text: string, record: unknown = { message: text }): void {
    this.#print(this.isJson ? jsonOf(record) : text.split("\n").map(printable).join("\n"));
  }

  /** Prints what was drawn here, with its colours. */
  draw(picture: string): void {
    this.#print(picture);
  }
}

/** Lines of a name and a value; without those whose value is missing. */
export function named(rows: Record<string, string | number | null | undefined>): string {
  return Object.entries(rows)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name.padEnd(12)} ${printable(String(value))}`)
    .join("\n");
}
