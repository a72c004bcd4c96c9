import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import type {
  Contradiction,
  Decision,
  DecisionAction,
} from "../../domain/reconciliation/contradiction.ts";
import type { RequestOperationAnswer } from "./operations.ts";
import type { VersionConflict, VersionedCommand } from "./versioned-command.ts";

export type { Finding } from "../contradictions/contradiction-store.ts";
export type {
  ClaimRecheckAnswer,
  RecheckOutcome,
  RecordRecheckAnswer,
} from "../runtime/recheck-store.ts";

/** One operator's decision on a contradiction. */
export interface DecideContradiction extends VersionedCommand {
  number: number;
  decision: Decision;
  /** The operator. */
  by: string;
  /** The charge to credit a payment to; null for every other action. */
  terms: ChargeTerms | null;
  /** Made by the caller, for a return. */
  operationId: string;
}

/**
 * `proposed`: another operator must confirm. `own_proposal`: this operator proposed it. `not_possible`:
 * nothing was booked, and it stays open. `claimed`: the return that the caller must send now.
 */
export type DecideContradictionAnswer =
  | { kind: "proposed"; contradiction: Contradiction }
  | { kind: "decided"; contradiction: Contradiction; claimed: ClaimedReturn | null }
  | VersionConflict
  | { kind: "not_found" | "own_proposal" | "decided_before" }
  | { kind: "action_not_allowed"; allowed: readonly DecisionAction[] }
  | { kind: "not_possible"; reason: string };

export type ClaimedReturn = Extract<RequestOperationAnswer, { kind: "send" | "query" }>;
