import { callCompany } from "../../company-client/stub.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { findTransaction } from "../transactions/repository.ts";
import { syncCharge } from "../transactions/sync.ts";
import { listCycles } from "./repository.ts";
import { runSubscription } from "./tasks.ts";
import { toldMandate } from "./told.ts";

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
      object.reportSubscriptionStep({
        companyId: company.id,
        number,
        step: null,
        lease: null,
        result,
      }),
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
