import { callCompany } from "../../../company-client/stub.ts";
import {
  findProposal,
  markApproved,
  releaseCrashed,
  type ProposalDecider,
  type ProposalRow,
} from "../../../db/operator/proposals.ts";
import {
  hasCrashed,
  type OperatorDecision,
  type ProviderAnswer,
} from "../../../domain/operators/proposal.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { requireRunning } from "../../../http/auth/service-pause.ts";
import type { AppContext } from "../../../http/context.ts";
import { notFound } from "../../../http/problems.ts";
import { companyContext, retryOnStaleCompany } from "../company-param.ts";
import type { PreparedAction } from "./action.ts";
import { ACTIONS } from "./registry.ts";

/** Throws 404. */
export async function requireProposal(env: AppContext["env"], id: string): Promise<ProposalRow> {
  const found = await findProposal(env, id);
  if (found === null) throw notFound("proposal");
  return found;
}

/**
 * A proposal as it is once an approval that crashed is settled: one that had its effect is approved, by who began it;
 * any other waits again, or its time is over.
 */
export async function settled(c: AppContext, found: ProposalRow): Promise<ProposalRow> {
  const nowMs = c.get("deps").platformClock.now();
  const by = crashedDecider(found, nowMs);
  if (by === null) return found;
  const prepared = await prepareAgain(c, found);
  if (prepared !== null && (await hadEffect(c, found, prepared))) {
    await execute(c, found, by, answerOf(found));
  } else {
    await releaseCrashed(c.env, found.id, nowMs);
  }
  return requireProposal(c.env, found.id);
}

/** A stored proposal; null if it can be carried out no more, because no key opens its secret. */
async function prepareAgain(
  c: AppContext,
  { action, companyId, target, request }: ProposalRow,
): Promise<PreparedAction | null> {
  const context = await companyContext(c, companyId);
  try {
    return await ACTIONS[action].prepare(context, target, request);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Carries a proposal out, once however often it is asked, and ends it. Throws 503 for money while it is paused. */
export async function execute(
  c: AppContext,
  found: ProposalRow,
  by: ProposalDecider,
  provider: ProviderAnswer,
): Promise<void> {
  const { id, action, companyId, target, request } = found;
  // A decision about money is a way out of it, also one whose approval crashed.
  if (ACTIONS[action].permission === "money:decide") await requireRunning(c, companyId);
  const decision = decisionOf(found, by, provider);
  const outcome = await retryOnStaleCompany(c, companyId, async (context) =>
    (await ACTIONS[action].prepare(context, target, request)).execute(decision),
  );
  await markApproved(c.env, id, by, outcome);
}

/** Whether an approval that began had its effect, which the provider knows of by now. */
export async function hadEffect(
  { env }: AppContext,
  { id, companyId }: ProposalRow,
  prepared: PreparedAction,
): Promise<boolean> {
  return prepared.hadEffect?.() ?? callCompany(env, companyId, (account) => account.hasDecided(id));
}

/** Who began an approval and is taken to have crashed; null if nobody. */
function crashedDecider(found: ProposalRow, nowMs: number): ProposalDecider | null {
  const { decidedBy: id, decidedByName: name, decisionReason: reason } = found;
  if (!hasCrashed(found, nowMs) || id === null) return null;
  return { id, name: name ?? "", reason: reason ?? "" };
}

/** What the provider said when the proposal was made or approved. */
export function answerOf({ provider, providerAnswer }: ProposalRow): ProviderAnswer {
  return { word: provider ?? "not_asked", said: providerAnswer };
}

function decisionOf(
  found: ProposalRow,
  { reason: approvalReason, ...approvedBy }: ProposalDecider,
  provider: ProviderAnswer,
): OperatorDecision {
  const { id: proposalId, action, target, proposedAt, reason, evidence } = found;
  const proposedBy = { id: found.proposedBy, name: found.proposedByName };
  return {
    proposalId,
    action,
    target,
    proposedBy,
    proposedAt,
    approvedBy,
    reason,
    approvalReason,
    evidence,
    provider,
  };
}
