import { deliveryId, type DeliveryRef } from "../../src/domain/events/delivery.ts";
import { queueDelaySeconds } from "../../src/webhooks/delivery/retry-schedule.ts";
import { randomFraction, randomChoice } from "./seeded-random.ts";

const SECOND = 1_000;
/** The outcome of a message, in percent. */
const MESSAGE_OUTCOMES = { kept: 55, lost: 15, doubled: 15, late: 15 } as const;
type MessageOutcome = keyof typeof MESSAGE_OUTCOMES;
const JITTER_MS = 2 * SECOND;
const LATE_MS = 20 * 60 * SECOND;

/** The worst queue: loses, duplicates, delays and reorders messages. */
export class LossyQueue {
  readonly outcomes: Record<MessageOutcome, number> = { kept: 0, lost: 0, doubled: 0, late: 0 };
  readonly #seed: number;
  readonly #firstCompany: number;
  #messages: { at: number; ref: DeliveryRef }[] = [];
  readonly #sent = new Map<string, number>();

  constructor(seed: number, firstCompany: number) {
    this.#seed = seed;
    this.#firstCompany = firstCompany;
  }

  send(ref: DeliveryRef, nowMs: number, delayMs: number): void {
    const delaySeconds = queueDelaySeconds(delayMs);
    if (delaySeconds === null) return;
    const id = deliveryId({ ...ref, companyId: ref.companyId - this.#firstCompany });
    const nth = (this.#sent.get(id) ?? 0) + 1;
    this.#sent.set(id, nth);
    const draw = (what: string) => randomFraction(this.#seed, what, id, nth);
    const outcome = randomChoice(MESSAGE_OUTCOMES, draw("fate"));
    this.outcomes[outcome] += 1;
    const dueAt = nowMs + delaySeconds * SECOND;
    const put = (withinMs: number, what: string) =>
      this.#messages.push({ at: dueAt + Math.floor(draw(what) * withinMs), ref });
    if (outcome === "kept" || outcome === "doubled") put(JITTER_MS, "first");
    if (outcome === "doubled") put(JITTER_MS, "second");
    if (outcome === "late") put(LATE_MS, "late");
  }

  /** Takes up to `count` due messages. */
  take(nowMs: number, count: number): DeliveryRef[] {
    const due = this.#messages.filter((each) => each.at <= nowMs).slice(0, count);
    const taken = new Set(due);
    this.#messages = this.#messages.filter((each) => !taken.has(each));
    return due.map((each) => each.ref);
  }

  /** The time of the next message, which may be in the past. */
  nextAt(): number {
    return this.#messages.reduce((next, each) => Math.min(next, each.at), Infinity);
  }
}
