import type { UnexpectedPayment } from "../../domain/charges/unexpected-payment.ts";
import { assert } from "../../lib/assert.ts";
import type { DecidePayment, DecidePaymentAnswer } from "./payment-types.ts";
import type { RequestOperationAnswer } from "../operations/command-types.ts";
import type { ExitRules } from "../exits/exit-rules.ts";
import type { OperationCommands } from "../operations/operation-commands.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { ChargeCommands } from "./charge-commands.ts";
import type { ChargeStore } from "./charge-store.ts";
import type { SuspenseCommands } from "./suspense-commands.ts";
import type { UnexpectedPaymentStore } from "./unexpected-payment-store.ts";

/** The operation of the idempotency keys of credits. */
const CREDIT = "payment_credit";

/**
 * Returns and credits of unexpected payments, by the merchant or by a rule. Every method runs inside one
 * `transactionSync`.
 */
export class PaymentDecisions {
  readonly #unexpected: UnexpectedPaymentStore;
  readonly #payments: Pick<ChargeStore, "findPayment">;
  readonly #charges: Pick<ChargeCommands, "creditFromSuspense">;
  readonly #operations: Pick<OperationCommands, "requestReturn">;
  readonly #suspense: SuspenseCommands;
  readonly #keys: IdempotencyStore;
  readonly #exits: Pick<ExitRules, "frozen">;

  constructor(deps: {
    unexpected: UnexpectedPaymentStore;
    payments: Pick<ChargeStore, "findPayment">;
    charges: Pick<ChargeCommands, "creditFromSuspense">;
    operations: Pick<OperationCommands, "requestReturn">;
    suspense: SuspenseCommands;
    keys: IdempotencyStore;
    exits: Pick<ExitRules, "frozen">;
  }) {
    this.#unexpected = deps.unexpected;
    this.#payments = deps.payments;
    this.#charges = deps.charges;
    this.#operations = deps.operations;
    this.#suspense = deps.suspense;
    this.#keys = deps.keys;
    this.#exits = deps.exits;
  }

  /** Decides once: a repeated decision is answered with its effect. A refusal leaves the key free. */
  decide(command: DecidePayment, nowMs: number): DecidePaymentAnswer {
    const payment = this.#unexpected.find(command.paymentId);
    if (payment === null) return { kind: "not_found" };
    return command.action === "return"
      ? this.#return(command, payment, nowMs)
      : this.#credit(command, payment, nowMs);
  }

  #return(command: DecidePayment, payment: UnexpectedPayment, nowMs: number): DecidePaymentAnswer {
    const { key } = command.request;
    const isReplay = key !== null && this.#keys.find("return", key) !== null;
    if (!isReplay && (payment.status === "credited" || payment.status === "crediting"))
      return { kind: "not_possible", reason: `The payment is ${payment.status}` };
    const { requestedBy, ...asked } = command;
    assert(requestedBy !== null, "somebody asks for a return");
    const answer = this.#operations.requestReturn({ ...asked, requestedBy }, nowMs);
    return returnAnswer(answer);
  }

  #credit(command: DecidePayment, payment: UnexpectedPayment, nowMs: number): DecidePaymentAnswer {
    const { request, target, paymentId } = command;
    const known = request.key === null ? null : this.#keys.find(CREDIT, request.key);
    if (known !== null && known.requestHash !== request.requestHash) return { kind: "key_reused" };
    const credited = { kind: "credited", payment, replayed: known !== null } as const;
    // A rule's credit goes on: nobody asks for it now, and nothing leaves.
    if (known === null && command.limits !== undefined && this.#exits.frozen()) {
      return { kind: "frozen" };
    }
    if (payment.status === "credited") {
      const isOther =
        target?.kind === "chosen" && target.terms.transactionId !== payment.transactionId;
      if (isOther) return { kind: "not_possible", reason: "The payment is credited" };
      this.#bindKey(command, payment, known !== null);
      return credited;
    }
    if (target?.kind === "chosen" && payment.status === "crediting")
      return { kind: "not_possible", reason: "A transaction is being made for the payment" };
    const { requestedBy } = command;
    if (requestedBy !== null && this.#blockerOf(paymentId) === null) {
      this.#unexpected.recordRequester(paymentId, { requestedBy, approval: "none" });
    }
    const answer =
      target === null ? null : this.#charges.creditFromSuspense(paymentId, target.terms, nowMs);
    if (answer?.kind === "credited") {
      assert(target !== null, "a credit has its charge");
      this.#suspense.closeCredited(paymentId, target.terms.transactionId, nowMs);
      this.#bindKey(command, payment, known !== null);
      return { ...credited, payment: this.#require(paymentId), replayed: false };
    }
    const blocker = this.#blockerOf(paymentId);
    if (blocker !== null) return { kind: "not_possible", reason: blocker };
    if (answer?.kind === "not_allowed" && target?.kind !== "own")
      return { kind: "not_possible", reason: `The transaction is ${answer.status}` };
    this.#bindKey(command, payment, known !== null);
    return this.#make(paymentId, nowMs);
  }

  /** A transaction is made for the payment: from this commit on the cron sees to it. */
  #make(paymentId: string, nowMs: number): DecidePaymentAnswer {
    this.#unexpected.change(paymentId, "crediting", nowMs);
    const stored = this.#payments.findPayment(paymentId);
    assert(stored !== null, `payment ${paymentId} is stored`);
    const { paymentMethod, paidAt, account } = stored;
    return {
      kind: "make",
      payment: { ...this.#require(paymentId), paymentMethod, paidAt, account },
    };
  }

  /** Why the payment cannot be credited; null if it can. */
  #blockerOf(paymentId: string): string | null {
    const stored = this.#payments.findPayment(paymentId);
    assert(stored !== null, `payment ${paymentId} is stored`);
    switch (this.#suspense.creditBlocker(stored)) {
      case "returned":
        return "The payment is being returned or was returned already";
      case "disputed":
        return "The payer's bank disputes the payment";
      case null:
        return null;
    }
  }

  #bindKey({ request }: DecidePayment, { number }: UnexpectedPayment, isBound: boolean): void {
    if (request.key === null || isBound) return;
    this.#keys.add(CREDIT, request.key, request.requestHash, number);
  }

  #require(paymentId: string): UnexpectedPayment {
    const payment = this.#unexpected.find(paymentId);
    assert(payment !== null, `payment ${paymentId} is unexpected`);
    return payment;
  }
}

function returnAnswer(answer: RequestOperationAnswer): DecidePaymentAnswer {
  switch (answer.kind) {
    case "send":
    case "query":
      return { kind: "claimed", claimed: answer };
    case "answered":
      return { kind: "answered", reply: answer.reply };
    case "waiting":
      return { kind: "answered", reply: answer.reply, isNew: true };
    case "frozen":
    case "exit_limit_exceeded":
      return answer;
    case "key_reused":
    case "not_found":
      return { kind: answer.kind };
    case "in_progress":
      return { kind: "returning" };
    case "disputed":
      return { kind: "not_possible", reason: "The payer's bank disputes the payment" };
    case "exceeds_paid":
      return { kind: "not_possible", reason: "The payment was returned already" };
    case "dispute_not_open":
    case "refunded_instead":
    case "not_disputed_amount":
    case "charges_frozen":
    case "conflicting_operation":
    case "exceeds_authorized":
    case "insufficient_balance":
    case "not_allowed":
    case "quota_exceeded":
    case "too_many":
    case "version_conflict":
      throw new Error(`a return is not answered with ${answer.kind}`);
  }
}
