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
    this.#print(this.isJson ? JSON.stringify(record) : text);
  }
}

/** Lines of a name and a value; without those whose value is missing. */
export function named(rows: Record<string, string | number | null | undefined>): string {
  return Object.entries(rows)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name.padEnd(12)} ${value}`)
    .join("\n");
}
