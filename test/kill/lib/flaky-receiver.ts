import type { Random } from "./random.ts";
import { wait } from "./wait.ts";

/** A receiver's delay on a busy machine, far below its limit of 15 s. */
const SLOW_MAX_MS = 60;
/** A webhook is rejected once: the second wait of the schedule is 5 minutes. */
const REJECTED_SHARE = 0.08;
/** The other requests of this phase get a normal response. */
const HOLD_SHARE = 0.7;
/** The share of open requests that get a response at the kill. */
const ANSWERED_AT_KILL_SHARE = 0.5;
const REJECTIONS = [500, 503, null] as const;

interface HeldRequests {
  /** Webhooks with a normal response before the phase begins. */
  remainingBefore: number;
  /** The number of requests to hold open. */
  targetCount: number;
  reached: () => void;
}

/** A flaky receiver: slow, rejecting some webhooks, and holding requests open at times. */
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

  /** Resolves once `open` requests are held; until then most requests wait. */
  holdOpen(remainingBefore: number, targetCount: number): Promise<void> {
    return new Promise((reached) => {
      this.#heldRequests = { remainingBefore, targetCount, reached };
    });
  }

  /** Call right before the kill: some open requests get their response, the others none. */
  releaseOnKill(): void {
    this.openAtKills.push(this.#openResponses.size);
    for (const answer of this.#openResponses)
      if (this.#random.chance(ANSWERED_AT_KILL_SHARE)) answer(200);
    this.#openResponses.clear();
    this.#heldRequests = null;
  }

  /** The response status of a webhook; null closes the connection. */
  async respond(name: string, closed: AbortSignal): Promise<number | null> {
    const phase = this.#heldRequests;
    if (phase !== null) {
      phase.remainingBefore -= 1;
      if (phase.remainingBefore < 0 && this.#random.chance(HOLD_SHARE))
        return this.#holdResponse(phase, closed);
    }
    await wait(this.#random.int(0, SLOW_MAX_MS));
    if (closed.aborted || this.#rejected.has(name) || !this.#random.chance(REJECTED_SHARE))
      return 200;
    this.#rejected.add(name);
    return this.#random.pick(REJECTIONS) ?? null;
  }

  #holdResponse(phase: HeldRequests, gone: AbortSignal): Promise<number> {
    return new Promise((answer) => {
      this.#openResponses.add(answer);
      gone.addEventListener("abort", () => this.#openResponses.delete(answer));
      if (this.#openResponses.size >= phase.targetCount) phase.reached();
    });
  }
}
