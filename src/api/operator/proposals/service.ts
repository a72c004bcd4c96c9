import { hasEntrySince } from "../../../db/audit-entries.ts";
import { findOperator, listGivings } from "../../../db/operator/operators.ts";
import {
  addProposal,
  claimProposal,
  hasSecondOperator,
  listProposals,
  refuseProposal,
  releaseProposal,
  type ProposalDecider,
  type ProposalRow,
} from "../../../db/operator/proposals.ts";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import { isPermitted, type OperatorPermission } from "../../../domain/operators/operator.ts";
import { GIVING_TIE_MS, isTied } from "../../../domain/operators/giving.ts";
import {
  hasCrashed,
  isExpired,
  isSameHuman,
  PROPOSAL_WINDOW_MS,
  type ProposalAction,
  type ProposalStatus,
  type ProviderAnswer,
} from "../../../domain/operators/proposal.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { audited, auditedChecks, type AuditedAction } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { forbidden, invalidState } from "../../../http/problems.ts";
import { canonicalJson } from "../../../lib/hash.ts";
import { companyContext } from "../company-param.ts";
import { providerDisagrees, type PreparedAction } from "./action.ts";
import { answerOf, execute, hadEffect, requireProposal, settled } from "./execution.ts";
import { ACTIONS } from "./registry.ts";

/** What makes somebody an operator, or lets him come as one, as the gateway's trail calls it. */
const GIVING_ACTIONS = ["operator.change", "operator_key.issue", "sign_in_link.create"];

/** What an operator proposes. */
export interface ProposalRequest {
  action: ProposalAction;
  companyId: number;
  /** Such as `withdraw:7`. */
  target: string;
  request: unknown;
  reason: string;
  evidence: string | null;
}

/**
 * Stores what one operator proposes, for another one to approve; the same proposal again is the one that waits. A
 * proposal that could not be carried out, or that the provider contradicts, is refused at once. Throws 400, 403, 404,
 * 409 and 422.
 */
export async function propose(c: AppContext, proposed: ProposalRequest): Promise<ProposalRow> {
  const { action, companyId, target, reason, evidence } = proposed;
  const prepared = await prepareProposal(c, proposed);
  const { platformClock, random } = c.get("deps");
  const id = newUuid(random);
  // Before the checks: who tries what is refused is in the trail too.
  return audited(c, proposalEntry(id, proposed, prepared), async () => {
    await requirePossible(c, proposed, prepared);
    const provider = await askProvider(prepared);
    const { clientId, name } = c.get("operator");
    const now = platformClock.now();
    const proposal = {
      id,
      action,
      companyId,
      target,
      request: prepared.request,
      reason,
      evidence,
      proposedBy: clientId,
      proposedByName: name,
      proposedByUser: await userIdOf(c),
      proposedAt: now,
      expiresAt: now + PROPOSAL_WINDOW_MS,
      provider: provider.word,
      providerAnswer: provider.said,
    };
    let waiting = await addProposal(c.env, proposal);
    if (waiting !== null && hasCrashed(waiting, now)) {
      await settled(c, waiting);
      waiting = await addProposal(c.env, proposal);
    }
    if (waiting === null)
      throw invalidState("It is being decided. Send this again", "being_decided");
    if (!(await isSameRequest(prepared, waiting.request))) {
      throw invalidState(
        `Another proposal about it waits: ${waiting.id}. It must be approved or refused first`,
        "proposal_waits",
      );
    }
    return waiting;
  });
}

/** The checks of a proposal, which ask no provider and store nothing. Throws 400, 403, 404, 409 and 422. */
export async function checkProposal(c: AppContext, proposed: ProposalRequest): Promise<void> {
  const prepared = await prepareProposal(c, proposed);
  const entry = proposalEntry(newUuid(c.get("deps").random), proposed, prepared);
  await auditedChecks(c, entry, () => requirePossible(c, proposed, prepared));
}

async function isSameRequest(
  prepared: PreparedAction,
  stored: Record<string, unknown>,
): Promise<boolean> {
  return (
    (await prepared.isSameAs?.(stored)) ?? canonicalJson(stored) === canonicalJson(prepared.request)
  );
}

