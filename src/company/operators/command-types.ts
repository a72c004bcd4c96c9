import type { OperatorDecision } from "../../domain/operators/proposal.ts";
import type { OperationOrder, OperationStatus } from "../../domain/charges/operation.ts";
import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { Decision } from "../../domain/reconciliation/contradiction.ts";
import type { ClaimedReturn, OperationReport } from "../operations/command-types.ts";
import type { VersionConflict, VersionedCommand } from "../runtime/versioned-command.ts";
import type { PayoutReport } from "../withdraws/command-types.ts";

/** What two operators decided, with what it books. */
export type OperatorEffect =
  | { kind: "payout"; id: number; report: PayoutReport }
  /** By its id at the provider. */
  | { kind: "operation"; operationId: string; report: OperationReport }
  /** `terms`: the charge to credit a payment to; null for every other action. */
  | { kind: "contradiction"; number: number; decision: Decision; terms: ChargeTerms | null }
  /** Returns an unexpected payment. */
  | { kind: "payment"; paymentId: string }
  | { kind: "unfreeze" }
  /** The object was taken back to an earlier time, and forgot its freeze. */
  | { kind: "restored" };

/** A decision of two operators. It has its effect once, by its proposal's id, which is also a return's id. */
export interface DecideByOperators extends VersionedCommand {
  effect: OperatorEffect;
  decision: OperatorDecision;
  /** Made by the caller for each call: the repeat of a call whose answer was lost has the same. */
  attempt: string;
}

/**
 * `decided`: also if it was before; `claimed`: the return that the caller must send now. `not_possible`: nothing was
 * booked; `givable`, `takable`: centavos that may still be given back or taken, where that is why.
 */
export type DecideByOperatorsAnswer =
  | { kind: "decided"; claimed: ClaimedReturn | null }
  | { kind: "not_found" }
  | { kind: "not_possible"; reason: string; givable?: Cents; takable?: Cents }
  | VersionConflict;

/** An operation, to ask its provider about it. */
export interface FoundOperation {
  /** Its number within the company. */
  id: number;
  order: OperationOrder;
  status: OperationStatus;
}
