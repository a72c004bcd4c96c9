import type { ChangedBoleto, RegisteredBoleto } from "../../domain/charges/payment-details.ts";
import type { OperationStore } from "./operation-store.ts";

type Operations = Pick<OperationStore, "listByTransaction">;

/**
 * The due dates that a boleto has had or may have at its house; none of one whose due date was never changed. Also those
 * of failed changes: operators may have called failed what the house did.
 */
export function dueDatesOf(operations: Operations, transactionId: string): string[] {
  return operations
    .listByTransaction("due_date", transactionId)
    .flatMap(({ dueDate }) => (dueDate === null ? [] : [dueDate.from, dueDate.to]));
}

/** Whether a boleto's due date is another one than this, or is being changed. */
export function hasOtherDueDate(
  operations: Operations,
  transactionId: string,
  dueDate: string,
): boolean {
  const changes = operations.listByTransaction("due_date", transactionId);
  const last = changes.findLast((change) => change.status !== "FAILED");
  if (last === undefined) return false;
  return last.status === "PENDING" || last.dueDate?.to !== dueDate;
}

/** A boleto as its last change of a due date left it; null where it had none, and of a fork's, which has no line. */
export function changedBoletoOf(
  operations: Operations,
  transactionId: string,
): ChangedBoleto | null {
  const changes = operations.listByTransaction("due_date", transactionId);
  const boleto = changes.findLast(({ status }) => status === "DONE")?.dueDate?.boleto;
  const registered: RegisteredBoleto | null = boleto?.registered ?? null;
  return registered === null ? null : (boleto ?? null);
}
