import {
  paymentIdOfSubject,
  paymentSubject,
  type Contradiction,
} from "../../domain/reconciliation/contradiction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { externalRefundId } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import { SUM } from "../operations/external-refund-store.ts";
import { paymentIdOf, type ChargeStore, type PaymentRecord } from "../charges/charge-store.ts";
import { amountFinding } from "../charges/payment-findings.ts";
import {
  CHANGES_MAX,
  isByOperators,
  type ContradictionStore,
  type Finding,
} from "./contradiction-store.ts";

/** A finding of a told amount. `account`: the one whose house told it, where it is not the payment's. */
type ToldAmount = Contradiction & { said: { amount: Cents; account?: string } };

/** A finding of a sum of what went back. `fell`: what was booked as gone back beyond it. */
type FallenSum = ToldAmount & { booked: { fell: Cents } };

/**
 * What a house tells: its finding, those of the same kind before it, and the key of each told amount. `isOver`: nothing is
 * left of its payment to ask about.
 */
interface Told {
  found: Finding;
  amount: Cents;
  teller: string | undefined;
  all: ToldAmount[];
  keyOf: (amount: Cents) => string;
  isOver: boolean;
}

/** Amounts that houses tell of known payments, and sums of what went back of one that fall. Every method that writes runs inside one `transactionSync`. */
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
   * its word is only kept, if they decided about another since: a later one of that is news. Nothing is asked of what is
   * back in full, as in `allWentBack`, but for what they gave.
   */
  tell(known: PaymentRecord, amount: Cents, account: string, nowMs: number): void {
    const all = this.#of(known.paymentId);
    const teller = account === known.account ? undefined : account;
    if (amount === known.amount && !all.some(({ said }) => said.account === teller)) return;
    const corrected = correctedBy(all);
    const found = amountFinding(known, { amount, account: teller, corrected });
    const keyOf = (other: Cents) => amountFinding(known, { amount: other }).finding;
    const isOver = amount <= known.amount && corrected <= 0 && this.#isAllBack(known);
    this.#tell({ found, amount, teller, all, keyOf, isOver }, nowMs);
  }

  /**
   * The house of a payment tells the sum of what went back of it, in centavos. `fell`: what is booked as gone back beyond
   * it. As `tell`: what operators gave for a fall is asked back once the sum rises again.
   */
  tellSum({ paymentId }: PaymentRecord, amount: Cents, fell: Cents, nowMs: number): void {
    const all = this.#sumsOf(paymentId);
    const given = correctedBy(all);
    const keyOf = (sum: Cents) =>
      `refund_status:${externalRefundId(paymentId, `${SUM}${sum}`)}:fell`;
    const found = {
      finding: keyOf(amount),
      kind: "refund_status" as const,
      object: paymentSubject(paymentId),
      said: { amount, status: "DONE" },
      booked: { fell, given },
      amount: Math.abs(fell - given),
      held: Math.max(0, given - fell),
    };
    this.#tell({ found, amount, teller: undefined, all, keyOf, isOver: false }, nowMs);
  }

  /**
   * The most (centavos) that the house of a payment can have counted as gone back of it, by what fell of its sums: refunds
   * that came since are in `sum`, the one that it tells now, while what fell is not.
   */
  knownByFalls({ paymentId }: PaymentRecord, sum: Cents): Cents {
    const all = this.#sumsOf(paymentId);
    const open = all.findLast(({ decision }) => decision === null);
    const fell = open?.booked.fell ?? correctedBy(all);
    const before = all.map(({ said, booked }) => said.amount + booked.fell);
    return Math.max(sum + fell, ...before);
  }

  /**
   * Ends what the same house told before, and opens what is not booked of what it tells now. One that tells the same again
   * and again is followed `CHANGES_MAX` times: then what is open stays so until operators decide.
   */
  #tell({ found, amount, teller, all, keyOf, isOver }: Told, nowMs: number): void {
    const others = all.filter(({ said }) => said.amount !== amount && said.account === teller);
    const newest = others.at(-1);
    for (const { finding, said } of others)
      if (changesOf(all, said.amount) < CHANGES_MAX)
        this.#contradictions.close(finding, "Its house tells another amount.", nowMs);
    if (isOver) return;
    const told = all.findLast(({ said }) => said.amount === amount)?.number ?? 0;
    const isDecided = others.some((each) => each.number > told && isByOperators(each));
    if (found.amount === 0 && !isDecided) return;
    const opposite = newest === undefined ? null : keyOf(newest.said.amount);
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
   * Of a told amount or sum: what operators corrected for all that were told of its payment, and what they may yet correct.
   * Centavos; negative is the company's loss. Null of any other finding.
   */
  toCorrect(found: Contradiction): { corrected: Cents; left: Cents } | null {
    const paymentId = paymentIdOfSubject(found.object);
    if (paymentId === null) return null;
    if (isFallenSum(found)) {
      const given = correctedBy(this.#sumsOf(paymentId));
      return { corrected: given, left: found.booked.fell - given };
    }
    if (!isToldAmount(found)) return null;
    const payment = this.#charges.findPayment(paymentId);
    assert(payment !== null, "a told amount is of a known payment");
    const corrected = correctedBy(this.#of(paymentId));
    return { corrected, left: found.said.amount - payment.amount - corrected };
  }

  /** What operators did not yet take of what a payment's house says that it did not get, which they decided was so. Centavos. */
  shortOf(paymentId: string): Cents {
    const all = this.#of(paymentId);
    const newest = all.findLast(({ said }) => said.account === undefined);
    if (newest?.decision?.action !== "correct") return 0;
    return Math.max(0, -(this.toCorrect(newest)?.left ?? 0));
  }

  /** Whether all of a payment went back of the charge that it paid. */
  #isAllBack({ paymentId, transactionId }: PaymentRecord): boolean {
    const charge = transactionId === null ? null : this.#charges.findStored(transactionId);
    return charge?.status === "refunded" && paymentIdOf(charge) === paymentId;
  }

  /** The findings of sums of a payment that fell, or rose again, oldest first. */
  #sumsOf(paymentId: string): FallenSum[] {
    return this.#contradictions
      .allAbout("refund_status", paymentSubject(paymentId))
      .filter(isFallenSum);
  }

  /** The findings of a payment's told amounts, oldest first. */
  #of(paymentId: string): ToldAmount[] {
    return this.#contradictions
      .allAbout("payment_amount", paymentSubject(paymentId))
      .filter(isToldAmount);
  }
}

function correctedBy(told: readonly ToldAmount[]): Cents {
  return told.reduce((sum, { decision }) => sum + (decision?.amount ?? 0), 0);
}

/** How often an amount (centavos) came and was over again since operators last decided about what was told. */
function changesOf(told: readonly ToldAmount[], amount: Cents): number {
  const since = Math.max(0, ...told.filter(isByOperators).map(({ number }) => number));
  const isChange = ({ number, said, decision }: ToldAmount) =>
    said.amount === amount && number > since && decision !== null;
  return told.filter(isChange).length;
}

/** Whether a finding is of a sum of what went back that fell, or rose again. */
function isFallenSum(found: Contradiction): found is FallenSum {
  return found.kind === "refund_status" && typeof found.booked["fell"] === "number";
}

/** Whether a finding is of an amount, not of a status, that a house told of a known payment. */
function isToldAmount(found: Contradiction): found is ToldAmount {
  const { kind, said } = found;
  return kind === "payment_amount" && typeof said["amount"] === "number" && !("status" in said);
}
