import type { OperationKind } from "../../domain/charges/operation.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { KeyedRequest, OperationReply } from "../rpc-types.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { StoredOperation } from "./operation-store.ts";

/** Replies to clients about operations; an idempotency key always gets the same one. */
export class OperationReplies {
  readonly #keys: IdempotencyStore;
  readonly #charges: ChargeStore;
  readonly #transitions: ChargeTransitions;

  constructor(deps: {
    keys: IdempotencyStore;
    charges: ChargeStore;
    transitions: ChargeTransitions;
  }) {
    this.#keys = deps.keys;
    this.#charges = deps.charges;
    this.#transitions = deps.transitions;
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

  /** The reply to a client. The first reply under a key is stored and repeated. */
  reply(operation: StoredOperation, request: KeyedRequest | null): OperationReply {
    const { transactionId } = operation;
    const charge = transactionId === null ? null : this.#charges.findStored(transactionId);
    const reply: OperationReply = {
      outcome: operation.status,
      reason: operation.failureReason,
      state: charge === null ? null : this.#transitions.stateOf(charge),
      traceId: request?.traceId ?? null,
    };
    if (request === null || request.key === null) return reply;
    this.#keys.saveAnswer(operation.kind, request.key, JSON.stringify(reply));
    const stored = this.#keys.find(operation.kind, request.key)?.answer;
    assert(typeof stored === "string", "a replied key has its reply");
    return JSON.parse(stored) as OperationReply;
  }
}
