import type { OperationStore, StoredOperation } from "./operation-store.ts";

type Operations = Pick<OperationStore, "listByTransaction">;

/** The due dates that a boleto has had or may have at its house; none of one whose due date was never changed. */
export function dueDatesOf(operations: Operations, transactionId: string): string[] {
  return changesOf(operations, transactionId).flatMap(({ dueDate }) =>
    dueDate === null ? [] : [dueDate.from, dueDate.to],
  );
}

/** Whether a boleto's due date is another one than this, or is being changed. */
export function hasOtherDueDate(
  operations: Operations,
  transactionId: string,
  dueDate: string,
): boolean {
  const last = changesOf(operations, transactionId).at(-1);
  if (last === undefined) return false;
  return last.status === "PENDING" || last.dueDate?.to !== dueDate;
}

function changesOf(operations: Operations, transactionId: string): StoredOperation[] {
  const changes = operations.listByTransaction("due_date", transactionId);
  return changes.filter(({ status }) => status !== "FAILED");
}
