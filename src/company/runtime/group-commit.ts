import { boundToTrace } from "../../lib/trace/trace.ts";

/** Commands per commit: some tens of milliseconds in which the object serves no other call. */
const GROUP_SIZE_MAX = 64;
/** Ticks that a growing group waits, so that a steady stream of commands does not delay it forever. */
const TICKS_MAX = 4;

/**
 * Lets commands that arrive together share one sync to the disk. Each runs in its own `transactionSync`,
 * so its failure undoes no other. The platform makes those of one tick durable together and sends no
 * answer before that.
 */
export class GroupCommit {
  /** Lets waiting calls enter the object; during a sync it ends when that is durable. */
  readonly #tick: () => Promise<void>;
  #waiting: (() => void)[] = [];

  constructor(tick: () => Promise<void>) {
    this.#tick = tick;
  }

  /** Runs `command` with its group. Rejects with what it throws. */
  run<Answer>(command: () => Answer): Promise<Answer> {
    const traced = boundToTrace(command);
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) void this.#collect();
      this.#waiting.push(() => {
        try {
          resolve(traced());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Runs the group once a tick adds no command, it is full, or it has waited `TICKS_MAX`. */
  async #collect(): Promise<void> {
    let known = 0;
    for (let ticks = 0; ticks < TICKS_MAX; ticks++) {
      // A broken storage fails each command itself.
      await this.#tick().catch(() => undefined);
      const { length } = this.#waiting;
      if (length === known || length >= GROUP_SIZE_MAX) break;
      known = length;
    }
    this.#commitGroup();
  }

  /** Nothing in it awaits, so that the commands share a tick. */
  #commitGroup(): void {
    const group = this.#waiting.splice(0, GROUP_SIZE_MAX);
    if (this.#waiting.length > 0) void this.#collect();
    for (const run of group) run();
  }
}
