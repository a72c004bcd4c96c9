import { callCompany } from "../../company-client/stub.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { findTransaction } from "../transactions/repository.ts";
import { applyReport, syncCharge } from "../transactions/sync.ts";
import { listCycles } from "./repository.ts";
import { runSubscription } from "./tasks.ts";
import { toldDebit, toldMandate } from "./told.ts";

/**
 * Reads a mandate back at its provider, as after a notice, and takes what it tells: a notice itself is believed for
 * nothing. Then does what follows. Returns the subscription as it stands then; unchanged without an answer.
 */
export async function readMandateBack(
  context: BookingContext,
  subscription: Subscription,
): Promise<Subscription> {
  const { env, deps, company } = context;
  const { id, number, mandate, account } = subscription;
  const provider = await deps.providers(env).ofAccount(company, account, "PIX");
  const mandates = provider?.mandates ?? null;
  if (provider === null || mandates === null || mandate.id === null) return subscription;
  const [cycle] = await approvalCycle(context, subscription);
  const chargeId = cycle === undefined ? null : providerChargeId(cycle.transactionId);
  const about = { provider: provider.name, companyId: company.id };
  const report = await callProvider(mandates.findMandate(mandate.id, chargeId), about);
  if (cycle !== undefined) await syncApproval(context, provider, cycle);
  if (report.kind === "known") {
    const result = { kind: "mandate" as const, mandate: toldMandate(report.mandate) };
    await callCompany(env, company.id, (object) =>
      object.reportSubscriptionStep({ companyId: company.id, number, step: null, result }),
    );
    await runSubscription(env, deps, company.id, number);
  }
  const current = await callCompany(env, company.id, (object) => object.findSubscription(id));
  return current ?? subscription;
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
  context: BookingContext,
  provider: Provider,
  { transactionId }: SubscriptionCycle,
): Promise<void> {
  const row = await findTransaction(context.env, context.company.id, transactionId);
  if (row !== null) await syncCharge(context, provider, row);
}

/**
 * Reads the debit of a charge back at its provider, as after a notice: books its money, and tells the subscription. False
 * without a usable answer; true also where the charge is none of a subscription's.
 */
export async function readDebitBack(
  context: BookingContext,
  transactionId: string,
): Promise<boolean> {
  const { env, deps, company } = context;
  const companyId = company.id;
  const row = await findTransaction(env, companyId, transactionId);
  const cycle = await callCompany(env, companyId, (object) =>
    object.findCycleOfCharge(transactionId),
  );
  if (row === null || cycle === null) return true;
  const provider = await deps.providers(env).ofAccount(company, row.account, "PIX");
  const mandates = provider?.mandates ?? null;
  if (provider === null || mandates === null) return false;
  const about = { provider: provider.name, companyId };
  const found = await callProvider(mandates.findDebit(providerChargeId(row.id)), about);
  if (found.kind === "unknown") return false;
  if (found.kind === "not_found") return true;
  const { debit, unreadable = [] } = found;
  const report = { kind: "known" as const, unreadable, ...debit.charge };
  if (debit.charge.payments.length > 0) await applyReport(context, row, { report, provider });
  const subscription = await callCompany(env, companyId, (object) =>
    object.findSubscription(cycle.subscriptionId),
  );
  if (subscription === null) return true;
  const { number } = subscription;
  await callCompany(env, companyId, (object) =>
    object.reportSubscriptionStep({
      companyId,
      number,
      step: { kind: "check_debit", cycle: cycle.cycle },
      result: { kind: "debit", debit: toldDebit(debit) },
    }),
  );
  await runSubscription(env, deps, companyId, number);
  return true;
}
