/** How often a line tells how far a long command is. */
const EVERY_MS = 5_000;

/** The progress line of a long command, with an estimate of the time that is left. */
export class Progress {
  readonly #total: number;
  readonly #things: string;
  readonly #now: () => number;
  readonly #print: (line: string) => void;
  readonly #startedAt: number;
  #printedAt: number;
  #done = 0;
  #changes = 0;

  constructor(
    total: number,
    things: string,
    now: () => number = Date.now,
    print: (line: string) => void = console.error,
  ) {
    this.#total = total;
    this.#things = things;
    this.#now = now;
    this.#print = print;
    this.#startedAt = now();
    this.#printedAt = this.#startedAt;
  }

  /** Some changes of a thing are done. */
  add(changes: number): void {
    this.#changes += changes;
    this.#tell();
  }

  /** One thing is done. */
  done(): void {
    this.#done += 1;
    this.#tell();
  }

  /** The last line. */
  end(): void {
    const seconds = Math.round((this.#now() - this.#startedAt) / 1_000);
    this.#print(`${this.#line()} in ${seconds} s`);
  }

  #tell(): void {
    const now = this.#now();
    if (now - this.#printedAt < EVERY_MS) return;
    this.#printedAt = now;
    this.#print(`${this.#line()}, ${this.#left(now)}`);
  }

  #line(): string {
    return `${this.#done} of ${this.#total} ${this.#things}, ${this.#changes} changes`;
  }

  #left(now: number): string {
    if (this.#done === 0) return "no estimate yet";
    const leftMs = ((now - this.#startedAt) / this.#done) * (this.#total - this.#done);
    const minutes = Math.ceil(leftMs / 60_000);
    return minutes <= 1 ? "less than a minute left" : `about ${minutes} min left`;
  }
}
