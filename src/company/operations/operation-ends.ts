import type { ExitRules } from "../exits/exit-rules.ts";
import type { WaitingApprovalStore } from "../exits/waiting-approval-store.ts";
import type { OperationReport } from "./command-types.ts";
import type { OperationStore, StoredOperation } from "./operation-store.ts";

/** A report that ends an operation. */
export type FinalReport = Extract<OperationReport, { kind: "done" | "failed" }>;

/** Ends operations in their store, in the list of those that wait, and in the sums of limits. Books no money. */
export class OperationEnds {
  readonly #operations: OperationStore;
  readonly #exits: Pick<ExitRules, "giveBack" | "takeAgain">;
  readonly #waiting: WaitingApprovalStore;

  constructor(deps: {
    operations: OperationStore;
    exits: Pick<ExitRules, "giveBack" | "takeAgain">;
    waiting: WaitingApprovalStore;
  }) {
    this.#operations = deps.operations;
    this.#exits = deps.exits;
    this.#waiting = deps.waiting;
  }

  /** The operation with its end. Runs inside one `transactionSync`. */
  end(operation: StoredOperation, report: FinalReport): StoredOperation {
    this.#waiting.remove(operation.id);
    if (report.kind === "failed") this.#exits.giveBack(operation);
    else if (operation.status === "FAILED") this.#exits.takeAgain(operation);
    return this.#operations.end(operation, report.kind === "failed" ? report.reason : null);
  }
}
