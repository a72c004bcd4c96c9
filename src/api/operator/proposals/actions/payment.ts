import { z } from "@hono/zod-openapi";
import { callCompany } from "../../../../company-client/stub.ts";
import type { PaymentInSuspense } from "../../../../company/charges/command-types.ts";
import type { OperatorDecision } from "../../../../domain/operators/proposal.ts";
import { disconnected, invalidState, notFound } from "../../../../http/problems.ts";
import { callProvider, type PaymentReport } from "../../../../providers/provider.ts";
import {
  bookDecision,
  parseRequest,
  targetId,
  type ActionDefinition,
  type ProposalContext,
  type ProviderVerdict,
} from "../action.ts";
import { breaks } from "../../../../lib/fields/rules.ts";

const ReturnPayment = z.object({
  outcome: z.literal("return", { error: breaks("value", { values: "return" }) }).default("return"),
});

/** An unexpected payment goes back to its payer. */
export const paymentAction: ActionDefinition = {
  permission: "money:decide",
  auditAction: "payment.return",
  prepare(context, target, request) {
    const paymentId = targetId(target, "payment", /^.{1,200}$/);
    const decision = parseRequest(ReturnPayment, request);
    return {
      request: decision,
      audited: decision,
      check: () => requireReturnable(context, paymentId),
      async ask() {
        return askPayment(context, await requireInSuspense(context, paymentId));
      },
      async execute(by) {
        await bookDecision(context, { kind: "payment", paymentId }, by);
        return { returnStatus: await returnStatusOf(context, paymentId, by) };
      },
    };
  },
};

/** Throws 404, 409 if it is returned or being returned, 422 if its account is no longer connected. */
async function requireReturnable(context: ProposalContext, paymentId: string): Promise<void> {
  const payment = await requireInSuspense(context, paymentId);
  const isReturned = payment.returnStatus === "DONE" || payment.returnedAmount === payment.amount;
  if (isReturned) throw invalidState("The payment was returned already", "payment_status");
  if (payment.returnStatus === "PENDING")
    throw invalidState("The payment is being returned", "payment_status");
  const { env, deps, company } = context;
  const provider = await deps.providers(env).ofAccount(company, payment.account);
  if (provider === null) throw disconnected("took this payment");
}

/**
 * How far the return is that two operators decided. One that a caller began before them is the payment's, which may
 * be in suspense no more.
 */
async function returnStatusOf(
  { env, company }: ProposalContext,
  paymentId: string,
  { proposalId }: OperatorDecision,
): Promise<PaymentInSuspense["returnStatus"]> {
  return callCompany(env, company.id, async (account) => {
    const own = await account.findOperation(proposalId);
    return own?.status ?? (await account.findPaymentInSuspense(paymentId))?.returnStatus ?? null;
  });
}

async function requireInSuspense({ env, company }: ProposalContext, paymentId: string) {
  const payment = await callCompany(env, company.id, (account) =>
    account.findPaymentInSuspense(paymentId),
  );
  if (payment === null) throw notFound("unexpected payment");
  return payment;
}

/** Asks the provider whether an unexpected payment is there and whole. */
export async function askPayment(
  { env, deps, company }: ProposalContext,
  payment: PaymentInSuspense,
): Promise<ProviderVerdict> {
  const provider = await deps.providers(env).ofAccount(company, payment.account);
  if (provider === null) return { word: "silent", said: null };
  const said = await callProvider(provider.findPayment(payment.paymentId), {
    provider: provider.name,
    companyId: company.id,
  });
  const says = objectionOf(said, payment);
  if (says !== null) return { word: "disagrees", provider: provider.name, says, thing: "payment" };
  if (said.kind !== "known") return { word: "silent", said: { kind: said.kind } };
  return { word: "agreed", said: { kind: "known", amount: said.payment.amount } };
}

/** What of the provider's answer forbids that the payment's money moves; null if nothing. */
function objectionOf(said: PaymentReport, payment: PaymentInSuspense): string | null {
  if (said.kind === "not_found") return "unknown to it";
  if (said.kind === "unknown") return null;
  const { amount: paid, refunds, disputes } = said.payment;
  if (paid !== payment.amount) return `of another amount, ${paid} centavos`;
  const back = refunds
    .filter(({ status }) => status !== "FAILED")
    .reduce((sum, { amount }) => sum + amount, 0);
  if (back > payment.returnedAmount) return `returned, ${back} centavos of it`;
  const isDisputed = disputes.some(({ status }) => status !== "WON");
  return isDisputed ? "disputed" : null;
}
