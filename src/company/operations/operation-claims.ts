import type { OperationKind } from "../../domain/charges/operation.ts";
import type { ExitRules } from "../exits/exit-rules.ts";
import type { OperationToQuery, OperationToSend } from "./command-types.ts";
import { acquireLease, isRefusalFinal, OPERATION_LEASE_MS } from "../runtime/polling.ts";
import { type OperationStore, type StoredOperation } from "./operation-store.ts";

/** When a frozen company's operation that nobody has sent is looked at again. */
const FROZEN_RETRY_MS = 15 * 60_000;

/** Who may send or query a pending operation, one at a time. Every method runs inside one `transactionSync`. */
export class OperationClaims {
  readonly #operations: OperationStore;
  readonly #exits: Pick<ExitRules, "frozen">;

  constructor(deps: { operations: OperationStore; exits: Pick<ExitRules, "frozen"> }) {
    this.#operations = deps.operations;
    this.#exits = deps.exits;
  }

  /** Who sends a new operation: its caller, at once; nobody before `waitsUntil` or while it is stopped. */
  begin(
    kind: OperationKind,
    waitsUntil: number | null,
    nowMs: number,
  ): Pick<StoredOperation, "leaseUntil" | "nextCheckAt" | "sentAt"> {
    const isStopped = this.isStopped({ kind });
    if (waitsUntil === null && !isStopped) {
      return { ...acquireLease(nowMs, OPERATION_LEASE_MS), sentAt: nowMs };
    }
    return { leaseUntil: 0, nextCheckAt: waitsUntil ?? nowMs + FROZEN_RETRY_MS, sentAt: null };
  }

  /**
   * Takes the lease of a pending operation. What nobody has sent yet does not leave a frozen company; what may have
   * been sent is only asked about there.
   */
  take(
    operation: StoredOperation,
    nowMs: number,
  ): OperationToSend | OperationToQuery | { kind: "wait" } {
    const { id, kind } = operation;
    const isUnsent = isWayOut(kind) && isNeverClaimed(operation);
    const isStopped = this.isStopped(operation);
    if (isUnsent && isStopped) {
      this.#operations.update({ ...operation, nextCheckAt: nowMs + FROZEN_RETRY_MS });
      return { kind: "wait" };
    }
    const sentAt = operation.sentAt ?? nowMs;
    this.#operations.update({ ...operation, ...acquireLease(nowMs, OPERATION_LEASE_MS), sentAt });
    const order = this.#operations.orderOf(operation);
    if (isUnsent) return { kind: "send", id, order };
    const refusalIsFinal = isRefusalFinal(sentAt, nowMs);
    const isMoot = operation.bankTook !== null;
    const maySend = !isStopped && !isMoot;
    return {
      kind: "query",
      id,
      order,
      maySend,
      refusalIsFinal,
      ...(isMoot ? { isMoot: true } : {}),
    };
  }

  /** Whether a freeze keeps an operation here: it would take money out. */
  isStopped({ kind }: Pick<StoredOperation, "kind">): boolean {
    return isWayOut(kind) && this.#exits.frozen();
  }
}

function isWayOut(kind: OperationKind): boolean {
  return kind === "refund" || kind === "return";
}

/** Whether nobody has sent it: whoever sends or asks holds a lease, and counts a check. */
function isNeverClaimed({ checks, leaseUntil }: StoredOperation): boolean {
  return checks === 0 && leaseUntil === 0;
}
