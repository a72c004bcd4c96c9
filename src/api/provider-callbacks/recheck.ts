import type { DisputeSummary } from "../../company/disputes/command-types.ts";
import type { RecheckOutcome } from "../../company/runtime/recheck-store.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { refresh, type RefreshContext } from "./service.ts";
import { paymentSubject } from "./subjects.ts";
import { findTransaction } from "../transactions/repository.ts";
import { syncCharge } from "../transactions/sync.ts";

/**
 * Asks the provider again how an open dispute stands, and books what it says of its charge, or of its
 * payment where that is unexpected.
 */
export async function recheckDispute(
  env: Env,
  deps: RefreshContext["deps"],
  company: Company,
  disputeId: string,
): Promise<RecheckOutcome> {
  const find = () => callCompany(env, company.id, (account) => account.findDispute(disputeId));
  const dispute = await find();
  if (dispute?.status !== "OPEN") return "done";
  if (!(await refreshDispute({ env, deps, company }, dispute))) return "unknown";
  return (await find())?.status === "OPEN" ? "open" : "done";
}

/** Asks the provider what went back of the payment of a refund that has failed, and books it. */
export async function recheckFailedRefund(
  env: Env,
  deps: RefreshContext["deps"],
  company: Company,
  operationId: string,
): Promise<RecheckOutcome> {
  const failed = await callCompany(env, company.id, (account) =>
    account.findOperation(operationId),
  );
  if (failed === null || failed.order.paymentId === null) return "done";
  const { paymentId, account } = failed.order;
  const evidence = { report: null, account };
  const outcome = await refresh(env, deps, company, paymentSubject(paymentId), evidence);
  return outcome === "unknown" ? "unknown" : "done";
}

/** Whether the provider said how things stand. */
async function refreshDispute(
  { env, deps, company }: RefreshContext,
  { transactionId, paymentId, account }: DisputeSummary,
): Promise<boolean> {
  let disputed = paymentId;
  if (transactionId !== null) {
    const row = await findTransaction(env, company.id, transactionId);
    assert(row !== null, `transaction ${transactionId} is in D1`);
    const provider = await deps.providers(env).ofAccount(company, account, row.paymentMethod);
    if (provider === null) return false;
    const outcome = await syncCharge({ env, deps, company }, provider, row);
    if (outcome !== "not_found") return outcome !== "unknown";
    // An account that was asked before another one showed the charge knows the payment only.
    disputed ??= row.endToEndId;
  }
  if (disputed === null) return true;
  const object = paymentSubject(disputed);
  return (await refresh(env, deps, company, object, { report: null, account })) !== "unknown";
}
