import type { ResponseWord } from "../../../src/domain/disputes/dispute-response.ts";
import type {
  DefenceLookup,
  DefenceOutcome,
  DisputeDefence,
  DisputeDesk,
} from "../../../src/providers/dispute-desk.ts";

/** What becomes of a call: the answer is lost, the call is lost, or the desk refuses it. */
type Fate = "answer_lost" | "call_lost" | "refused" | "broken";

/** A bank's desk in memory, which stores each dossier under our id. A test plays the bank and the faults. */
export class FakeDesk implements DisputeDesk {
  takesFurther = false;
  /** The dispute that it knows: the cron of a test also asks it about those of other tests. */
  disputeId = "";
  /** Each dossier that came, repeats included. */
  readonly submitted: DisputeDefence[] = [];
  /** Ids of look-ups. */
  readonly lookups: string[] = [];
  readonly #cases = new Map<string, ResponseWord>();
  readonly #fates: Fate[] = [];

  /** What becomes of the next calls, one each. */
  next(...fates: Fate[]): void {
    this.#fates.push(...fates);
  }

  /** The bank's word of all that it has from now on. */
  say(status: ResponseWord["status"], answer: string | null = null): void {
    for (const id of this.#cases.keys()) this.#cases.set(id, { status, answer });
  }

  async submit(defence: DisputeDefence): Promise<DefenceOutcome> {
    if (defence.disputeId !== this.disputeId) return { kind: "unknown" };
    const fate = this.#fates.shift();
    if (fate === "broken") throw new Error("the desk is down");
    if (fate === "call_lost") return { kind: "unknown" };
    if (fate === "refused") return { kind: "refused", reason: "O prazo terminou." };
    this.submitted.push(defence);
    const known = this.#cases.get(defence.responseId);
    const word = known ?? { status: "received", answer: null };
    this.#cases.set(defence.responseId, word);
    return fate === "answer_lost" ? { kind: "unknown" } : { kind: "known", ...word };
  }

  async find({
    responseId,
    disputeId,
  }: Pick<DisputeDefence, "responseId" | "disputeId">): Promise<DefenceLookup> {
    if (disputeId !== this.disputeId) return { kind: "unknown" };
    this.lookups.push(responseId);
    if (this.#fates.shift() !== undefined) return { kind: "unknown" };
    const known = this.#cases.get(responseId);
    return known === undefined ? { kind: "not_found" } : { kind: "known", ...known };
  }
}
