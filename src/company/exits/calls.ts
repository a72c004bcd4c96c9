import type { DecideExit } from "../operations/command-types.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import { commitIfCurrentAndDrain, find, fromClient } from "../runtime/declare-call.ts";
import type { ExitApprovals } from "./exit-approvals.ts";

interface Services {
  stores: { operations: OperationStore };
  exitApprovals: ExitApprovals;
}

/** The calls about refunds and returns that wait for an approval. */
export const exitCalls = {
  /** Approves or refuses a refund or return that waits for it. */
  decideExit: fromClient(
    commitIfCurrentAndDrain(({ exitApprovals }: Services, command: DecideExit, now) =>
      exitApprovals.decide(command, now),
    ),
  ),

  /** Refunds and returns that wait for an approval, newest first. `before`: a number; null for the newest. */
  listWaitingExits: fromClient(
    find(({ exitApprovals }: Services, page: { before: number | null; limit: number }) =>
      exitApprovals.list(page.before, page.limit),
    ),
  ),

  /** The refund or return with this public id. */
  findExit: find(({ stores }: Services, operationId: string) =>
    stores.operations.findExit(operationId),
  ),
};
