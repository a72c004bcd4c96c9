import type {
  ClaimOperationAnswer,
  KeyedRequest,
  OperationReply,
  OperationReport,
} from "../../company/operations/command-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { OperationOrder } from "../../domain/charges/operation.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import {
  executeAndRecord,
  sendRefund,
  type BookingContext,
  type ClaimedOperation,
} from "../payments/provider-order.ts";
import { requireTransaction, shownAt } from "./attempts/shown-at.ts";
import { executeDueDate } from "./due-date.ts";
import { syncCharge, type SyncOutcome } from "./sync.ts";
import { depsOfCompany, type Dependencies } from "../../http/context.ts";

export type OperationContext = BookingContext;
type PlatformDeps = Pick<Dependencies, "platformClock" | "providers" | "random">;

/**
 * Moves one operation on: claims it in the company's object, asks about it or sends it, and reports
 * the answer. May be run any number of times, by anybody, and has its effect once.
 */
export async function processOperation(
  env: Env,
  deps: PlatformDeps,
  companyId: number,
  id: number,
): Promise<void> {
  const company = await findCompany(env, companyId);
  assert(company !== null, `company ${companyId} is in D1`);
  const claim: ClaimOperationAnswer = await callCompany(env, companyId, (account) =>
    account.claimOperation({ companyId, id }),
  );
  if (claim.kind !== "query" && claim.kind !== "send") return;
  await executeOperation({ env, deps: depsOfCompany(deps, company), company }, claim, null);
}

/** Executes a claimed operation at its provider and books the outcome. */
export function executeOperation(
  context: OperationContext,
  claimed: ClaimedOperation,
  reply: KeyedRequest | null,
): Promise<OperationReply> {
  return executeAndRecord(context, claimed, reply, (provider) =>
    executeAtProvider(context, provider, claimed),
  );
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
      return sendRefund(context.company.id, provider, claimed);
    case "due_date":
      return executeDueDate(context, provider, claimed);
  }
}

/** A cancel names its charge, so it may be repeated. After a refusal the charge is refreshed. */
async function cancel(
  context: OperationContext,
  provider: Provider,
  order: OperationOrder,
): Promise<OperationReport> {
  const { company } = context;
  assert(order.transactionId !== null, "a cancel is of a transaction");
  const row = await requireTransaction(context, order.transactionId);
  const shown = await shownAt(context, row, provider, order);
  if (shown === null) return { kind: "unknown" };
  const outcome = await callProvider(shown.cancelCharge(providerChargeId(row.id, row.attempt)), {
    provider: shown.name,
    companyId: company.id,
  });
  if (outcome.kind === "cancelled") return { kind: "done" };
  if (outcome.kind === "unknown") return { kind: "unknown" };
  await syncCharge(context, shown, row);
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
  context: OperationContext,
  provider: Provider,
  transactionId: string,
): Promise<SyncOutcome> {
  return syncCharge(context, provider, await requireTransaction(context, transactionId));
}
