/** Commands of one turn at most: some tens of milliseconds in which nobody else is served. */
const GROUP_MAX = 64;
/** Turns that a group waits at most while it grows, so that a steady stream holds nobody back. */
const TURNS_MAX = 4;

/**
 * Lets commands that reach the object together share one commit of its storage. Each is a
 * `transactionSync` of its own, which its own fault undoes and nobody else's; the platform makes those of one
 * turn durable together, with one sync to the disk, and lets no answer out before.
 */
export class SharedCommit {
  /** Lets those in who stand before the object; where a commit is under way, until it is durable. */
  readonly #turn: () => Promise<void>;
  #waiting: (() => void)[] = [];

  constructor(turn: () => Promise<void>) {
    this.#turn = turn;
  }

  /** Runs `command` in the turn of its group. Rejects with what it throws. */
  join<Answer>(command: () => Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) void this.#gather();
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
  async #gather(): Promise<void> {
    let known = 0;
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      // A storage that is broken tells each command so itself.
      await this.#turn().catch(() => undefined);
      const { length } = this.#waiting;
      if (length === known || length >= GROUP_MAX) break;
      known = length;
    }
    this.#run();
  }

  /** One turn: nothing in it awaits. */
  #run(): void {
    const group = this.#waiting.splice(0, GROUP_MAX);
    if (this.#waiting.length > 0) void this.#gather();
    for (const run of group) run();
  }
}
