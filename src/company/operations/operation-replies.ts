import type { OperationKind } from "../../domain/charges/operation.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import type { ChargeStore, StoredCharge } from "../charges/charge-store.ts";
import type { UnexpectedPaymentStore } from "../charges/unexpected-payment-store.ts";
import type { KeyedRequest, OperationReply } from "./command-types.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { StoredOperation } from "./operation-store.ts";

/** Replies to clients about operations; an idempotency key always gets the same one. */
export class OperationReplies {
  readonly #keys: IdempotencyStore;
  readonly #charges: ChargeStore;
  readonly #transitions: ChargeTransitions;
  readonly #unexpected: Pick<UnexpectedPaymentStore, "find">;

  constructor(deps: {
    keys: IdempotencyStore;
    charges: ChargeStore;
    transitions: ChargeTransitions;
    unexpected: Pick<UnexpectedPaymentStore, "find">;
  }) {
    this.#keys = deps.keys;
    this.#charges = deps.charges;
    this.#transitions = deps.transitions;
    this.#unexpected = deps.unexpected;
  }

  /** Binds a request's key to its operation. */
  bindKey(
    kind: OperationKind,
    request: KeyedRequest & { requestHash: string },
    operation: StoredOperation,
  ): void {
    if (request.key === null) return;
    this.#keys.add(kind, request.key, request.requestHash, operation.id);
  }

  /**
   * The reply to a client. The first reply under a key is stored and repeated, without the card and who paid,
   * which stay the charge's: what is stored here needs no erasing. Of a due date it is the first that has its outcome.
   */
  reply(operation: StoredOperation, request: KeyedRequest | null): OperationReply {
    const charge = this.#chargeOf(operation);
    const reply: OperationReply = {
      outcome: operation.status,
      reason: operation.failureReason,
      state: charge === null ? null : this.#transitions.stateOf(charge),
      traceId: request?.traceId ?? null,
      ...this.#paymentOf(operation),
      ...(operation.dueDate?.boleto === undefined ? {} : { boleto: operation.dueDate.boleto }),
    };
    if (request === null || request.key === null) return reply;
    if (operation.kind === "due_date" && operation.status === "PENDING") return reply;
    const state = reply.state === null ? null : { ...reply.state, card: null, paidBy: null };
    this.#keys.saveAnswer(operation.kind, request.key, JSON.stringify({ ...reply, state }));
    const stored = this.#keys.find(operation.kind, request.key)?.answer;
    assert(typeof stored === "string", "a replied key has its reply");
    return this.replay(operation, stored);
  }

  /** A stored reply, with the charge's card and, if it was paid by then, who paid it. */
  replay(operation: StoredOperation, stored: string): OperationReply {
    const reply = JSON.parse(stored) as OperationReply;
    const { state } = reply;
    if (state === null) return reply;
    const { card = null, paidBy = null } = this.#chargeOf(operation) ?? {};
    return {
      ...reply,
      state: { ...state, card, paidBy: state.paidAt === null ? null : paidBy },
    };
  }

  #paymentOf({ kind, paymentId }: StoredOperation): Pick<OperationReply, "payment"> {
    const payment =
      kind !== "return" || paymentId === null ? null : this.#unexpected.find(paymentId);
    if (payment === null) return {};
    const { transactionId, requestedBy, approval } = payment;
    return { payment: { transactionId, requestedBy, approval } };
  }

  #chargeOf({ transactionId }: StoredOperation): StoredCharge | null {
    return transactionId === null ? null : this.#charges.findStored(transactionId);
  }
}
