import type { DebitAttempt } from "../../domain/subscriptions/subscription.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { ToldDebit } from "./command-types.ts";
import type { StoredCycle } from "./cycle-store.ts";
import type { StoredSubscription } from "./subscription-store.ts";

/** What a person is to look at of debits. Every method runs inside one `transactionSync`. */
export class DebitFindings {
  readonly #contradictions: ContradictionStore;

  constructor(contradictions: ContradictionStore) {
    this.#contradictions = contradictions;
  }

  /**
   * Tells a person of a failure that contradicts the agreement, is our fault, or is of an order that the provider did not
   * take; once of each day. What the provider said of it may name the payer, and is not in it.
   */
  open(
    { id, mandate }: StoredSubscription,
    { transactionId, cycle, dueDate, amount }: StoredCycle,
    { day, reason }: Pick<DebitAttempt, "day" | "reason">,
    nowMs: number,
  ): void {
    if (reason?.action !== "a_person" && reason?.action !== "our_fault") return;
    const { code, providerCode, message, action } = reason;
    this.#contradictions.open(
      {
        finding: keyOf(transactionId, day, code),
        kind: "debit_refused",
        object: transactionId,
        said: { code, providerCode, message, action, day },
        booked: { subscriptionId: id, mandateId: mandate.id, cycle, dueDate, amount },
        amount,
        held: 0,
      },
      nowMs,
    );
  }

  /** Nobody needs to look any more at an order that its provider has taken after all. */
  closeTaken(known: StoredCycle, told: ToldDebit, nowMs: number): void {
    if (isTaken(known, told)) this.#closeRefused(known, "The provider has taken the order.", nowMs);
  }

  /** Nor at one of a cycle that has ended otherwise. */
  closeOver(cycle: StoredCycle, nowMs: number): void {
    this.#closeRefused(cycle, "Its cycle has ended.", nowMs);
  }

  #closeRefused({ transactionId }: StoredCycle, why: string, nowMs: number): void {
    for (const finding of this.#contradictions.openFindingKeys("debit_refused", transactionId)) {
      const { said } = this.#contradictions.findByKey(finding) ?? {};
      if (said?.["code"] === "PROVIDER_REFUSED") this.#contradictions.close(finding, why, nowMs);
    }
  }
}

/** One of an order has a name of its own: a bank may refuse the debit of its day after it was taken. */
function keyOf(transactionId: string, day: string, code: string): string {
  const key = `debit_refused:${transactionId}:${day}`;
  return code === "PROVIDER_REFUSED" ? `${key}:order` : key;
}

/** Whether a provider tells of an attempt on or after a day whose order it did not take, or of the debit itself. */
function isTaken({ debit, attempts }: StoredCycle, told: ToldDebit): boolean {
  if (debit.refused !== undefined) return true;
  const refused = attempts.filter(({ reason }) => reason?.code === "PROVIDER_REFUSED");
  return refused.some(({ day }) => told.attempts.some((attempt) => attempt.day >= day));
}
