/** A value that a commit reads from the tables once. Outside of a commit each read asks them. */
export class ReadOnce<Value> {
  readonly #load: () => Value;
  /** Null outside of a commit. */
  #inCommit: { value: Value } | "unread" | null = null;

  constructor(load: () => Value) {
    this.#load = load;
  }

  beginCommit(): void {
    this.#inCommit = "unread";
  }

  /** Ends a commit, also one that is rolled back. */
  endCommit(): void {
    this.#inCommit = null;
  }

  read(): Value {
    if (this.#inCommit !== null && this.#inCommit !== "unread") return this.#inCommit.value;
    const value = this.#load();
    this.set(value);
    return value;
  }

  /** What a write of this commit has made of it. */
  set(value: Value): void {
    if (this.#inCommit !== null) this.#inCommit = { value };
  }

  /** A write of this commit has changed it: the next read asks the tables. */
  forget(): void {
    if (this.#inCommit !== null) this.#inCommit = "unread";
  }
}
