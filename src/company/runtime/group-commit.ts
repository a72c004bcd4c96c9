/** Commands of one turn at most: some tens of milliseconds in which nobody else is served. */
const GROUP_SIZE_MAX = 64;
/** Turns that a group waits at most while it grows, so that a steady stream holds nobody back. */
const TICKS_MAX = 4;

/**
 * Lets commands that reach the object together share one commit of its storage. Each is a
 * `transactionSync` of its own, which its own fault undoes and nobody else's; the platform makes those of one
 * turn durable together, with one sync to the disk, and lets no answer out before.
 */
export class GroupCommit {
  /** Lets those in who stand before the object; where a commit is under way, until it is durable. */
  readonly #tick: () => Promise<void>;
  #waiting: (() => void)[] = [];

  constructor(tick: () => Promise<void>) {
    this.#tick = tick;
  }

  /** Runs `command` in the turn of its group. Rejects with what it throws. */
  run<Answer>(command: () => Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) void this.#collect();
      this.#waiting.push(() => {
        try {
          resolve(command());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Runs the group once a turn brought nobody new, or it is full, or has waited long enough. */
  async #collect(): Promise<void> {
    let known = 0;
    for (let ticks = 0; ticks < TICKS_MAX; ticks++) {
      // A storage that is broken tells each command so itself.
      await this.#tick().catch(() => undefined);
      const { length } = this.#waiting;
      if (length === known || length >= GROUP_SIZE_MAX) break;
      known = length;
    }
    this.#commitGroup();
  }

  /** One turn: nothing in it awaits. */
  #commitGroup(): void {
    const group = this.#waiting.splice(0, GROUP_SIZE_MAX);
    if (this.#waiting.length > 0) void this.#collect();
    for (const run of group) run();
  }
}
