import { callCompany } from "../../../../company-client/stub.ts";
import { chargeTerms } from "../../../../db/projection/transaction-mapper.ts";
import {
  decisionObstacle,
  operationIdOfSubject,
  paymentIdOfSubject,
  parseContradictionId,
  type Contradiction,
  type Decision,
} from "../../../../domain/reconciliation/contradiction.ts";
import { withdrawIdOfSubject } from "../../../../domain/shared/event-subject.ts";
import { Problem } from "../../../../domain/shared/problem.ts";
import { invalidState, notFound } from "../../../../http/problems.ts";
import type { Cents } from "../../../../domain/shared/money.ts";
import { returnedTotal, type WithdrawRecord } from "../../../../domain/withdraws/withdraw.ts";
import type { PayoutLookup } from "../../../../providers/provider.ts";
import type { OperationWord } from "../../../transactions/ask-operation.ts";
import { findTransaction } from "../../../transactions/repository.ts";
import { ContradictionDecision } from "../../contradictions/schemas.ts";
import {
  bookDecision,
  NOT_ASKED,
  parseRequest,
  targetId,
  type ActionDefinition,
  type FinalWord,
  type ProposalContext,
  type ProviderVerdict,
} from "../action.ts";
import { askPayment } from "./payment.ts";
import { askAboutOperation } from "./operation.ts";
import { askPayout, returnedBySaid } from "./payout.ts";
import { breaks } from "../../../../lib/fields/rules.ts";

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
        if (obstacle !== null) throw invalidState(obstacle.sentence, obstacle.reason);
        await requireChargeTerms(context, decisionFor(""));
      },
      ask: async () => ask(context, await requireContradiction(context, number), decisionFor("")),
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
    errors: { target: [breaks("ofTheCompany")] },
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

/**
 * There is something to ask of a payment that moves, of a payout that is booked as paid or corrected, and of a payout
 * or operation whose held money a dismissal frees. Whether a refund and a dispute are the same money no provider says.
 */
async function ask(
  context: ProposalContext,
  found: Contradiction,
  { action, amount }: Decision,
): Promise<ProviderVerdict> {
  const { env, company } = context;
  const paymentId = paymentIdOfSubject(found.object);
  if (paymentId !== null && (action === "return" || action === "credit")) {
    const payment = await callCompany(env, company.id, (account) =>
      account.findPaymentInSuspense(paymentId),
    );
    return payment === null ? NOT_ASKED : askPayment(context, payment);
  }
  const freesMoney = action === "dismiss" && found.held > 0;
  const operationId = operationIdOfSubject(found.object);
  if (operationId !== null && freesMoney) {
    const operation = await callCompany(env, company.id, (account) =>
      account.findOperation(operationId),
    );
    if (operation === null) return NOT_ASKED;
    return askAboutOperation(context, operation.order, wordOnUndone);
  }
  const withdrawId = withdrawIdOfSubject(found.object);
  if (withdrawId === null || (action !== "apply" && action !== "correct" && !freesMoney)) {
    return NOT_ASKED;
  }
  const withdraw = await callCompany(env, company.id, (account) =>
    account.findWithdraw(withdrawId),
  );
  if (withdraw === null) return NOT_ASKED;
  return askPayout(context, withdraw, (said) => {
    if (freesMoney) return wordOnUnpaid(said, withdraw);
    return action === "apply" ? wordOnPaid(said) : wordOnCorrection(said, withdraw, amount ?? 0);
  });
}

/** That a refund or return was not made. */
function wordOnUndone({ kind }: OperationWord): FinalWord {
  if (kind === "done") return "disagrees";
  return kind === "failed" ? "agreed" : "silent";
}

/** That no more of a withdraw is paid than is booked. */
function wordOnUnpaid(said: PayoutLookup, withdraw: WithdrawRecord): FinalWord {
  const back = cameBack(said, withdraw.amount);
  const booked = bookedAsBack(withdraw);
  if (back === null || booked === null) return "silent";
  return back < booked ? "disagrees" : "agreed";
}

function wordOnPaid({ kind }: PayoutLookup): FinalWord {
  if (kind === "failed" || kind === "returned") return "disagrees";
  return kind === "paid" ? "agreed" : "silent";
}

/** A correction may move what came back by the provider's word and is not booked as such, or the reverse. */
function wordOnCorrection(
  said: PayoutLookup,
  withdraw: WithdrawRecord,
  correction: Cents,
): FinalWord {
  const back = cameBack(said, withdraw.amount);
  const booked = bookedAsBack(withdraw);
  if (back === null || booked === null) return "silent";
  const missing = back - booked;
  const isCovered =
    Math.sign(correction) === Math.sign(missing) && Math.abs(correction) <= Math.abs(missing);
  return isCovered ? "agreed" : "disagrees";
}

/** Centavos of a payout that its provider still has or got back; null while it has no final word. */
function cameBack(said: PayoutLookup, amount: Cents): Cents | null {
  if (said.kind === "failed") return amount;
  if (said.kind !== "paid" && said.kind !== "returned") return null;
  return returnedBySaid(said, amount) + amount - (said.amount ?? amount);
}

/** Centavos of a withdraw that the company has back; null while it is under way. */
function bookedAsBack(withdraw: WithdrawRecord): Cents | null {
  const { status, amount } = withdraw;
  if (status === "Awaiting" || status === "Processing") return null;
  return status === "Paid" || status === "Returned" ? returnedTotal(withdraw) : amount;
}
