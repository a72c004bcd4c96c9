import type { FreezeCause } from "../../../../src/domain/access/freeze.ts";
import type { OperatorDecision } from "../../../../src/domain/operators/proposal.ts";
import type { OperatorEffect } from "../../../../src/company/operators/command-types.ts";
import type { ProposalContext } from "../../../../src/api/operator/proposals/action.ts";
import { paymentAction } from "../../../../src/api/operator/proposals/actions/payment.ts";
import { callsTo } from "../companies/calls.ts";
import type { Answer, Call } from "../requests/api.ts";
import { callAsApprover, callAsOperator } from "../companies/operator.ts";

/** Why a test freezes a company. */
export const TEST_CAUSE: FreezeCause = {
  reason: "a test",
  by: { kind: "operator", id: "operator", name: "Local operator" },
};

export const REASON = "As the bank's statement shows.";

/** Two operators' decision, as the object takes it. */
export function decisionOf(overrides: Partial<OperatorDecision> = {}): OperatorDecision {
  return {
    proposalId: crypto.randomUUID(),
    action: "payout.decide",
    target: "withdraw:1",
    proposedBy: { id: "operator", name: "Local operator" },
    proposedAt: 0,
    approvedBy: { id: "approver", name: "Local approver" },
    reason: REASON,
    approvalReason: "I have read it too.",
    evidence: null,
    provider: { word: "silent", said: null },
    ...overrides,
  };
}

/** The first operator proposes on a route that decides; `path` follows `/api/v1/operator`. */
export function proposeOn(path: string, body: object, options: Call = {}): Promise<Answer> {
  return callAsOperator(path, {
    method: "POST",
    ...options,
    body: { reason: REASON, ...body },
  });
}

/** The second operator approves a proposal. */
export function approve(id: string, options: Call = {}): Promise<Answer> {
  const body = { reason: "I have read it too." };
  return callAsApprover(`/proposals/${id}/approve`, { ...options, method: "POST", body });
}

/** One operator proposes on a route that decides and another one approves: the approval's answer, or the refusal. */
export async function decideByTwo(path: string, body: object, options: Call = {}): Promise<Answer> {
  const proposed = await proposeOn(path, body, options);
  if (proposed.status !== 202) return proposed;
  const { method: _method, ...rest } = options;
  return approve(proposed.body.data.id, rest);
}

/** The object books what two operators decided; a `command` may repeat an earlier proposal. */
export function decideInObject(
  company: { id: number },
  effect: OperatorEffect,
  decision: OperatorDecision = decisionOf(),
) {
  return callsTo(company.id).decideByOperators({
    companyId: company.id,
    credentialsVersion: Number.MAX_SAFE_INTEGER,
    effect,
    decision,
    attempt: crypto.randomUUID(),
  });
}

/** Two operators return an unexpected payment, as their approval carries it out: `done`, `open`, or the refusal's code. */
export async function returnByTwo(context: ProposalContext, paymentId: string): Promise<string> {
  const target = `payment:${paymentId}`;
  const decision = decisionOf({ action: "payment.decide", target });
  const prepared = await paymentAction.prepare(context, target, {});
  const { returnStatus } = await prepared.execute(decision);
  if (returnStatus === "FAILED") return "REFUND_REFUSED";
  return returnStatus === "DONE" ? "done" : "open";
}
