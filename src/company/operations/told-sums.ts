import { paymentSubject } from "../../domain/reconciliation/contradiction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { assert } from "../../lib/assert.ts";
import {
  paymentIdOf,
  type ChargeStore,
  type PaymentRecord,
  type StoredCharge,
} from "../charges/charge-store.ts";
import { endOf, paidAgainOf } from "../charges/payment-findings.ts";
import type { DisputeStore } from "../disputes/dispute-store.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import { SUM, type ExternalRefundStore } from "./external-refund-store.ts";
import { doneAfterAll } from "./operation-results.ts";
import type { OperationStore, StoredOperation } from "./operation-store.ts";
import { refundableAmount, type RefundOfCharge } from "./refund-limit.ts";

/** Whose payment it is: a charge's, or nobody's while it is in suspense. */
type OfCharge = Pick<PaymentRecord, "transactionId" | "inSuspense">;

/** What is known of the money that went back of a payment, where its provider tells the sum of it. Books nothing. */
export class ToldSums {
  readonly #charges: ChargeStore;
  readonly #operations: OperationStore;
  readonly #suspense: SuspenseCommands;
  readonly #refunds: ExternalRefundStore;
  readonly #disputes: DisputeStore;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    charges: ChargeStore;
    operations: OperationStore;
    suspense: SuspenseCommands;
    externalRefunds: ExternalRefundStore;
    disputes: DisputeStore;
    contradictions: ContradictionStore;
  }) {
    this.#charges = deps.charges;
    this.#operations = deps.operations;
    this.#suspense = deps.suspense;
    this.#refunds = deps.externalRefunds;
    this.#disputes = deps.disputes;
    this.#contradictions = deps.contradictions;
  }

  /**
   * Centavos of a payment that went back, are on their way at our wish, or that a finding about one of ours, or about the
   * end of its charge, holds or took.
   */
  knownBack(payment: PaymentRecord): Cents {
    return this.#wentBack(payment) + this.unusedOfEnd(payment);
  }

  /** The same without what operators took at the end of its charge. */
  #wentBack(payment: PaymentRecord): Cents {
    const { transactionId, inSuspense, returnOperation, amount } = payment;
    const returned = returnOperation === null ? null : this.#operations.find(returnOperation);
    const late = returned === null ? 0 : this.#accountedByReturns(payment, returned);
    if (inSuspense && returned?.status === "PENDING") return amount;
    if (inSuspense) return amount - this.#suspense.remaining(payment) + late;
    assert(transactionId !== null, "a credited payment has a charge");
    const charge = this.#charges.require(transactionId);
    const refunds = this.refundsOf(charge);
    const accounted = refunds.reduce((sum, refund) => sum + this.#accounted(refund), late);
    return charge.paidAmount - refundableAmount(charge, refunds) + accounted + coveredOf(refunds);
  }

  /**
   * What operators took of a payment since its house called its charge ended, less what they gave back since it said paid
   * again. Centavos.
   */
  #takenOfEnd(paymentId: string): Cents {
    const words = [endOf(paymentId), paidAgainOf(paymentId)];
    return this.#contradictions.accountedByAll(...words.map(({ finding }) => finding));
  }

  /** What of that has not covered money that went back since (`covered`), in centavos. */
  unusedOfEnd(payment: PaymentRecord): Cents {
    return this.#unused(payment, this.#takenOfEnd(payment.paymentId));
  }

  /**
   * Centavos of what operators took of a payment that they may give back, at its charge's end if `told` says nothing else:
   * what they took because its house told less, and what it still did not get (`short`). What went back since, by a sum that
   * its house told too, or is about to by a refund of ours, is not the company's.
   */
  givable(paymentId: string, told?: { taken: Cents; short: Cents }): Cents {
    const payment = this.#charges.findPayment(paymentId);
    const transactionId = payment?.transactionId ?? null;
    const charge = transactionId === null ? null : this.#charges.findStored(transactionId);
    // A payment in suspense goes back from there.
    if (payment === null || charge === null || paymentIdOf(charge) !== paymentId)
      return told?.taken ?? this.#takenOfEnd(paymentId);
    const left = refundableAmount(charge, this.sentRefundsOf(charge));
    const inSum = Math.max(0, this.#refunds.toldSum(paymentId) - this.#wentBack(payment));
    // The sum went back once, of all that they took.
    const unused =
      told === undefined
        ? this.unusedOfEnd(payment) - inSum
        : Math.min(told.taken, this.#unusedOf(charge) - told.short - inSum);
    return Math.max(0, Math.min(unused, left));
  }

  /**
   * What operators took of a payment in all, in centavos: at its charge's end, where its house told a lower amount, and where
   * it named another charge. A sum of a part has the first only: what the house did not get it does not give back
   * (`knownBack`).
   */
  #taken(paymentId: string): Cents {
    const object = paymentSubject(paymentId);
    const forAmounts = this.#contradictions.takenBy("payment_amount", object);
    const forCharges = this.#contradictions.takenBy("payment_charge", object);
    // What they gave for a higher amount is beside the payment.
    return Math.max(this.#takenOfEnd(paymentId), forAmounts) + forCharges;
  }

  /**
   * What of `taken` of a payment has not covered money that went back: nothing covers twice. What went back before that was
   * stored has covered nothing. Centavos.
   */
  #unused({ transactionId, inSuspense }: OfCharge, taken: Cents): Cents {
    if (taken === 0 || transactionId === null || inSuspense) return taken;
    const used =
      this.#refunds.coveredTotal(transactionId) +
      this.#disputes.coveredTotal(transactionId) +
      coveredOf(this.refundsOf({ transactionId }));
    return Math.max(0, taken - used);
  }

  /** The same of the payment of a charge, of all that operators took if not said. */
  #unusedOf(charge: StoredCharge, taken = this.#taken(paymentIdOf(charge))): Cents {
    return this.#unused({ transactionId: charge.transactionId, inSuspense: false }, taken);
  }

  /** Our refunds of a charge, oldest first. */
  refundsOf({ transactionId }: Pick<StoredCharge, "transactionId">): StoredOperation[] {
    return this.#operations.listByTransaction("refund", transactionId);
  }

  /** Those of a charge that wait for no approval: their provider may have paid them. */
  sentRefundsOf(charge: StoredCharge): StoredOperation[] {
    return this.refundsOf(charge).filter(({ approval }) => approval !== "pending");
  }

  /**
   * What of `amount`, which left a paid charge without us, is not taken again: operators took it, and the charge has not so
   * much left beside that. Our refunds under way may have the rest of what they took at its end, but not of what its house
   * did not get. Centavos.
   */
  covered(charge: StoredCharge, amount: Cents): Cents {
    const ofEnd = this.#unusedOf(charge, this.#takenOfEnd(paymentIdOf(charge)));
    const beyond = (refunds: readonly RefundOfCharge[]) =>
      Math.max(0, amount - this.refundable(charge, refunds));
    const coveredOfEnd = Math.min(ofEnd, beyond(this.sentRefundsOf(charge)));
    const ofOthers = Math.max(0, this.#unusedOf(charge) - ofEnd);
    return coveredOfEnd + Math.min(ofOthers, Math.max(0, beyond([]) - coveredOfEnd));
  }

  /**
   * What of a paid charge may still be refunded, in centavos: neither it nor refunds of it that are in progress gave it back,
   * and operators did not take it.
   */
  refundable(charge: StoredCharge, refunds: readonly RefundOfCharge[]): Cents {
    const gone = coveredOf(this.refundsOf(charge)) + this.#unusedOf(charge);
    return Math.max(0, refundableAmount(charge, refunds) - gone);
  }

  /** The same of a charge by its id; null of one without a payment. */
  refundableOf(transactionId: string): Cents | null {
    const charge = this.#charges.findStored(transactionId);
    if (charge === null || charge.paymentId === null) return null;
    return charge.status === "paid" ? this.refundable(charge, this.refundsOf(charge)) : 0;
  }

  /**
   * What operators took at a paid charge's end and what went back has not used, in centavos, where its house tells that all
   * of the payment went back. It is 0 while a refund of ours, or a finding about one, may have some of it.
   */
  explained(payment: PaymentRecord, told: Cents): Cents {
    const { transactionId, inSuspense } = payment;
    if (inSuspense || transactionId === null || told < payment.amount) return 0;
    const { status, refundedAmount } = this.#charges.require(transactionId);
    const isKnown = this.#wentBack(payment) === refundedAmount;
    return status === "paid" && isKnown ? this.unusedOfEnd(payment) : 0;
  }

  /** Centavos that are left of a payment; 0 of one that is unknown. */
  leftOf(paymentId: string): Cents {
    const payment = this.#charges.findPayment(paymentId);
    if (payment === null) return 0;
    const unused = this.#unused(payment, this.#taken(paymentId));
    return payment.amount - this.#wentBack(payment) - unused;
  }

  /**
   * What of a refund that was done after all neither a sum has taken nor operators for one, in centavos, and not they
   * otherwise. Of those the refund uses what the rest of its payment does not have, and keeps that.
   */
  untaken(refund: StoredOperation): Cents {
    const { paymentId, amount } = refund;
    const payment = paymentId === null ? null : this.#charges.findPayment(paymentId);
    if (payment !== null && this.isTaken(payment, amount)) return 0;
    const rest = Math.max(0, amount - this.#contradictions.accountedBy(toldSumFinding(refund)));
    const isTold = this.#contradictions.findByKey(doneAfterAll(refund)) !== null;
    if (payment === null || isTold) return rest;
    if (refund.covered !== null) return Math.max(0, rest - refund.covered);
    const beyond = Math.max(0, rest - Math.max(0, this.leftOf(payment.paymentId)));
    const covered = Math.min(this.#unused(payment, this.#taken(payment.paymentId)), beyond);
    this.#operations.update({ ...refund, covered });
    return rest - covered;
  }

  /** Whether sums took as much as a refund of a payment (centavos), and the payment had not so much left beside. */
  isTaken(payment: PaymentRecord, amount: Cents): boolean {
    return (
      amount > payment.amount - this.knownBack(payment) &&
      amount <= this.#refunds.takenBySums(payment.paymentId)
    );
  }

  /**
   * Holds what a told sum has that nothing explains since a refund or return of ours failed, until the provider tells the
   * sum again or operators decide. What is in suspense is not credited meanwhile (`SuspenseCommands.creditBlocker`).
   */
  holdUnexplained({ operationId, paymentId }: StoredOperation, nowMs: number): void {
    const payment = paymentId === null ? null : this.#charges.findPayment(paymentId);
    if (payment === null) return;
    const told = this.#refunds.toldSum(payment.paymentId);
    const known = this.knownBack(payment);
    if (told <= known) return;
    const held = payment.inSuspense ? 0 : told - known;
    this.#contradictions.open(
      {
        finding: toldSumFinding({ operationId }),
        kind: "refund_status",
        object: paymentSubject(payment.paymentId),
        said: { amount: told, status: "DONE" },
        booked: { operationId, status: "FAILED", amount: known },
        amount: held,
        held,
      },
      nowMs,
    );
  }

  /**
   * The provider tells a sum: one that is at least what it told before says what was not explained, and one that is no more
   * than what is booked says that this did not go back. What a higher sum had beyond the payment is over.
   */
  toldAgain(payment: PaymentRecord, amount: Cents, nowMs: number): void {
    const open = this.#contradictions.openFindingKeys(
      "refund_status",
      paymentSubject(payment.paymentId),
    );
    const unexplained = open.filter(isToldSumFinding);
    const held = unexplained.reduce(
      (sum, finding) => sum + this.#contradictions.accountedBy(finding),
      0,
    );
    const isSaid = amount >= this.#refunds.toldSum(payment.paymentId);
    const reason = isSaid ? "The provider told the sum again." : "The provider tells a lower sum.";
    if (isSaid || amount <= this.knownBack(payment) - held)
      for (const finding of unexplained) this.#contradictions.close(finding, reason, nowMs);
    for (const finding of open)
      if (sumBeyond(finding) > amount) this.#contradictions.close(finding, reason, nowMs);
  }

  /**
   * Centavos that are booked as gone back, or that operators took for a sum beyond the payment, and that a lower sum has not:
   * what its house counted once, by a sum that it told or by the falls of those (`byFalls`). Those do not explain a dispute.
   */
  fallenBelow(payment: PaymentRecord, amount: Cents, byFalls: Cents): Cents {
    const { paymentId, transactionId, inSuspense } = payment;
    const charge = transactionId === null ? null : this.#charges.findStored(transactionId);
    const back =
      inSuspense || charge === null
        ? payment.amount - this.#suspense.remaining(payment)
        : charge.refundedAmount;
    const beyond = this.#contradictions
      .allAbout("refund_status", paymentSubject(payment.paymentId))
      .filter(({ finding }) => amount <= payment.amount && sumBeyond(finding) > amount)
      .reduce((sum, { decision }) => sum - (decision?.amount ?? 0), 0);
    const lost = inSuspense || transactionId === null ? 0 : this.#disputes.lostTotal(transactionId);
    const bySums = Math.min(back, this.#refunds.toldSum(paymentId));
    return Math.max(0, Math.max(bySums, Math.min(back - lost, byFalls)) - amount) + beyond;
  }

  /** A refund that failed here was done after all: the sum had it. */
  explain(operation: StoredOperation, nowMs: number): void {
    this.#contradictions.close(toldSumFinding(operation), "The refund was done.", nowMs);
  }

  /** Of all returns of a payment that failed here, as `#accounted`. Its charge may have become known between two of them. */
  #accountedByReturns({ paymentId }: PaymentRecord, { transactionId }: StoredOperation): Cents {
    return [...new Set([transactionId, null])]
      .flatMap((each) => this.#operations.returnsOf(paymentId, each))
      .reduce((sum, returned) => sum + this.#accounted(returned), 0);
  }

  /** Of a refund that failed here: what its findings hold, or took from the company. */
  #accounted(operation: StoredOperation): Cents {
    if (operation.status !== "FAILED") return 0;
    return [doneAfterAll(operation), toldSumFinding(operation)]
      .map((finding) => this.#contradictions.accountedBy(finding))
      .reduce((one, other) => one + other);
  }
}

/** What of refunds that were done after all operators had taken, in centavos. */
function coveredOf(refunds: readonly StoredOperation[]): Cents {
  return refunds.reduce((sum, { covered }) => sum + (covered ?? 0), 0);
}

const BY_OPERATION = "refund_status:operation:";

/** The finding of a told sum that a failed refund of ours does not explain any more. */
function toldSumFinding({ operationId }: Pick<StoredOperation, "operationId">): string {
  return `${BY_OPERATION}${operationId}:sum`;
}

/** The sum (centavos) of a finding about what it has beyond its payment; 0 of any other. */
function sumBeyond(finding: string): Cents {
  return Number(SUM_BEYOND.exec(finding)?.[1] ?? 0);
}

const SUM_BEYOND = new RegExp(`:${SUM}(\\d+):beyond$`);

/** Whether a finding is of a told sum that nothing explains. */
export function isToldSumFinding(finding: string): boolean {
  return finding.startsWith(BY_OPERATION) && finding.endsWith(":sum");
}
