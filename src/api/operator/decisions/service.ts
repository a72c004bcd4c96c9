import type { PayoutReport } from "../../../company/rpc-types.ts";
import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import type { Operator } from "../../../domain/access/operator.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { Cents } from "../../../domain/shared/money.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { Dependencies } from "../../../http/context.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { disconnected, invalidState, notFound } from "../../../http/problems.ts";
import { assert } from "../../../lib/assert.ts";
import { executeOperation, type OperationContext } from "../../transactions/operations.ts";
import { suspendedPaymentView } from "./views.ts";

/** A page of a company's suspended payments, by `paymentId`. */
export async function pageOfSuspendedPayments(
  env: Env,
  company: Company,
  { after, limit }: { after: string; limit: number },
) {
  const payments = await callCompany(env, company.id, (account) =>
    account.listSuspendedPayments(after, limit + 1),
  );
  const items = payments.slice(0, limit).map(suspendedPaymentView);
  const hasMore = payments.length > limit;
  return { items, after: hasMore ? items.at(-1)!.paymentId : null, hasMore };
}

/**
 * Returns a suspended payment. Idempotent. Throws 404, 409 while the payer's bank disputes the payment, 422 if
 * the provider refuses or is no longer connected.
 */
export async function returnPayment(
  context: OperationContext & { deps: Dependencies },
  paymentId: string,
  { clientId, name }: Pick<Operator, "clientId" | "name">,
) {
  const { env, deps, company } = context;
  const { id: companyId, credentialsVersion } = company;
  await requireConnectedAccount(context, paymentId);
  const command = {
    companyId,
    credentialsVersion,
    operationId: newUuid(deps.random),
    paymentId,
    requestedBy: { kind: "operator" as const, id: clientId, name },
  };
  const accepted = await callCompany(env, company.id, (account) => account.requestReturn(command));
  if (accepted.kind === "version_conflict") throw new StaleVersionError(accepted.newest);
  if (accepted.kind === "not_found") throw notFound("suspended payment");
  if (accepted.kind === "disputed") throw invalidState("The payer's bank disputes this payment");
  if (accepted.kind === "send" || accepted.kind === "query") {
    const reply = await executeOperation(context, accepted, null);
    if (reply.outcome === "FAILED") {
      throw new Problem({
        code: "REFUND_REFUSED",
        detail: `The provider refused this return. ${reply.reason ?? ""}`.trim(),
      });
    }
  }
  const after = await callCompany(env, company.id, (account) =>
    account.findSuspendedPayment(paymentId),
  );
  assert(after !== null, "a suspended payment stays on record");
  const isReturned = after.returnStatus === "DONE" || after.returnedAmount === after.amount;
  return { payment: suspendedPaymentView(after), done: isReturned };
}

/** Throws 422 if the account that received a suspended payment is no longer connected. */
async function requireConnectedAccount(
  { env, deps, company }: OperationContext,
  paymentId: string,
): Promise<void> {
  const payment = await callCompany(env, company.id, (account) =>
    account.findSuspendedPayment(paymentId),
  );
  if (payment === null) return;
  const provider = await deps.providers(env).ofAccount(company, payment.account);
  if (provider === null) throw disconnected("took this payment");
}

/**
 * Books an operator's decision on a withdraw whose provider gives no final answer. Throws 404, 409 if the
 * withdraw has another outcome or its payout is still in progress.
 */
export async function resolveWithdrawManually(
  { env, company }: OperationContext,
  id: number,
  decision: ManualWithdrawDecision,
) {
  const report = payoutReportOf(decision);
  const answer = await callCompany(env, company.id, (account) =>
    account.resolvePayoutManually(company.id, id, report),
  );
  if (answer.kind === "not_found") throw notFound("withdraw");
  if (answer.kind === "in_progress") throw invalidState("The payout is still in progress");
  if (answer.kind === "contradiction")
    throw invalidState(`The withdraw is already ${answer.status}`);
  return answer.withdraw;
}

function payoutReportOf(decision: ManualWithdrawDecision): PayoutReport {
  const { outcome, reason, endToEndId = null, returnedAmount } = decision;
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

/** Books an operator's decision on a refund, cancel or return, by its id at the provider. Throws 404 and 409. */
export async function resolveOperationManually(
  { env, company }: OperationContext,
  operationId: string,
  decision: ManualDecision,
) {
  const id = await callCompany(env, company.id, (account) => account.findOperation(operationId));
  if (id === null) throw notFound("operation");
  const report =
    decision.outcome === "done"
      ? { kind: "done" as const }
      : { kind: "failed" as const, reason: decision.reason };
  const answer = await callCompany(env, company.id, (account) =>
    account.resolveOperationManually(company.id, id, report),
  );
  if (answer.kind === "not_found") throw notFound("operation");
  if (answer.kind === "in_progress") throw invalidState("The operation is still in progress");
  if (answer.kind === "contradiction")
    throw invalidState(`The operation is already ${answer.reply.outcome}`);
  return { operationId, outcome: answer.reply.outcome, reason: answer.reply.reason };
}

/** `returnedAmount`: centavos returned in total; without it the full amount. */
export interface ManualWithdrawDecision extends Omit<ManualDecision, "outcome"> {
  outcome: "done" | "failed" | "returned";
  returnedAmount?: Cents | undefined;
}

export interface ManualDecision {
  outcome: "done" | "failed";
  reason: string;
  endToEndId?: string | undefined;
}
