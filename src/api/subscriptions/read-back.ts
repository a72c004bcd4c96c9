import { callCompany } from "../../company-client/stub.ts";
import type { ReportSubscriptionStep } from "../../company/subscriptions/command-types.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import { companyIdOfTransactionId, hyphenateUuid } from "../../domain/shared/ids.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import { log } from "../../lib/log.ts";
import type { MandateDetails, MandateProvider } from "../../providers/mandate-provider.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { findTransaction } from "../transactions/repository.ts";
import { syncCharge } from "../transactions/sync.ts";
import { bookDebit } from "./debit-money.ts";
import { listCycles } from "./repository.ts";
import { runSubscription } from "./tasks.ts";
import { toldMandate } from "./told.ts";

/** An account that takes automatic debits, and who asks it. */
export interface MandateAccount extends BookingContext {
  provider: Provider;
  mandates: MandateProvider;
}

/** What reading back came to: `nothing` where the provider has no such thing yet, `unknown` without an answer. */
export type ReadBack = "booked" | "nothing" | "unknown";

/**
 * Reads a mandate back at its provider and takes what it tells, then does what follows. Returns the subscription as it
 * stands then; unchanged without an answer.
 */
export async function readMandateBack(
  context: BookingContext,
  subscription: Subscription,
): Promise<Subscription> {
  const { env, deps, company } = context;
  const { id, number, mandate, account } = subscription;
  const at = await mandateAccount(context, account);
  if (at === null || mandate.id === null) return subscription;
  const read = await readMandate(at, subscription, mandate.id);
  if (read === "booked") await runSubscription(env, deps, company.id, number);
  const current = await callCompany(env, company.id, (object) => object.findSubscription(id));
  return current ?? subscription;
}

/**
 * Reads back the mandate that a notice names: the notice itself is believed for nothing. One of others, or a second one
 * under a contract of ours, is left alone; one whose order got no answer is known by its contract. What follows is due at
 * once in the company's object.
 */
export async function refreshMandate(
  context: BookingContext,
  mandateId: string,
  account: string,
): Promise<ReadBack> {
  const at = await mandateAccount(context, account);
  if (at === null) return "unknown";
  const found = await ask(at, at.mandates.findMandate(mandateId));
  if (found.kind !== "known") return found.kind === "unknown" ? "unknown" : "nothing";
  const subscription = await subscriptionOf(at, found.mandate);
  return subscription === null ? "booked" : readMandate(at, subscription, mandateId, found);
}

/**
 * Reads back the debit that a notice names, books what it brought, and tells the company's object, in which what follows
 * is due at once.
 */
export async function refreshDebit(
  context: BookingContext,
  transactionId: string,
  account: string,
): Promise<ReadBack> {
  const { env, company } = context;
  const cycle = await callCompany(env, company.id, (object) =>
    object.findCycleOfCharge(transactionId),
  );
  if (cycle === null) return "nothing";
  const subscription = await callCompany(env, company.id, (object) =>
    object.findSubscription(cycle.subscriptionId),
  );
  const at = subscription?.account === account ? await mandateAccount(context, account) : null;
  if (subscription === null || at === null) return "unknown";
  const found = await ask(at, at.mandates.findDebit(providerChargeId(transactionId)));
  if (found.kind !== "known") return found.kind === "unknown" ? "unknown" : "nothing";
  const result = await bookDebit(at, cycle, found);
  const step = { kind: "check_debit" as const, cycle: cycle.cycle };
  await tell(at, { number: subscription.number, step, result });
  return "booked";
}

/** An account of the company with automatic debits; null for any other. */
export async function mandateAccount(
  context: BookingContext,
  account: string,
): Promise<MandateAccount | null> {
  const { env, deps, company } = context;
  const provider = await deps.providers(env).ofAccount(company, account, "PIX");
  const mandates = provider?.mandates ?? null;
  return provider === null || mandates === null ? null : { ...context, provider, mandates };
}

/** The subscription of a mandate, where it is the account's one under its contract; null for any other mandate. */
async function subscriptionOf(
  { env, company, provider }: MandateAccount,
  { mandateId, subscriptionId }: MandateDetails,
): Promise<Subscription | null> {
  if (subscriptionId === null) return null;
  const id = hyphenateUuid(subscriptionId);
  if (companyIdOfTransactionId(id) !== company.id) return null;
  const found = await callCompany(env, company.id, (object) => object.findSubscription(id));
  if (found === null || found.account !== provider.account) return null;
  if (found.mandate.id === null || found.mandate.id === mandateId) return found;
  log("warn", "mandate_doubled", { companyId: company.id, subscriptionId: id });
  return null;
}

/**
 * Takes what a provider tells of a subscription's mandate: with the charge that is paid with its approval, whose code is for
 * both, and whose money is booked.
 */
async function readMandate(
  at: MandateAccount,
  subscription: Subscription,
  mandateId: string,
  read: { mandate: MandateDetails } | null = null,
): Promise<ReadBack> {
  const [cycle] = await approvalCycle(at, subscription);
  let mandate = cycle === undefined ? (read?.mandate ?? null) : null;
  if (mandate === null) {
    const chargeId = cycle === undefined ? null : providerChargeId(cycle.transactionId);
    const report = await ask(at, at.mandates.findMandate(mandateId, chargeId));
    if (report.kind === "known") ({ mandate } = report);
  }
  if (cycle !== undefined) await syncApproval(at, cycle);
  if (mandate === null) return "unknown";
  const result = { kind: "mandate" as const, mandate: toldMandate(mandate) };
  await tell(at, { number: subscription.number, step: null, result });
  return "booked";
}

function ask<Answer>({ provider, company }: MandateAccount, call: Promise<Answer>) {
  return callProvider(call, { provider: provider.name, companyId: company.id });
}

/** Tells the object news that no step of it asked for. */
async function tell(
  { env, company }: MandateAccount,
  news: Pick<ReportSubscriptionStep, "number" | "step" | "result">,
): Promise<void> {
  await callCompany(env, company.id, (object) =>
    object.reportSubscriptionStep({ companyId: company.id, lease: null, ...news }),
  );
}

/** The cycle whose charge is paid with the approval; none where there is no such. */
async function approvalCycle(
  { env, company }: BookingContext,
  { id: subscriptionId, terms }: Subscription,
): Promise<SubscriptionCycle[]> {
  if (firstDebitedCycle(terms.journey) === 1) return [];
  return listCycles(env, company.id, { subscriptionId, before: 2, limit: 1 });
}

async function syncApproval(
  at: MandateAccount,
  { transactionId }: SubscriptionCycle,
): Promise<void> {
  const row = await findTransaction(at.env, at.company.id, transactionId);
  if (row !== null) await syncCharge(at, at.provider, row);
}
