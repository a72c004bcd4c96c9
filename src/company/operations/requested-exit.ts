import type { RequestedExit } from "../../domain/exits/exit-limits.ts";
import type { OperationKind } from "../../domain/charges/operation.ts";

/** What of an operation those who approve see. */
type ShownOperation = Omit<RequestedExit, "number" | "id" | "kind"> & {
  id: number;
  operationId: string;
  kind: OperationKind;
};

/** A refund or return as those who approve see it; null for any other operation. */
export function toExit(operation: ShownOperation): RequestedExit | null {
  const { kind } = operation;
  if (kind !== "refund" && kind !== "return") return null;
  return {
    number: operation.id,
    id: operation.operationId,
    kind,
    transactionId: operation.transactionId,
    paymentId: operation.paymentId,
    amount: operation.amount,
    status: operation.status,
    approval: operation.approval,
    requestedBy: operation.requestedBy,
    decidedBy: operation.decidedBy,
    decisionReason: operation.decisionReason,
    createdAt: operation.createdAt,
  };
}
