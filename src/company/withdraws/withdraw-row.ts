import { storedRequester, type Requester } from "../../domain/access/requester.ts";
import { FROM_THE_START, type Standing } from "../../domain/access/standing.ts";
import type { FailureCode } from "../../domain/charges/failure-reason.ts";
import type { PixKeyType } from "../../domain/shared/pix-key.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { ApprovalStatus, WithdrawStatus } from "../../domain/withdraws/withdraw-status.ts";
import type { PollState } from "../runtime/polling.ts";

export interface StoredWithdraw extends WithdrawRecord, PollState {
  /** How many events this withdraw has announced. */
  eventSequence: number;
  /** The numbers of its movements, oldest first; the first one took its money. */
  movements: number[];
  countedFor: CountedFor;
  /** By which API key an application asked; empty for a person, and for rows of before. */
  keyPrefix: string;
  /** Since when, and through whom, who asked had the right to. */
  standing: Standing;
}

/** What a withdraw is counted for in `withdraw_sums`, beside its day and night. */
interface CountedFor {
  /** The day's total to its key, because the policy limits it. */
  key: boolean;
  /** The day's total of the application that asked, because its spending limits name one. */
  spendingLimits: boolean;
  /** When it was counted for the application that approved it, by that one's spending limits (epoch ms); null if not. */
  approvalAt: number | null;
}

export type WithdrawRow = {
  id: number;
  payout_id: string;
  idempotency_key: string;
  amount: number;
  fee: number;
  currency: string;
  pix_key: string;
  pix_key_type: PixKeyType;
  creditor_document: string;
  description: string;
  metadata: string | null;
  status: WithdrawStatus;
  version: number;
  event_sequence: number;
  end_to_end_id: string | null;
  failure_reason: string | null;
  failure_code: FailureCode | null;
  returned_amount: number;
  paid_at: number | null;
  account: string;
  created_at: number;
  updated_at: number;
  checks: number;
  lease_until: number;
  next_check_at: number | null;
  movements: string;
  approval: ApprovalStatus;
  requested_by: string;
  decided_by: string | null;
  decision_reason: string | null;
  requester: string | null;
  decider: string | null;
  keys_from: number | null;
  mandated: number;
  approval_counted_at: number | null;
};

/** A withdraw from its row. */
export function fromRow(row: WithdrawRow, companyId: number): StoredWithdraw {
  const { requester, keyPrefix, standing } = requesterIn(row);
  return {
    id: row.id,
    companyId,
    payoutId: row.payout_id,
    idempotencyKey: row.idempotency_key,
    amount: row.amount,
    fee: row.fee,
    currency: row.currency,
    pixKey: row.pix_key,
    pixKeyType: row.pix_key_type,
    creditorDocument: row.creditor_document,
    description: row.description,
    metadata: row.metadata,
    status: row.status,
    version: row.version,
    eventSequence: row.event_sequence,
    endToEndId: row.end_to_end_id,
    paidAt: row.paid_at,
    failureReason: row.failure_reason,
    failureCode: row.failure_code,
    returnedAmount: row.returned_amount,
    account: row.account,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    checks: row.checks,
    leaseUntil: row.lease_until,
    nextCheckAt: row.next_check_at,
    movements: JSON.parse(row.movements) as number[],
    approval: row.approval,
    requestedBy: requester,
    keyPrefix,
    standing,
    decidedBy:
      row.decider === null
        ? storedRequester(row.decided_by)
        : (JSON.parse(row.decider) as Requester),
    decisionReason: row.decision_reason,
    countedFor: {
      key: row.keys_from !== null,
      spendingLimits: row.mandated === 1,
      approvalAt: row.approval_counted_at,
    },
  };
}

/** Who asked, by which key, and since when; a row of before has only a client id. */
function requesterIn(row: Pick<WithdrawRow, "requester" | "requested_by">) {
  if (row.requester === null) {
    return {
      requester: storedRequester(row.requested_by),
      keyPrefix: "",
      standing: FROM_THE_START,
    };
  }
  const stored = JSON.parse(row.requester) as Requester & Standing & { keyPrefix?: string };
  const { since, givenBy, keyPrefix = "", ...requester } = stored;
  return { requester, keyPrefix, standing: { since, givenBy } };
}
