import { z } from "@hono/zod-openapi";
import type { PayoutReport } from "../../../../company/withdraws/command-types.ts";
import { callCompany } from "../../../../company-client/stub.ts";
import type { Cents } from "../../../../domain/shared/money.ts";
import { returnedTotal, type WithdrawRecord } from "../../../../domain/withdraws/withdraw.ts";
import { invalidState, notFound } from "../../../../http/problems.ts";
import type { PayoutLookup } from "../../../../providers/provider.ts";
import { findPayout, providerOfPayout } from "../../../withdraws/sync-payout.ts";
import {
  bookDecision,
  parseRequest,
  targetId,
  type ActionDefinition,
  type FinalWord,
  type ProposalContext,
  type ProviderVerdict,
} from "../action.ts";
import { checkReturnedAmount, PAYOUT_DECISION } from "../requests.ts";

const PayoutDecision = z.object(PAYOUT_DECISION).superRefine(checkReturnedAmount);
type Decision = z.output<typeof PayoutDecision>;

const WITHDRAW_NUMBER = /^[1-9]\d{0,14}$/;

/** What became of a payout whose provider gives no final answer, or that came back after it was paid. */
export const payoutAction: ActionDefinition = {
  permission: "money:decide",
  auditAction: "withdraw.decide",
  prepare(context, target, request) {
    const id = Number(targetId(target, "withdraw", WITHDRAW_NUMBER));
    const decision = parseRequest(PayoutDecision, request);
    return {
      request: decision,
      audited: decision,
      check: async () => requireDecidable(await requireWithdraw(context, id), decision),
      async ask() {
        const withdraw = await requireWithdraw(context, id);
        return askPayout(context, withdraw, (said) => payoutWord(said, decision, withdraw.amount));
      },
      async execute(by) {
        const report = reportOf(decision, by.reason);
        await bookDecision(context, { kind: "payout", id, report }, by);
        const { status, ...withdraw } = await requireWithdraw(context, id);
        return { status, returnedAmount: returnedTotal({ status, ...withdraw }) };
      },
    };
  },
};

async function requireWithdraw({ env, company }: ProposalContext, id: number) {
  const withdraw = await callCompany(env, company.id, (account) => account.findWithdraw(id));
  if (withdraw === null) throw notFound("withdraw");
  return withdraw;
}

/** Throws 409 where the books leave nothing to decide like this. The object judges again as it books. */
function requireDecidable(withdraw: WithdrawRecord, decision: Decision): void {
  const { status, amount } = withdraw;
  if (status === "Processing") {
    const isExcess = (decision.returnedAmount ?? 0) > amount;
    if (isExcess) throw invalidState("More would come back than was sent", "more_than_sent");
    return;
  }
  const returned = wanted(decision, amount);
  const isFurtherReturn =
    status === "Paid" &&
    decision.outcome === "returned" &&
    returned > returnedTotal(withdraw) &&
    returned <= amount;
  if (!isFurtherReturn) throw invalidState(`The withdraw is already ${status}`, "decided_already");
}

/** Centavos that came back, of a decision. */
function wanted({ outcome, returnedAmount }: Decision, amount: Cents): Cents {
  return outcome === "returned" ? (returnedAmount ?? amount) : 0;
}

/** Asks the provider of a withdraw what became of its payout; `wordOn` says what the answer means for a decision. */
export async function askPayout(
  { env, deps, company }: ProposalContext,
  withdraw: WithdrawRecord,
  wordOn: (said: PayoutLookup) => FinalWord,
): Promise<ProviderVerdict> {
  const provider = await providerOfPayout(deps.providers(env), company, withdraw);
  if (provider === null) return { word: "silent", said: null };
  const said = await findPayout(provider, withdraw.payoutId, company);
  const word = wordOn(said);
  if (word !== "disagrees") return { word, said: { ...said } };
  return { word, provider: provider.name, says: spoken(said), thing: "withdraw" };
}

/** Centavos that came back of a payout that was paid, by its provider's word. */
export function returnedBySaid(
  { kind, returnedAmount }: Extract<PayoutLookup, { kind: "paid" | "returned" }>,
  amount: Cents,
): Cents {
  return returnedAmount ?? (kind === "returned" ? amount : 0);
}

/**
 * What a provider's answer means for a decision. Only a final answer agrees or disagrees: `processing` says nothing yet.
 * `not_found` contradicts a payment, and not a failure, though an order may still arrive.
 */
function payoutWord(found: PayoutLookup, decision: Decision, amount: Cents): FinalWord {
  const { outcome } = decision;
  switch (found.kind) {
    case "unknown":
    case "processing":
      return "silent";
    case "not_found":
      return outcome === "failed" ? "silent" : "disagrees";
    case "failed":
      return outcome === "failed" ? "agreed" : "disagrees";
    case "paid":
    case "returned": {
      const returned = returnedBySaid(found, amount);
      if (outcome === "done") return found.kind === "paid" ? "agreed" : "disagrees";
      const isBack = outcome === "returned" && wanted(decision, amount) <= returned;
      return isBack ? "agreed" : "disagrees";
    }
  }
}

function spoken(found: PayoutLookup): string {
  const returned = "returnedAmount" in found ? (found.returnedAmount ?? 0) : 0;
  if (found.kind === "paid" && returned > 0) return `paid, of which ${returned} centavos came back`;
  return found.kind === "not_found" ? "unknown to it" : found.kind;
}

function reportOf(
  { outcome, endToEndId: given, returnedAmount }: Decision,
  reason: string,
): PayoutReport {
  const endToEndId = given ?? null;
  switch (outcome) {
    case "done":
      return { kind: "paid", endToEndId };
    case "failed":
      return { kind: "failed", reason, code: "DECIDED_BY_OPERATOR" };
    case "returned":
      return {
        kind: "returned",
        endToEndId,
        ...(returnedAmount === undefined ? {} : { returnedAmount }),
      };
  }
}
