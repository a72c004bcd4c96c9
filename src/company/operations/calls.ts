import {
  after,
  commit,
  commitAndDrain,
  commitIfCurrent,
  drain,
  find,
  fromClient,
} from "../runtime/declare-call.ts";
import type {
  KeyedRequest,
  OperationReport,
  RecordProviderRefund,
  RequestCancelOrCapture,
  RequestDueDate,
  RequestRefund,
} from "./command-types.ts";
import { dueDatesOf } from "./due-dates.ts";
import type { ExternalRefundCommands } from "./external-refund-commands.ts";
import type { OperationCommands } from "./operation-commands.ts";
import type { OperationStore } from "./operation-store.ts";

interface Services {
  stores: { operations: OperationStore };
  operations: OperationCommands;
  externalRefunds: ExternalRefundCommands;
}

/** An operation by its number within the company. */
interface OperationOfCompany {
  companyId: number;
  id: number;
}

/** `reply`: the request that waits for the operation; null if none does. */
interface RecordOperation extends OperationOfCompany {
  report: OperationReport;
  reply: KeyedRequest | null;
}

/** The calls about refunds, cancels, captures, returns and changes of due dates. */
export const operationCalls = {
  requestRefund: fromClient(
    after(
      commitIfCurrent(({ operations }: Services, command: RequestRefund, now) =>
        operations.requestRefund(command, now),
      ),
      // Of one that waits nothing else is written soon that would carry it to D1.
      (object, { kind }) => (kind === "waiting" ? drain(object) : undefined),
    ),
  ),

  requestCancelOrCapture: fromClient(
    commitIfCurrent(({ operations }: Services, command: RequestCancelOrCapture, now) =>
      operations.requestCancelOrCapture(command, now),
    ),
  ),

  requestDueDate: fromClient(
    commitIfCurrent(({ operations }: Services, command: RequestDueDate, now) =>
      operations.requestDueDate(command, now),
    ),
  ),

  /** The due dates that a boleto has had or may have at its house; none where they never changed. */
  dueDatesOf: find(({ stores }: Services, transactionId: string) =>
    dueDatesOf(stores.operations, transactionId),
  ),

  claimOperation: commit(({ operations }: Services, { id }: OperationOfCompany, now) =>
    operations.claim(id, now),
  ),

  recordOperation: commitAndDrain(
    ({ operations }: Services, { id, report, reply }: RecordOperation, now) =>
      operations.record(id, report, reply, now),
  ),

  recordProviderRefund: commitAndDrain(
    ({ externalRefunds }: Services, command: RecordProviderRefund, now) =>
      externalRefunds.record(command, now),
  ),
};