async function prepareProposal(
  c: AppContext,
  { action, companyId, target, request }: ProposalRequest,
): Promise<PreparedAction> {
  const definition = ACTIONS[action];
  requirePermission(c, definition.permission);
  const context = await companyContext(c, companyId);
  return definition.prepare(context, target, request);
}

async function requirePossible(
  c: AppContext,
  { action }: ProposalRequest,
  prepared: PreparedAction,
): Promise<void> {
  await requireSecondOperator(c, ACTIONS[action].permission);
  await prepared.check();
}

/**
 * Carries out a proposal, for another operator than its proposer. Of two at once one does; the same one's repeat
 * finishes what a crash left, with one effect. Throws 403, 404, 409, and 503 for money while the service is paused.
 */
export async function approve(c: AppContext, id: string, reason: string): Promise<ProposalRow> {
  const { env } = c;
  const stored = await requireProposal(env, id);
  const definition = ACTIONS[stored.action];
  requirePermission(c, definition.permission);
  const found = await settled(c, stored);
  const by = deciderOf(c, reason);
  if (found.status === "approved" && found.decidedBy === by.id) return found;
  const { companyId, target, request } = found;
  if (found.status !== "pending") {
    // What is over may have lost its secret, and is prepared no more.
    const entry = auditEntry(found, definition.auditAction, { audited: {} }, {});
    await auditedChecks(c, entry, async () => requireWaiting(c, found));
  }
  const prepared = await definition.prepare(await companyContext(c, companyId), target, request);
  const entryOf = (word: ProviderAnswer["word"] | null) => ({
    ...auditEntry(found, definition.auditAction, prepared, {
      proposedBy: found.proposedByName,
      approvalReason: reason,
      evidence: found.evidence,
      provider: word,
    }),
    reason: found.reason,
  });
  const provider = await auditedChecks(c, entryOf(found.provider), async () => {
    requireWaiting(c, found);
    await requireAnotherHuman(c, found);
    // An approval that began may have had its effect, which the provider knows of by now.
    const isRepeat = found.decidedBy !== null && (await hadEffect(c, found, prepared));
    if (isRepeat) return answerOf(found);
    // What was decided since, by another proposal or by the provider, is not decided again.
    await prepared.check();
    return askProvider(prepared);
  });
  await audited(c, entryOf(provider.word), async () => {
    const now = c.get("deps").platformClock.now();
    if (!(await claimProposal(env, id, by, provider, now))) {
      throw invalidState("Another operator is deciding this proposal", "being_decided");
    }
    try {
      await execute(c, found, by, provider);
    } catch (error) {
      // Only a refusal says that there was no effect.
      if (error instanceof Problem) await releaseProposal(env, id, by);
      throw error;
    }
  });
  return requireProposal(env, id);
}

/** Refuses a proposal; its proposer may do so too. Idempotent. Throws 403, 404 and 409. */
export async function refuse(c: AppContext, id: string, reason: string): Promise<ProposalRow> {
  const stored = await requireProposal(c.env, id);
  requirePermission(c, ACTIONS[stored.action].permission);
  const found = await settled(c, stored);
  const by = deciderOf(c, reason);
  if (found.status === "refused" && found.decidedBy === by.id) return found;
  const { companyId, action, target } = found;
  const after = { proposal: id, action, proposedBy: found.proposedByName };
  await audited(c, { companyId, action: "proposal.refuse", target, after, reason }, async () => {
    requireWaiting(c, found);
    if (!(await refuseProposal(c.env, id, by, c.get("deps").platformClock.now()))) {
      throw invalidState("Another operator is deciding this proposal", "being_decided");
    }
  });
  return requireProposal(c.env, id);
}

/** A page of proposals, the newest first. */
export async function pageOfProposals(
  c: AppContext,
  query: {
    status: ProposalStatus | null;
    companyId: number | null;
    target: string | null;
    before: number;
    limit: number;
  },
): Promise<{ rows: ProposalRow[]; after: string | null; hasMore: boolean }> {
  const nowMs = c.get("deps").platformClock.now();
  const found = await listProposals(c.env, { ...query, limit: query.limit + 1, nowMs });
  const rows = found.slice(0, query.limit);
  const hasMore = found.length > query.limit;
  return { rows, after: hasMore ? String(rows.at(-1)?.number) : null, hasMore };
}

