import { callCompany } from "../../company-client/stub.ts";
import type { StepResult } from "../../company/subscriptions/command-types.ts";
import { chargeTerms, type TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import { failureReason } from "../../domain/charges/failure-reason.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import { unpaidStatus } from "../../domain/subscriptions/charge-actions.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import { callProvider } from "../../providers/provider.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { findTransaction } from "../transactions/repository.ts";
import { syncCharge } from "../transactions/sync.ts";

/**
 * Ends the charges of a cycle that are not paid, unless one is paid meanwhile; the object looks at them itself. One with a
 * code is ended at its provider first: nobody must pay for what has ended. `unknown` where its provider did not say.
 */
export async function closeCharges(
  context: BookingContext,
  { subscription, cycle }: { subscription: Subscription; cycle: SubscriptionCycle },
): Promise<StepResult> {
  const { env, company } = context;
  const byHandId = cycle.recovery?.byHand?.id ?? null;
  if (byHandId !== null && (await isPaid(context, cycle.transactionId)))
    return { kind: (await endByHand(context, byHandId)) ? "closed" : "unknown" };
  const row = await findTransaction(env, company.id, cycle.transactionId);
  if (row === null) return { kind: "closed" };
  const isInvited = cycle.cycle < firstDebitedCycle(subscription.terms.journey);
  if (isInvited && !(await endsCode(context, row))) return { kind: "unknown" };
  const isUnpaid = byHandId === null || !(await isPaid(context, byHandId));
  const isOver = unpaidStatus(cycle.debit) === "failed" || row.status === "creating";
  await endCharge(context, row, isUnpaid && isOver ? "failed" : "cancelled");
  return { kind: "closed" };
}

/** Ends a charge that a payer could pay by hand. False where its provider did not say that nobody can any more. */
export async function endByHand(context: BookingContext, id: string): Promise<boolean> {
  const { env, company } = context;
  const row = await findTransaction(env, company.id, id);
  if (row === null) return true;
  if (!(await endsCode(context, row))) return false;
  await endCharge(context, row, "cancelled");
  return true;
}

/** Whether a charge is paid, as the object has it. */
export async function isPaid({ env, company }: BookingContext, id: string): Promise<boolean> {
  const state = await callCompany(env, company.id, (account) => account.findCharge(id));
  return state !== null && state.paidAt !== null;
}

async function endCharge(
  { env, company }: BookingContext,
  row: TransactionRow,
  to: "failed" | "cancelled",
): Promise<void> {
  const why =
    to === "failed"
      ? { failureReason: failureReason("DEBIT_FAILED") }
      : { cancelReason: "REQUESTED" as const };
  await callCompany(env, company.id, (account) =>
    account.transitionCharge({ companyId: company.id, terms: chargeTerms(row), to, ...why }),
  );
}

/** Whether nobody can pay a charge's code any more, or its money is booked. False where its provider did not say. */
async function endsCode(context: BookingContext, row: TransactionRow): Promise<boolean> {
  if (row.status !== "creating" && !isOpenCharge(row.status)) return true;
  const { deps, env, company } = context;
  const provider = await deps.providers(env).ofAccount(company, row.account, "PIX");
  // Nobody can ask about an account that is gone.
  if (provider === null) return true;
  const chargeId = providerChargeId(row.id, row.attempt);
  const about = { provider: provider.name, companyId: company.id };
  const outcome = await callProvider(provider.cancelCharge(chargeId), about);
  if (outcome.kind === "cancelled") return true;
  if (outcome.kind === "unknown") return false;
  const synced = await syncCharge(context, provider, row);
  return synced !== "unknown" && synced !== "open";
}
