import type {
  OperatorName,
  ProposalAction,
  ProposalStatus,
  ProviderWord,
} from "../../../../../domain/operators/proposal.ts";

export const PROPOSALS_PATH = "/console/operator/proposals";
export const PROPOSALS_API = "/api/v1/operator/proposals";

/** A proposal, as the API shows it. */
export interface Proposal {
  id: string;
  action: ProposalAction;
  companyId: number;
  target: string;
  request: Record<string, unknown>;
  reason: string;
  evidence: string | null;
  status: ProposalStatus;
  proposedBy: OperatorName;
  proposedAt: string;
  expiresAt: string;
  decidedBy: OperatorName | null;
  decidedAt: string | null;
  decisionReason: string | null;
  provider: ProviderWord | null;
  withoutProvider: boolean;
  providerSaid: Record<string, unknown> | null;
  outcome: Record<string, unknown> | null;
}
