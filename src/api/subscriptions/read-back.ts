import { callCompany } from "../../company-client/stub.ts";
import type { ReportSubscriptionStep } from "../../company/subscriptions/command-types.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { companyIdOfTransactionId, hyphenateUuid } from "../../domain/shared/ids.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import { log } from "../../lib/log.ts";
import type {
  MandateDetails,
  MandateProvider,
  MandateReport,
  ReportedDebit,
} from "../../providers/mandate-provider.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { findTransaction } from "../transactions/repository.ts";
import { syncCharge } from "../transactions/sync.ts";
import { bookDebit } from "./debit-money.ts";
import { isMandateAsAgreed } from "./mandates/agreed.ts";
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
 * Reads back the mandate that a notice names: the notice itself is believed for nothing. A PSP posts all notices of a client
 * to one address, so that they may come for another account than the mandate's: each client of the company is asked. One of
 * others, or a second one under a contract of ours, is left alone; one whose order got no answer is known by its contract.
 * What follows is due at once in the company's object.
 */
export async function refreshMandate(
  context: BookingContext,
  mandateId: string,
  account: string,
): Promise<ReadBack> {
  const { accounts } = context.company;
  const answers = new Set<MandateReport["kind"]>();
  const asked = new Set<string>();
  for (const name of new Set([account, ...accounts.map((each) => each.account)])) {
    const at = await mandateAccount(context, name);
    const client = JSON.stringify(at?.provider.pspClient);
    if (at === null || asked.has(client)) continue;
    asked.add(client);
    const found = await ask(at, at.mandates.findMandate(mandateId));
    if (found.kind === "known") return takeTold(at, found.mandate);
    answers.add(found.kind);
  }
  return answers.has("not_found") && !answers.has("unknown") ? "nothing" : "unknown";
}

/** Takes a mandate that an account knows, as the account of its subscription tells of it. */
async function takeTold(at: MandateAccount, mandate: MandateDetails): Promise<ReadBack> {
  const subscription = await subscriptionOf(at, mandate);
  if (subscription === null) return "booked";
  if (subscription.account === at.provider.account) return takeMandate(at, subscription, mandate);
  const own = await mandateAccount(at, subscription.account);
  return own === null ? "unknown" : readMandate(own, subscription, mandate.mandateId);
}

/**
 * Reads back the debit that a notice names, at its subscription's account, whichever the notice came for; books what it
 * brought, and tells the company's object, in which what follows is due at once.
 */
export async function refreshDebit(
  context: BookingContext,
  transactionId: string,
): Promise<ReadBack> {
  const { env, company } = context;
  const cycle = await callCompany(env, company.id, (object) =>
    object.findCycleOfCharge(transactionId),
  );
  if (cycle === null) return "nothing";
  const subscription = await callCompany(env, company.id, (object) =>
    object.findSubscription(cycle.subscriptionId),
  );
  const at = subscription && (await mandateAccount(context, subscription.account));
  if (at === null) return "unknown";
  const found = await ask(at, at.mandates.findDebit(providerChargeId(transactionId)));
  if (found.kind !== "known") return found.kind === "unknown" ? "unknown" : "nothing";
  return takeDebit(at, cycle, found);
}

/** Books what a provider tells of a cycle's debit, and tells the company's object; nothing of another account's. */
export async function takeDebit(
  at: MandateAccount,
  cycle: SubscriptionCycle,
  told: ReportedDebit,
): Promise<ReadBack> {
  const { env, company, provider } = at;
  const subscription = await callCompany(env, company.id, (object) =>
    object.findSubscription(cycle.subscriptionId),
  );
  if (subscription?.account !== provider.account) return "nothing";
  const result = await bookDebit(at, cycle, told);
  const step = { kind: "check_debit" as const, cycle: cycle.cycle };
  await tell(at, { number: subscription.number, step, result });
  return result.kind === "unknown" ? "unknown" : "booked";
}

/** An account of the company with automatic debits; null for any other. */
async function mandateAccount(
  context: BookingContext,
  account: string,
): Promise<MandateAccount | null> {
  const { env, deps, company } = context;
  const provider = await deps.providers(env).ofAccount(company, account, "PIX");
  const mandates = provider?.mandates ?? null;
  return provider === null || mandates === null ? null : { ...context, provider, mandates };
}

/** The company's subscription of a mandate, where it is the one under its contract; null for any other mandate. */
async function subscriptionOf(
  { env, company }: MandateAccount,
  { mandateId, subscriptionId }: MandateDetails,
): Promise<Subscription | null> {
  if (subscriptionId === null) return null;
  const id = hyphenateUuid(subscriptionId);
  if (companyIdOfTransactionId(id) !== company.id) return null;
  const found = await callCompany(env, company.id, (object) => object.findSubscription(id));
  if (found === null || isItsMandate(found, mandateId)) return found;
  log("warn", "mandate_not_ordered", { companyId: company.id, subscriptionId: id });
  return null;
}

/** Whether a mandate under a subscription's contract is its one: the first, where one is known. */
export function isItsMandate({ mandate }: Subscription, mandateId: string): boolean {
  return mandate.id === null || mandate.id === mandateId;
}

/** Takes what a provider has told of a subscription's mandate; one with a charge is read again, whose code is for both. */
export async function takeMandate(
  at: MandateAccount,
  subscription: Subscription,
  mandate: MandateDetails,
): Promise<ReadBack> {
  if (hasApprovalCharge(subscription)) return readMandate(at, subscription, mandate.mandateId);
  return tellMandate(at, subscription, mandate);
}

/** Reads a subscription's mandate, and the charge that is paid with its approval, whose money is booked. */
async function readMandate(
  at: MandateAccount,
  subscription: Subscription,
  mandateId: string,
): Promise<ReadBack> {
  const [cycle] = await approvalCycle(at, subscription);
  const row = cycle === undefined ? null : await chargeOf(at, cycle);
  // Once it is paid nobody needs the code of both.
  const isPaid = cycle?.status === "paid" || row?.paidAt != null;
  const chargeId = cycle === undefined || isPaid ? null : providerChargeId(cycle.transactionId);
  const report = await ask(at, at.mandates.findMandate(mandateId, chargeId));
  if (row !== null) await syncCharge(at, at.provider, row);
  if (report.kind !== "known") return "unknown";
  return tellMandate(at, subscription, report.mandate);
}

/** Tells the object of a mandate, or a person where it has other terms than were ordered. */
async function tellMandate(
  at: MandateAccount,
  subscription: Subscription,
  mandate: MandateDetails,
): Promise<ReadBack> {
  if (await isMandateAsAgreed(at, subscription, mandate)) {
    const result = { kind: "mandate" as const, mandate: toldMandate(mandate) };
    await tell(at, { number: subscription.number, step: null, result });
  }
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

/** Whether a charge is paid with a subscription's approval. */
export function hasApprovalCharge({ terms }: Pick<Subscription, "terms">): boolean {
  return firstDebitedCycle(terms.journey) > 1;
}

/** The cycle whose charge is paid with the approval; none where there is no such. */
async function approvalCycle(
  { env, company }: BookingContext,
  { id: subscriptionId, terms }: Subscription,
): Promise<SubscriptionCycle[]> {
  if (!hasApprovalCharge({ terms })) return [];
  return listCycles(env, company.id, { subscriptionId, before: 2, limit: 1 });
}

function chargeOf(
  { env, company }: BookingContext,
  { transactionId }: SubscriptionCycle,
): Promise<TransactionRow | null> {
  return findTransaction(env, company.id, transactionId);
}
