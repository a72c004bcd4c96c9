import type { Env } from "../config.ts";
import {
  NOTHING_PAUSED,
  PAUSE_SEEN_WITHIN_MS,
  pauseOf,
  type Pause,
  type Pauses,
  type PauseTarget,
} from "../domain/operators/pause.ts";
import type { Clock } from "../domain/shared/clock.ts";
import { errorFields, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { stateOf } from "./stub.ts";

/** An isolate asks the object this often. */
const ASK_EVERY_MS = 10_000;
/** With the time between two questions less than `PAUSE_SEEN_WITHIN_MS`. */
const ASK_TIMEOUT_MS = 3_000;
/** An object that did not answer, as while it is deployed, is asked again after this. */
const ASK_AGAIN_MS = 1_000;

/** What an isolate knows of pauses. One for each isolate. */
export class KnownPauses {
  readonly #clock: Clock;
  readonly #wait: (ms: number) => Promise<void>;
  #askAt = Number.NEGATIVE_INFINITY;
  /** Null until the object has answered. */
  #known: Pauses | null = null;

  constructor(clock: Clock, wait: (ms: number) => Promise<void> = (ms) => scheduler.wait(ms)) {
    this.#clock = clock;
    this.#wait = wait;
  }

  /**
   * Everything that is paused, as this isolate knows it. One call of the object every ten seconds. While the object
   * does not answer, what was known holds, at first that all runs, and each second asks again: it must not stop a
   * service that runs.
   */
  async list(env: Env): Promise<Pauses> {
    const now = this.#clock.now();
    if (this.#known !== null && now < this.#askAt) return this.#known;
    // First, so that the requests meanwhile do not ask too; those of an isolate that knows nothing yet do.
    this.#askAt = now + ASK_EVERY_MS;
    try {
      this.#known = await withTimeout(stateOf(env).read(), ASK_TIMEOUT_MS);
    } catch (error) {
      log("error", "pauses_unreadable", errorFields(error));
      this.#askAt = now + ASK_AGAIN_MS;
      this.#known ??= NOTHING_PAUSED;
    }
    return this.#known;
  }

  /** Everything that is paused, as the object says now. Rejects if it does not answer. */
  ask(env: Env): Promise<Pauses> {
    return this.#learn(stateOf(env).read());
  }

  /** The pause that stops a company, as this isolate knows it; null if the company runs. */
  async of(env: Env, companyId: number): Promise<Pause | null> {
    return pauseOf(await this.list(env), companyId);
  }

  /**
   * Pauses the service or a company, and returns once every isolate has seen it. What is paused keeps its pause.
   * Rejects if the object does not answer.
   */
  async pause(env: Env, target: PauseTarget, pause: Pause): Promise<Pauses> {
    const pauses = await this.#learn(stateOf(env).pause(target, pause));
    const waitMs = this.#unseenMs(pauses, target, pause);
    if (waitMs > 0) await this.#wait(waitMs);
    return pauses;
  }

  /** Ends a pause; other isolates see it within fifteen seconds. Rejects if the object does not answer. */
  resume(env: Env, target: PauseTarget): Promise<Pauses> {
    return this.#learn(stateOf(env).resume(target));
  }

  /** How long until every isolate has seen a pause of the target. One of before may have been stored late. */
  #unseenMs({ service, companies }: Pauses, target: PauseTarget, asked: Pause): number {
    const now = this.#clock.now();
    const own = target === "service" ? service : companies[target];
    if (service !== null && target !== "service" && seenFrom(service) <= now) return 0;
    if (own === null || own === undefined || own.since === asked.since) return PAUSE_SEEN_WITHIN_MS;
    return Math.max(0, seenFrom(own) - now);
  }

  async #learn(answer: Promise<Pauses>): Promise<Pauses> {
    const pauses = await answer;
    this.#askAt = this.#clock.now() + ASK_EVERY_MS;
    this.#known = pauses;
    return pauses;
  }
}

/** From when on every isolate has seen a pause, however late it was stored. */
function seenFrom({ since }: Pause): number {
  return since + 2 * PAUSE_SEEN_WITHIN_MS;
}
