import type { ChangedBoleto, RegisteredBoleto } from "../../domain/charges/payment-details.ts";
import { endOfDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import type { OperationStore, StoredOperation } from "./operation-store.ts";

type Operations = Pick<OperationStore, "listByTransaction">;

/** So long after its day any boleto can be paid: of changes of the release before, which know no time of their end. */
const PAYABLE_DAYS = 30;

/**
 * The due dates that a boleto has had or may have at its house; none of one whose due date was never changed. Also those
 * of failed changes: operators may have called failed what the house did.
 */
export function dueDatesOf(operations: Operations, transactionId: string): string[] {
  return operations
    .listByTransaction("due_date", transactionId)
    .flatMap(({ dueDate }) => (dueDate === null ? [] : [dueDate.from, dueDate.to]));
}

/**
 * Whether a boleto can still be paid by a day that a change gave it or may have given it: its house tells only of the last
 * one that is done, and what was asked since it may have done, also where that failed here.
 */
export function isPayableAnew(
  operations: Operations,
  transactionId: string,
  nowMs: number,
): boolean {
  const changes = operations.listByTransaction("due_date", transactionId);
  const last = changes.findLastIndex(({ status }) => status === "DONE");
  return changes
    .slice(Math.max(0, last))
    .some(({ dueDate }) => dueDate !== null && endsAt(dueDate) > nowMs);
}

/** When a charge of a changed due date ends unpaid, epoch milliseconds. */
function endsAt({ to, boleto, expiresAt }: NonNullable<StoredOperation["dueDate"]>): number {
  return boleto?.expiresAt ?? expiresAt ?? endOfDay(addDays(to, PAYABLE_DAYS));
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
