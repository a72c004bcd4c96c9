import type {
  ClaimOperationAnswer,
  KeyedRequest,
  OperationReply,
  OperationReport,
  RequestOperationAnswer,
} from "../../company/rpc-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { Company } from "../../domain/shared/company.ts";
import { providerOperationId, type OperationOrder } from "../../domain/charges/operation.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import { findTransaction } from "./repository.ts";
import { syncCharge, type SyncOutcome } from "./sync.ts";

export interface OperationContext {
  env: Env;
  deps: Pick<Dependencies, "clock" | "providers">;
  company: Company;
}

/** A claimed operation: `send` it, or `query` it first. */
export type ClaimedOperation = Extract<RequestOperationAnswer, { kind: "send" | "query" }>;

/**
 * Moves one operation on: claims it in the company's object, asks about it or sends it, and reports
 * the answer. May be run any number of times, by anybody, and has its effect once.
 */
export async function processOperation(
  env: Env,
  deps: OperationContext["deps"],
  companyId: number,
  id: number,
): Promise<void> {
  const company = await findCompany(env, companyId);
  assert(company !== null, `company ${companyId} is in D1`);
  const claim: ClaimOperationAnswer = await callCompany(env, companyId, (account) =>
    account.claimOperation(companyId, id),
  );
  if (claim.kind !== "query") return;
  await executeOperation({ env, deps, company }, claim, null);
}

/** Executes a claimed operation at its provider and books the outcome. */
export async function executeOperation(
  context: OperationContext,
  claimed: ClaimedOperation,
  reply: KeyedRequest | null,
): Promise<OperationReply> {
  const { env, deps, company } = context;
  const { account: takenBy, paymentMethod } = claimed.order;
  const provider = await deps.providers(env).ofAccount(company, takenBy, paymentMethod);
  const report: OperationReport =
    provider === null ? { kind: "unknown" } : await executeAtProvider(context, provider, claimed);
  if (provider === null) {
    log("error", "operation_provider_missing", { companyId: company.id, operation: claimed.id });
  }
  const answer = await callCompany(env, company.id, (account) =>
    account.recordOperation(company.id, claimed.id, report, reply),
  );
  assert(answer.kind !== "not_found", "a claimed operation is there");
  return answer.reply;
}

function executeAtProvider(
  context: OperationContext,
  provider: Provider,
  claimed: ClaimedOperation,
): Promise<OperationReport> {
  switch (claimed.order.kind) {
    case "cancel":
      return cancel(context, provider, claimed.order);
    case "capture":
      return capture(context, provider, claimed.order);
    case "refund":
    case "return":
      return sendRefund(context, provider, claimed);
  }
}

/** A cancel names its charge, so it may be repeated. After a refusal the charge is refreshed. */
async function cancel(
  context: OperationContext,
  provider: Provider,
  order: OperationOrder,
): Promise<OperationReport> {
  assert(order.transactionId !== null, "a cancel is of a transaction");
  const outcome = await callProvider(provider.cancelCharge(providerChargeId(order.transactionId)), {
    provider: provider.name,
    companyId: context.company.id,
  });
  if (outcome.kind === "cancelled") return { kind: "done" };
  if (outcome.kind === "unknown") return { kind: "unknown" };
  await refreshCharge(context, provider, order.transactionId);
  return { kind: "failed", reason: outcome.reason };
}

/** As a cancel; the money of a capture is booked as it is read back, and only then is it done. */
async function capture(
  context: OperationContext,
  provider: Provider,
  { transactionId, amount }: OperationOrder,
): Promise<OperationReport> {
  assert(transactionId !== null, "a capture is of a transaction");
  const call = provider.captureCharge(providerChargeId(transactionId), amount);
  const outcome = await callProvider(call, {
    provider: provider.name,
    companyId: context.company.id,
  });
  if (outcome.kind === "unknown") return { kind: "unknown" };
  const synced = await refreshCharge(context, provider, transactionId);
  if (outcome.kind === "refused") return { kind: "failed", reason: outcome.reason };
  return synced === "paid" ? { kind: "done" } : { kind: "unknown" };
}

async function refreshCharge(
  { env, deps, company }: OperationContext,
  provider: Provider,
  transactionId: string,
): Promise<SyncOutcome> {
  const row = await findTransaction(env, company.id, transactionId);
  assert(row !== null, `transaction ${transactionId} is in D1`);
  return syncCharge(env, provider, row, deps.clock.now());
}

/**
 * Only an explicit "not found", from a provider that never refunds an id twice, allows sending again. A
 * refusal of that is believed only once the first one cannot be on its way any more.
 */
async function sendRefund(
  { company }: OperationContext,
  provider: Provider,
  claimed: ClaimedOperation,
): Promise<OperationReport> {
  const { order } = claimed;
  const refund = {
    refundId: providerOperationId(order.operationId),
    chargeId: order.transactionId === null ? null : providerChargeId(order.transactionId),
    paymentId: order.paymentId,
    amount: order.amount,
  };
  const send = () =>
    callProvider(provider.sendRefund(refund), { provider: provider.name, companyId: company.id });
  if (claimed.kind === "send") return send();
  const found = await callProvider(provider.findRefund(refund), {
    provider: provider.name,
    companyId: company.id,
  });
  if (found.kind !== "not_found") return found;
  if (!provider.idempotentRefunds) return { kind: "unknown" };
  const report = await send();
  return report.kind === "failed" && !claimed.refusalIsFinal ? { kind: "unknown" } : report;
}
