import { canTransitionCharge } from "../../domain/charges/charge-status.ts";
import {
  ruleAsRequester,
  unexpectedReason,
  unexpectedRules,
  type UnexpectedReason,
  type UnexpectedRule,
} from "../../domain/charges/unexpected-payment.ts";
import { systemRandom } from "../../domain/shared/clock.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { assert } from "../../lib/assert.ts";
import { methodOf } from "../../methods/registry.ts";
import type { SettlePayment, SettlePaymentAnswer, BookUnexpected } from "./command-types.ts";
import type { OperationCommands } from "../operations/operation-commands.ts";
import type { Reservations } from "../links/reservations.ts";
import type { PaymentRecord, StoredCharge, StoredPayment } from "./charge-store.ts";
import type { SuspenseCommands } from "./suspense-commands.ts";
import type { Unexpected, UnexpectedPaymentStore } from "./unexpected-payment-store.ts";

type Command = Pick<BookUnexpected | SettlePayment, "companyId" | "operationId">;

const STATUS_BY_RULE = { keep: "kept", credit: "crediting", return: "returning" } as const;

/**
 * Books unexpected payments and begins what the company's rule says of them. Every method runs inside
 * one `transactionSync`.
 */
export class UnexpectedPaymentCommands {
  readonly #suspense: SuspenseCommands;
  readonly #unexpected: UnexpectedPaymentStore;
  readonly #operations: Pick<OperationCommands, "requestReturn" | "findRepeated">;

  constructor(deps: {
    suspense: SuspenseCommands;
    unexpected: UnexpectedPaymentStore;
    operations: Pick<OperationCommands, "requestReturn" | "findRepeated">;
  }) {
    this.#suspense = deps.suspense;
    this.#unexpected = deps.unexpected;
    this.#operations = deps.operations;
  }

  /** Books an unexpected payment. A return begins in the same commit; a transaction to credit is made after it. */
  book(
    payment: Omit<StoredPayment, "inSuspense">,
    charge: StoredCharge | null,
    { reason, rule }: Pick<Unexpected, "reason" | "rule">,
    command: Command,
    nowMs: number,
  ): SettlePaymentAnswer {
    const { paymentId } = payment;
    const status = STATUS_BY_RULE[rule];
    this.#suspense.book(payment, charge, { reason, rule, status }, nowMs);
    if (status === "kept") return { kind: "unexpected" };
    if (status === "crediting")
      return { kind: "unexpected", followUp: { kind: "credit", paymentId } };
    const claimed = this.#requestReturn(paymentId, reason, command, nowMs);
    // A frozen company's money goes back once it is not frozen any more.
    if (claimed.kind === "in_progress") return { kind: "unexpected" };
    assert(claimed.kind === "send", "a payment that came just now can be returned");
    return { kind: "unexpected", followUp: { kind: "return", claimed } };
  }

  /**
   * A repeated report: a caller that lost the first answer learns again what is left to do. A later report
   * leaves a return to the one who began it, and does not take its lease.
   */
  repeat({ paymentId, inSuspense }: PaymentRecord, { operationId }: Command): SettlePaymentAnswer {
    const status = inSuspense ? this.#unexpected.find(paymentId)?.status : undefined;
    if (status === "crediting") return { kind: "already", followUp: { kind: "credit", paymentId } };
    if (status !== "returning" || operationId === undefined) return { kind: "already" };
    const claimed = this.#operations.findRepeated(operationId);
    return claimed === null
      ? { kind: "already" }
      : { kind: "already", followUp: { kind: "return", claimed } };
  }

  #requestReturn(
    paymentId: string,
    reason: UnexpectedReason,
    { companyId, operationId = newUuid(systemRandom) }: Command,
    nowMs: number,
  ) {
    const requestedBy = ruleAsRequester(reason);
    const command = { companyId, credentialsVersion: 0, operationId, paymentId, requestedBy };
    return this.#operations.requestReturn(command, nowMs);
  }
}

/** A reason with its rule; what a charge expects has none and is credited. */
type Judgement =
  | { reason: UnexpectedReason; rule: UnexpectedRule }
  | { reason: null; rule: "credit" };

/**
 * Why a charge does not expect a payment, if it does not, and the company's rule for it. `obstacle`: what a
 * payment link or a subscription has against it. Another payment of the same checkout or cycle is a second one. What comes late for a
 * reservation that others have by then is never credited by rule, so that no link sells more than it has.
 */
export function unexpectedOn(
  charge: StoredCharge,
  command: Pick<SettlePayment, "payment" | "amountDue" | "rules">,
  obstacle: ReturnType<Reservations["obstacleTo"]>,
): Judgement {
  if (obstacle === "paid_otherwise") {
    const reason = "SECOND_PAYMENT";
    return { reason, rule: ruleOn(charge, reason, command) };
  }
  const reason = obstacle === "sold_out" ? "LATE" : reasonOn(charge, command);
  if (reason === null) return { reason, rule: "credit" };
  const rule = ruleOn(charge, reason, command);
  return { reason, rule: obstacle === "sold_out" && rule === "credit" ? "keep" : rule };
}

/**
 * Why a charge does not expect a payment; null if it does. A card's late payment is the outcome of our own
 * order, such as a capture whose answer was lost, so it is expected.
 */
function reasonOn(
  { status, paymentMethod }: StoredCharge,
  { payment, amountDue }: Pick<SettlePayment, "payment" | "amountDue">,
): UnexpectedReason | null {
  const reason = unexpectedReason(status, payment.amount, amountDue);
  const isOwnOrder =
    methodOf(paymentMethod).initiation === "pull" && canTransitionCharge(status, "paid");
  return reason === "LATE" && isOwnOrder ? null : reason;
}

/** The company's rule for a payment of a charge. A refused card's charge cannot be credited. */
function ruleOn(
  { status }: StoredCharge,
  reason: UnexpectedReason,
  { rules }: Pick<SettlePayment, "rules">,
): UnexpectedRule {
  const rule = unexpectedRules(rules)[reason];
  const isRefused = reason === "LATE" && !canTransitionCharge(status, "paid");
  return rule === "credit" && isRefused ? "keep" : rule;
}