async function askProvider(prepared: PreparedAction): Promise<ProviderAnswer> {
  const verdict = await prepared.ask();
  if (verdict.word === "disagrees") throw providerDisagrees(verdict);
  return verdict;
}

function requirePermission(c: AppContext, permission: OperatorPermission): void {
  const operator = c.get("operator");
  if (isPermitted(operator, permission)) return;
  throw forbidden(`The role ${operator.role} does not have the permission ${permission}.`);
}

async function requireSecondOperator(c: AppContext, permission: OperatorPermission): Promise<void> {
  const { clientId } = c.get("operator");
  const now = c.get("deps").platformClock.now();
  if (await hasSecondOperator(c.env, permission, clientId, now)) return;
  const role = permission === "money:decide" ? "finance" : "admin";
  throw new Problem({
    code: "SECOND_OPERATOR_REQUIRED",
    detail:
      "Another operator must approve this, and there is none who may. An admin adds one: " +
      `npm run operator -- add --name "Rui Lima" --role ${role}`,
  });
}

/**
 * Throws 409 for the proposer, by key or in the console, and for an operator who was added after the proposal, or whom
 * another one changed, keyed or sent a set-up link since: who proposes could make his own second person. So he could
 * the day before: an operator whom the proposer made or keyed in it, or who made him, or who has his right by the same
 * hand, is not another one.
 */
async function requireAnotherHuman(c: AppContext, found: ProposalRow): Promise<void> {
  const { clientId: id } = c.get("operator");
  const operator = await findOperator(c.env, id);
  const proposer = { id: found.proposedBy, userId: found.proposedByUser };
  if (isSameHuman({ id, userId: operator?.userId ?? null }, proposer)) {
    throw invalidState(
      "The operator who proposed it cannot approve it: another one must",
      "proposer",
    );
  }
  if (operator !== null && operator.createdAt > found.proposedAt) {
    throw invalidState(
      "An operator who was added after the proposal cannot approve it",
      "younger_than_request",
    );
  }
  const isChanged = await hasEntrySince(c.env, GATEWAY_TRAIL, found.proposedAt, {
    target: `operator:${id}`,
    actions: GIVING_ACTIONS,
    except: id,
  });
  if (isChanged) {
    throw invalidState(
      "An operator whom somebody gave a role, a key or a set-up link after the proposal cannot approve it",
      "younger_than_request",
    );
  }
  const givings = await listGivings(c.env, found.proposedAt - GIVING_TIE_MS);
  if (isTied(id, found.proposedBy, givings)) {
    throw invalidState(
      "One of you gave the other a place, a role, a key or a set-up link less than 24 hours before the proposal, or one " +
        "hand gave to both. Another operator approves it, or you propose it again when the day is over",
      "tie_too_young",
    );
  }
}

function requireWaiting(c: AppContext, found: ProposalRow): void {
  if (found.status !== "pending") {
    throw invalidState(`The proposal is ${found.status} already`, "proposal_ended");
  }
  if (isExpired(found, c.get("deps").platformClock.now())) {
    throw invalidState("The proposal has expired", "proposal_ended");
  }
}

async function userIdOf(c: AppContext): Promise<string | null> {
  return (await findOperator(c.env, c.get("operator").clientId))?.userId ?? null;
}

function deciderOf(c: AppContext, reason: string): ProposalDecider {
  const { clientId: id, name } = c.get("operator");
  return { id, name, reason };
}

function proposalEntry(
  id: string,
  { action, companyId, target, reason, evidence }: ProposalRequest,
  prepared: PreparedAction,
): AuditedAction {
  const proposal = { id, action, companyId, target };
  return { ...auditEntry(proposal, "proposal.create", prepared, { evidence }), reason };
}

function auditEntry(
  { id, action, companyId, target }: Pick<ProposalRow, "id" | "action" | "companyId" | "target">,
  auditAction: string,
  { audited: shown }: Pick<PreparedAction, "audited">,
  more: Record<string, unknown>,
): AuditedAction {
  const after = { ...shown, proposal: id, decides: action, ...more };
  return { companyId, action: auditAction, target, after };
}
