import { callCompany } from "../../../../company-client/stub.ts";
import { chargeTerms } from "../../../../db/projection/transaction-mapper.ts";
import {
  decisionObstacle,
  paymentIdOfSubject,
  parseContradictionId,
  type Contradiction,
  type Decision,
} from "../../../../domain/reconciliation/contradiction.ts";
import { withdrawIdOfSubject } from "../../../../domain/shared/event-subject.ts";
import { Problem } from "../../../../domain/shared/problem.ts";
import { invalidState, notFound } from "../../../../http/problems.ts";
import { findPayout, providerOfPayout } from "../../../withdraws/sync-payout.ts";
import { findTransaction } from "../../../transactions/repository.ts";
import { ContradictionDecision } from "../../contradictions/schemas.ts";
import {
  bookDecision,
  NOT_ASKED,
  parseRequest,
  targetId,
  type ActionDefinition,
  type ProposalContext,
  type ProviderVerdict,
} from "../action.ts";
import { askPayment } from "./payment.ts";

/** What a provider said against what was booked. */
export const contradictionAction: ActionDefinition = {
  permission: "money:decide",
  auditAction: "contradiction.decide",
  prepare(context, target, request) {
    const number = numberOf(context, target);
    const body = parseRequest(ContradictionDecision, request);
    const decisionFor = (reason: string): Decision => ({
      action: body.action,
      amount: body.amount ?? null,
      transactionId: body.transactionId ?? null,
      reason,
    });
    return {
      request: body,
      audited: body,
      async check() {
        const found = await requireContradiction(context, number);
        const obstacle = decisionObstacle(found, decisionFor(""));
        if (obstacle !== null) throw invalidState(obstacle);
        await requireChargeTerms(context, decisionFor(""));
      },
      ask: async () => ask(context, await requireContradiction(context, number), body.action),
      async execute(by) {
        const decision = decisionFor(by.reason);
        const terms = await requireChargeTerms(context, decision);
        await bookDecision(context, { kind: "contradiction", number, decision, terms }, by);
        const { status } = await requireContradiction(context, number);
        return { status };
      },
    };
  },
};

/** Throws 400 for another company's. */
function numberOf({ company }: ProposalContext, target: string): number {
  const id = targetId(target, "contradiction", /^[\d-]+$/);
  const parts = parseContradictionId(id);
  if (parts?.companyId === company.id) return parts.number;
  throw new Problem({
    code: "VALIDATION_FAILED",
    detail: "Invalid fields: target.",
    errors: { target: ["must be a contradiction of the company"] },
  });
}

async function requireContradiction({ env, company }: ProposalContext, number: number) {
  const found = await callCompany(env, company.id, (account) => account.findContradiction(number));
  if (found === null) throw notFound("contradiction");
  return found;
}

async function requireChargeTerms({ env, company }: ProposalContext, { transactionId }: Decision) {
  if (transactionId === null) return null;
  const row = await findTransaction(env, company.id, transactionId);
  if (row === null || row.companyId !== company.id) throw notFound("transaction");
  return chargeTerms(row);
}

/** Only of a payment that moves and of a payout that is booked as paid there is something to ask. */
async function ask(
  context: ProposalContext,
  found: Contradiction,
  action: Decision["action"],
): Promise<ProviderVerdict> {
  const { env, deps, company } = context;
  const paymentId = paymentIdOfSubject(found.object);
  if (paymentId !== null && (action === "return" || action === "credit")) {
    const payment = await callCompany(env, company.id, (account) =>
      account.findSuspendedPayment(paymentId),
    );
    return payment === null ? NOT_ASKED : askPayment(context, payment);
  }
  const withdrawId = withdrawIdOfSubject(found.object);
  if (withdrawId === null || action !== "apply") return NOT_ASKED;
  const withdraw = await callCompany(env, company.id, (account) =>
    account.findWithdraw(withdrawId),
  );
  if (withdraw === null) return NOT_ASKED;
  const provider = await providerOfPayout(deps.providers(env), company, withdraw);
  if (provider === null) return { word: "silent", said: null };
  const said = await findPayout(provider, withdraw.payoutId, company);
  if (said.kind === "failed" || said.kind === "returned") {
    return { word: "disagrees", provider: provider.name, says: said.kind, thing: "withdraw" };
  }
  return { word: said.kind === "paid" ? "agreed" : "silent", said: { ...said } };
}
