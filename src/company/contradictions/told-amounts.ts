import {
  paymentIdOfSubject,
  type Contradiction,
} from "../../domain/reconciliation/contradiction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeStore, PaymentRecord } from "../charges/charge-store.ts";
import { amountFinding } from "../charges/payment-findings.ts";
import { isByOperators, type ContradictionStore } from "./contradiction-store.ts";

/** A finding of a told amount. `account`: the one whose house told it, where it is not the payment's. */
type ToldAmount = Contradiction & { said: { amount: Cents; account?: string } };

/** Amounts that houses tell of known payments. Every method that writes runs inside one `transactionSync`. */
export class ToldAmounts {
  readonly #charges: ChargeStore;
  readonly #contradictions: ContradictionStore;

  constructor(deps: { charges: ChargeStore; contradictions: ContradictionStore }) {
    this.#charges = deps.charges;
    this.#contradictions = deps.contradictions;
  }

  /**
   * An account's house tells an amount (centavos) of a known payment. Others that it told are over. Operators are asked
   * what to do about the difference to what is booked with their corrections, the booked amount's too. Where there is none,
   * its word is only kept, if they decided about another since: a later one of that is news.
   */
  tell(known: PaymentRecord, amount: Cents, account: string, nowMs: number): void {
    const all = this.#of(known.paymentId);
    const teller = account === known.account ? undefined : account;
    const others = all.filter(({ said }) => said.amount !== amount && said.account === teller);
    const newest = others.at(-1);
    if (amount === known.amount && newest === undefined) return;
    for (const { finding } of others)
      this.#contradictions.close(finding, "Its house tells another amount.", nowMs);
    const found = amountFinding(known, { amount, account: teller, corrected: correctedBy(all) });
    const told = all.findLast(({ said }) => said.amount === amount)?.number ?? 0;
    const isDecided = others.some((each) => each.number > told && isByOperators(each));
    if (found.amount === 0 && !isDecided) return;
    const opposite = newest === undefined ? null : amountFinding(known, newest.said).finding;
    this.#contradictions.openAnew(found, opposite, nowMs);
    if (found.amount === 0)
      this.#contradictions.closeAll(found, "Operators have booked it so.", nowMs);
  }

  /** All of a payment went back: nothing is left to correct, but for what its house told beyond it. */
  allWentBack({ paymentId, amount }: Pick<PaymentRecord, "paymentId" | "amount">, nowMs: number) {
    for (const { finding, said } of this.#of(paymentId))
      if (said.amount <= amount) this.#contradictions.close(finding, "All of it went back.", nowMs);
  }

  /**
   * Of a told amount: what operators corrected for all that were told of its payment, and what they may yet correct.
   * Centavos; negative is the company's loss. Null of any other finding.
   */
  toCorrect(found: Contradiction): { corrected: Cents; left: Cents } | null {
    const paymentId = paymentIdOfSubject(found.object);
    if (paymentId === null || !isToldAmount(found)) return null;
    const payment = this.#charges.findPayment(paymentId);
    assert(payment !== null, "a told amount is of a known payment");
    const corrected = correctedBy(this.#of(paymentId));
    return { corrected, left: found.said.amount - payment.amount - corrected };
  }

  /** The findings of a payment's told amounts, oldest first. */
  #of(paymentId: string): ToldAmount[] {
    return this.#contradictions
      .allAbout("payment_amount", `payment:${paymentId}`)
      .filter(isToldAmount);
  }
}

function correctedBy(told: readonly ToldAmount[]): Cents {
  return told.reduce((sum, { decision }) => sum + (decision?.amount ?? 0), 0);
}

/** Whether a finding is of an amount, not of a status, that a house told of a known payment. */
function isToldAmount(found: Contradiction): found is ToldAmount {
  const { kind, said } = found;
  return kind === "payment_amount" && typeof said["amount"] === "number" && !("status" in said);
}
