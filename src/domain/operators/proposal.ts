/**
 * What two operators decide together: one proposes, another human being approves. `payout.decide`: a withdraw whose
 * provider gives no last answer, or that came back. `operation.decide`: such a refund, cancel, capture or return.
 * `payment.decide`: an unexpected payment goes back to its payer. `company.provider`: another connection to the PSP.
 * `company.restore`: its object goes back to an earlier time.
 */
export const PROPOSAL_ACTIONS = [
  "payout.decide",
  "operation.decide",
  "contradiction.decide",
  "payment.decide",
  "company.pix_key",
  "company.unfreeze",
  "company.provider",
  "company.restore",
] as const;

export type ProposalAction = (typeof PROPOSAL_ACTIONS)[number];

export const PROPOSAL_STATUSES = ["pending", "approved", "refused", "expired"] as const;

export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

const HOUR_MS = 3_600_000;

/** How long a proposal waits for a second operator. */
export const PROPOSAL_WINDOW_MS = 72 * HOUR_MS;

/** How long an approval that began may take. After that its operator is taken to have crashed. */
export const APPROVAL_LEASE_MS = 10 * 60_000;

/**
 * What the provider said when the decision was made. `agreed`: the same as the decision. `silent`: nothing final, so
 * the decision was made without it. `not_asked`: there is nothing to ask a provider about.
 */
export const PROVIDER_WORDS = ["agreed", "silent", "not_asked"] as const;

type ProviderWord = (typeof PROVIDER_WORDS)[number];

/** A provider's word, and its answer as it came. */
export interface ProviderAnswer {
  word: ProviderWord;
  /** Without a payer's data; null where nothing came. */
  said: Record<string, unknown> | null;
}

/** An operator by client id and name. */
interface OperatorName {
  id: string;
  name: string;
}

/** Two operators' decision, as the company's object stores it with what it booked. Times in epoch milliseconds. */
export interface OperatorDecision {
  proposalId: string;
  action: ProposalAction;
  /** Such as `withdraw:7`. */
  target: string;
  proposedBy: OperatorName;
  proposedAt: number;
  approvedBy: OperatorName;
  /** The proposer's reason. */
  reason: string;
  approvalReason: string;
  /** What the proposer showed for it; null if nothing. */
  evidence: string | null;
  provider: ProviderAnswer;
}

/** A person who proposes or approves. */
interface OperatorIdentity {
  id: string;
  /** The console's user behind the operator; null for keys only. */
  userId: string | null;
}

/** Whether two operators are the same human being, as far as the gateway knows: by key or in the console. */
export function isSameHuman(one: OperatorIdentity, other: OperatorIdentity): boolean {
  return one.id === other.id || (one.userId !== null && one.userId === other.userId);
}

/**
 * Whether the operator whose approval began is taken to have crashed: the next one who approves, refuses or proposes
 * settles what became of it.
 */
export function hasCrashed(
  { status, decidedAt }: { status: ProposalStatus; decidedAt: number | null },
  nowMs: number,
): boolean {
  return status === "pending" && decidedAt !== null && decidedAt <= nowMs - APPROVAL_LEASE_MS;
}

/** Whether a proposal's time is over. One whose approval has begun waits until that is settled. */
export function isExpired(
  proposal: { status: ProposalStatus; decidedBy: string | null; expiresAt: number },
  nowMs: number,
): boolean {
  const { status, decidedBy, expiresAt } = proposal;
  return status === "pending" && decidedBy === null && expiresAt <= nowMs;
}
