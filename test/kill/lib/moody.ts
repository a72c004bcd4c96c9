import type { Random } from "./random.ts";
import { wait } from "./wait.ts";

/** A receiver on a busy machine; far below the 15 s that it has. */
const SLOW_MAX_MS = 60;
/** What is refused is refused once: the second wait of the schedule is 5 minutes. */
const REFUSED = 0.08;
/** The rest of what comes while requests pile up is answered as always. */
const HELD = 0.7;
/** Of the requests that are open, so many are answered in the moment of the kill. */
const ANSWERED_AT_KILL = 0.5;
const REFUSALS = [500, 503, null] as const;

interface Crowd {
  /** How many more webhooks are answered as always first. */
  after: number;
  /** How many requests are to be open. */
  open: number;
  reached: () => void;
}

/** How a bad receiver treats webhooks: slow, refusing some, and now and then letting them pile up. */
export class Moody {
  /** The requests that were open at each kill. */
  readonly openAtKills: number[] = [];
  readonly #random: Random;
  readonly #refused = new Set<string>();
  readonly #held = new Set<(status: number) => void>();
  #crowd: Crowd | null = null;

  constructor(random: Random) {
    this.#random = random;
  }

  get refusals(): number {
    return this.#refused.size;
  }

  /** Resolves once `open` requests wait for their answers; until then most that come must wait. */
  crowd(after: number, open: number): Promise<void> {
    return new Promise((reached) => {
      this.#crowd = { after, open, reached };
    });
  }

  /** To be called right before the kill: some that were open have their answer, the rest never. */
  disperse(): void {
    this.openAtKills.push(this.#held.size);
    for (const answer of this.#held) if (this.#random.chance(ANSWERED_AT_KILL)) answer(200);
    this.#held.clear();
    this.#crowd = null;
  }

  /** What a webhook is answered; null where its connection is cut. */
  async answer(name: string, gone: AbortSignal): Promise<number | null> {
    const crowd = this.#crowd;
    if (crowd !== null) {
      crowd.after -= 1;
      if (crowd.after < 0 && this.#random.chance(HELD)) return this.#hold(crowd, gone);
    }
    await wait(this.#random.int(0, SLOW_MAX_MS));
    if (gone.aborted || this.#refused.has(name) || !this.#random.chance(REFUSED)) return 200;
    this.#refused.add(name);
    return this.#random.pick(REFUSALS) ?? null;
  }

  #hold(crowd: Crowd, gone: AbortSignal): Promise<number> {
    return new Promise((answer) => {
      this.#held.add(answer);
      gone.addEventListener("abort", () => this.#held.delete(answer));
      if (this.#held.size >= crowd.open) crowd.reached();
    });
  }
}
