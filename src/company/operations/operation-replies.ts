import type { OperationKind } from "../../domain/charges/operation.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeMoves } from "../charges/charge-moves.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { KeyedRequest, OperationReply } from "../commands.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { StoredOperation } from "./operation-store.ts";

/** What clients are answered about operations, each key always the same. */
export class OperationReplies {
  readonly #keys: IdempotencyStore;
  readonly #charges: ChargeStore;
  readonly #moves: ChargeMoves;

  constructor(parts: { keys: IdempotencyStore; charges: ChargeStore; moves: ChargeMoves }) {
    this.#keys = parts.keys;
    this.#charges = parts.charges;
    this.#moves = parts.moves;
  }

  /** Binds a request's key to the operation that it asked for. */
  keep(
    kind: OperationKind,
    request: KeyedRequest & { requestHash: string },
    operation: StoredOperation,
  ): void {
    if (request.key === null) return;
    this.#keys.add(kind, request.key, request.requestHash, operation.id);
  }

  /** The answer to a client; the first one given under a key stays the answer of that key. */
  reply(operation: StoredOperation, request: KeyedRequest | null): OperationReply {
    const { transactionId } = operation;
    const charge = transactionId === null ? null : this.#charges.known(transactionId);
    const reply: OperationReply = {
      outcome: operation.status,
      reason: operation.failureReason,
      state: charge === null ? null : this.#moves.stateOf(charge),
      traceId: request?.traceId ?? null,
    };
    if (request === null || request.key === null) return reply;
    this.#keys.answer(operation.kind, request.key, JSON.stringify(reply));
    const kept = this.#keys.find(operation.kind, request.key)?.answer;
    assert(typeof kept === "string", "an answered key has its answer");
    return JSON.parse(kept) as OperationReply;
  }
}
