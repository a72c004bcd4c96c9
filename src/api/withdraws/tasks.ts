import { callCompany } from "../../company-client/stub.ts";
import type { RecheckKind } from "../../company/runtime/recheck-store.ts";
import type {
  ClaimPayoutAnswer,
  PayoutPollResult,
  PayoutReport,
} from "../../company/withdraws/command-types.ts";
import type { RecheckOutcome } from "../../company/runtime/recheck-store.ts";
import type { Env, PayoutMessage } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { WithdrawStatus } from "../../domain/withdraws/withdraw-status.ts";
import type { PayoutOrder } from "../../domain/withdraws/withdraw.ts";
import { depsOfCompany, type Dependencies, type CompanyDependencies } from "../../http/context.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import type { ProviderRegistry } from "../../providers/registry.ts";
import { recheckOperation } from "../transactions/ask-operation.ts";
import { processOperation } from "../transactions/operations.ts";
import { recheckDispute, recheckFailedRefund } from "../provider-callbacks/recheck.ts";
import { runSubscription } from "../subscriptions/tasks.ts";
import { findPayout, providerOfPayout, reportPayout, syncPayout } from "./sync-payout.ts";

type Deps = Pick<Dependencies, "platformClock" | "providers" | "random">;
type CompanyDeps = Deps & Pick<CompanyDependencies, "clock">;

/** Queue handler: continues the payout, recheck, operation or subscription that a message names. */
export async function handlePayoutMessage(
  env: Env,
  deps: Deps,
  message: PayoutMessage,
): Promise<void> {
  const { companyId } = message;
  if ("withdrawId" in message) {
    return processPayout(env, deps.providers(env), companyId, message.withdrawId);
  }
  if ("subscription" in message) return runSubscription(env, deps, companyId, message.subscription);
  if ("recheckId" in message) return processRecheck(env, deps, companyId, message.recheckId);
  await processOperation(env, deps, companyId, message.operationId);
}

/**
 * Claims a payout in the company's object, sends it or queries it, and books the result. Idempotent, also when
 * it runs concurrently: the company pays once.
 */
export async function processPayout(
  env: Env,
  providers: ProviderRegistry,
  companyId: number,
  withdrawId: number,
): Promise<void> {
  const company = await findCompany(env, companyId);
  assert(company !== null, `company ${companyId} is in D1`);
  const sender = providers.forPayout(company);
  const claim = await callCompany(env, companyId, (account) =>
    account.claimPayout({
      companyId,
      id: withdrawId,
      account: sender?.account ?? null,
      credentialsVersion: company.credentialsVersion,
    }),
  );
  const report = await executeClaim(providers, company, sender, claim);
  if (report === null) return;
  if (report.kind === "unreachable")
    log("error", "payout_provider_missing", { companyId, withdrawId });
  await reportPayout(env, companyId, withdrawId, report);
}

/** Sends or queries the payout as the claim says. Null if the claim leaves nothing to do. */
async function executeClaim(
  providers: ProviderRegistry,
  company: Company,
  sender: Provider | null,
  claim: ClaimPayoutAnswer,
): Promise<PayoutPollResult | null> {
  switch (claim.kind) {
    case "send":
      assert(sender !== null, "a payout without a sender is not claimed");
      return send(sender, claim.order, company);
    case "query": {
      const provider = await providers.ofAccount(company, claim.account);
      return provider === null ? { kind: "unreachable" } : findOrSend(provider, claim, company);
    }
    case "no_account":
      return { kind: "unreachable" };
    case "awaiting_approval":
    case "wait":
    case "frozen":
    case "settled":
    case "not_found":
      return null;
  }
}

async function send(
  provider: Provider,
  order: PayoutOrder,
  company: Company,
): Promise<PayoutReport> {
  return callProvider(provider.sendPayout(order), {
    provider: provider.name,
    companyId: company.id,
  });
}

/**
 * Sends a payout again only after an explicit "not found" from a provider that never pays an id twice. A
 * refusal of the second order counts only once the first order cannot arrive any more.
 */
async function findOrSend(
  provider: Provider,
  { order, maySend, refusalIsFinal }: Extract<ClaimPayoutAnswer, { kind: "query" }>,
  company: Company,
): Promise<PayoutReport> {
  const found = await findPayout(provider, order.payoutId, company);
  if (found.kind !== "not_found") return found;
  if (!maySend || !provider.idempotentPayouts) return { kind: "unknown" };
  const report = await send(provider, order, company);
  return report.kind === "failed" && !refusalIsFinal ? { kind: "unknown" } : report;
}

type RecheckHandler = (
  env: Env,
  deps: CompanyDeps,
  company: Company,
  subject: string,
) => Promise<RecheckOutcome>;

const RECHECK_HANDLERS: Record<RecheckKind, RecheckHandler> = {
  payout: recheckPayout,
  dispute: recheckDispute,
  operation: recheckOperation,
  failed_refund: recheckFailedRefund,
};

/**
 * Queries a provider again about a payout or dispute that seems final, books the result and schedules the
 * next query. Idempotent.
 */
export async function processRecheck(
  env: Env,
  deps: Deps,
  companyId: number,
  recheckId: number,
): Promise<void> {
  const company = await findCompany(env, companyId);
  assert(company !== null, `company ${companyId} is in D1`);
  const claim = await callCompany(env, companyId, (account) =>
    account.claimRecheck({ companyId, id: recheckId }),
  );
  if (claim.kind !== "query") return;
  const { kind, subject } = claim.recheck;
  const outcome = await RECHECK_HANDLERS[kind](env, depsOfCompany(deps, company), company, subject);
  const answer = await callCompany(env, companyId, (account) =>
    account.recordRecheck({ companyId, id: recheckId, outcome }),
  );
  if (answer === "given_up") log("error", "recheck_abandoned", { companyId, kind, subject });
}

/** The statuses that a provider may contradict later. */
const RECHECKED: ReadonlySet<WithdrawStatus> = new Set(["Paid", "Failed", "Returned"]);

/**
 * Queries the payout of a Paid withdraw, which the receiving bank may have returned since, or of one that operators
 * decided without its provider, until that says the same.
 */
async function recheckPayout(
  env: Env,
  deps: CompanyDeps,
  company: Company,
  withdrawId: string,
): Promise<RecheckOutcome> {
  const withdraw = await callCompany(env, company.id, (account) =>
    account.findWithdraw(Number(withdrawId)),
  );
  if (withdraw === null || !RECHECKED.has(withdraw.status)) return "done";
  const provider = await providerOfPayout(deps.providers(env), company, withdraw);
  if (provider === null) return "unknown";
  const answer = await syncPayout(env, provider, company, withdraw, deps.clock.now());
  if (answer.kind === "unknown") return "unknown";
  const isSame =
    (answer.kind === "failed" && withdraw.status === "Failed") ||
    (answer.kind === "returned" && withdraw.status === "Returned");
  return isSame ? "done" : "open";
}
