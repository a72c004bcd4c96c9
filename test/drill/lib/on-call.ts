import { createInterface, type Interface } from "node:readline";
import type { AlarmTold } from "./alarm-inbox.ts";

/** A person on call: is shown each message that arrives, and types which fault it is. */
export class OnCall {
  readonly #input: Interface;
  readonly #lines: AsyncIterator<string>;
  readonly #faults: readonly string[];
  readonly #print: (line: string) => void;

  constructor(
    input: NodeJS.ReadableStream,
    faults: readonly string[],
    print: (line: string) => void,
  ) {
    this.#input = createInterface({ input });
    this.#lines = this.#input[Symbol.asyncIterator]();
    this.#faults = faults;
    this.#print = print;
  }

  close(): void {
    this.#input.close();
  }

  /** Shows an alarm's message, as a pager would. */
  readonly hear = ({ type, alarm, detail, runbook, ...findings }: AlarmTold): void => {
    this.#print(`${new Date().toISOString()} ${type} ${alarm}: ${detail}`);
    for (const part of ["new", "still", "over"] as const) {
      for (const finding of findings[part]) this.#print(`  ${part}: ${finding}`);
    }
    this.#print(`  ${runbook}`);
  };

  /** Waits until the person has typed the fault's name. Without input there is nobody to wait for. */
  async name(fault: string): Promise<void> {
    this.#print(`Something is wrong. Which fault is it? One of: ${this.#faults.join(", ")}`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) return;
      const isRight = value.trim() === fault;
      this.#print(
        isRight ? "Right. It is being ended; the next one comes after that." : "No. Look again.",
      );
      if (isRight) return;
    }
  }
}
