import type { Random } from "./random.ts";
import { wait } from "./wait.ts";

/** A receiver on a busy machine; far below the 15 s that it has. */
const SLOW_MAX_MS = 60;
/** What is refused is refused once: the second wait of the schedule is 5 minutes. */
const REJECTED_SHARE = 0.08;
/** The rest of what comes while requests pile up is answered as always. */
const HOLD_SHARE = 0.7;
/** Of the requests that are open, so many are answered in the moment of the kill. */
const ANSWERED_AT_KILL_SHARE = 0.5;
const REJECTIONS = [500, 503, null] as const;

interface HeldRequests {
  /** How many more webhooks are answered as always first. */
  remainingBefore: number;
  /** How many requests are to be open. */
  targetCount: number;
  reached: () => void;
}

/** How a bad receiver treats webhooks: slow, refusing some, and now and then letting them pile up. */
export class FlakyReceiver {
  /** The requests that were open at each kill. */
  readonly openAtKills: number[] = [];
  readonly #random: Random;
  readonly #rejected = new Set<string>();
  readonly #openResponses = new Set<(status: number) => void>();
  #heldRequests: HeldRequests | null = null;

  constructor(random: Random) {
    this.#random = random;
  }

  get rejectionCount(): number {
    return this.#rejected.size;
  }

  /** Resolves once `open` requests wait for their answers; until then most that come must wait. */
  holdOpen(remainingBefore: number, targetCount: number): Promise<void> {
    return new Promise((reached) => {
      this.#heldRequests = { remainingBefore, targetCount, reached };
    });
  }

  /** To be called right before the kill: some that were open have their answer, the rest never. */
  releaseOnKill(): void {
    this.openAtKills.push(this.#openResponses.size);
    for (const answer of this.#openResponses)
      if (this.#random.chance(ANSWERED_AT_KILL_SHARE)) answer(200);
    this.#openResponses.clear();
    this.#heldRequests = null;
  }

  /** What a webhook is answered; null where its connection is cut. */
  async respond(name: string, closed: AbortSignal): Promise<number | null> {
    const crowd = this.#heldRequests;
    if (crowd !== null) {
      crowd.remainingBefore -= 1;
      if (crowd.remainingBefore < 0 && this.#random.chance(HOLD_SHARE))
        return this.#holdResponse(crowd, closed);
    }
    await wait(this.#random.int(0, SLOW_MAX_MS));
    if (closed.aborted || this.#rejected.has(name) || !this.#random.chance(REJECTED_SHARE))
      return 200;
    this.#rejected.add(name);
    return this.#random.pick(REJECTIONS) ?? null;
  }

  #holdResponse(crowd: HeldRequests, gone: AbortSignal): Promise<number> {
    return new Promise((answer) => {
      this.#openResponses.add(answer);
      gone.addEventListener("abort", () => this.#openResponses.delete(answer));
      if (this.#openResponses.size >= crowd.targetCount) crowd.reached();
    });
  }
}
