import { callCompany } from "../../company-client/stub.ts";
import type {
  TransitionCharge,
  TransitionChargeAnswer,
} from "../../company/charges/command-types.ts";
import type { StepResult } from "../../company/subscriptions/command-types.ts";
import type { Env } from "../../config.ts";
import { withTextsOfAll } from "../../db/archive/archived-texts.ts";
import { chargeTerms, type TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { isEndedCharge, isOpenCharge } from "../../domain/charges/charge-status.ts";
import { failureReason } from "../../domain/charges/failure-reason.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import { isOwed } from "../../domain/subscriptions/dunning.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { firstDebitedCycle } from "../../domain/subscriptions/schedule.ts";
import { callProvider } from "../../providers/provider.ts";
import { callNewer } from "../payments/call-newer.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { findTransaction } from "../transactions/repository.ts";
import { syncCharge } from "../transactions/sync.ts";
import { listByHand } from "./repository.ts";

/** Of some charges those that are paid, and those that have ended unpaid. */
interface Ended {
  paid: string[];
  over: string[];
}

/**
 * Ends the charges of a cycle that are not paid, unless one is paid meanwhile; the object looks at them itself. One with a
 * code is ended at its provider first: nobody must pay for what has ended. `unknown` where its provider did not say. What is
 * still owed can be paid by hand.
 */
export async function closeCharges(
  context: BookingContext,
  { subscription, cycle }: { subscription: Subscription; cycle: SubscriptionCycle },
): Promise<StepResult> {
  const { env, company } = context;
  const byHand = (await listByHand(env, company.id, cycle)).map(({ id }) => id);
  const { paid, over } = await endedOf(context, [cycle.transactionId, ...byHand]);
  const isByHandOver = !isOwed(cycle) || paid.length > 0;
  const ended = new Set([...paid, ...over]);
  const unended = byHand.filter((id) => !ended.has(id));
  if (isByHandOver && !(await endUnpaid(context, unended))) return { kind: "unknown" };
  const closed = { kind: "closed", isByHandOver } as const;
  const row = await findTransaction(env, company.id, cycle.transactionId);
  if (row === null) return closed;
  const isInvited = cycle.cycle < firstDebitedCycle(subscription.terms.journey);
  if (isInvited && !(await endsCode(context, row))) return { kind: "unknown" };
  const isUnpaid = !(await isAnyPaid(context, byHand));
  const isFailed = isOwed(cycle) || row.status === "creating";
  await endCharge(context, row, isUnpaid && isFailed ? "failed" : "cancelled");
  return closed;
}

/**
 * Whether a cycle may be paid by the charge that was made for a payment by hand. One that was paid or has ended meanwhile may
 * not: its code ends, of which its provider is told until it answers. Nor may a charge that has ended itself.
 */
export async function isPayableByHand(
  context: BookingContext,
  cycle: SubscriptionCycle,
  row: TransactionRow,
): Promise<boolean> {
  const { env, company } = context;
  const { transactionId } = cycle;
  if (row.status === "failed" || row.status === "cancelled") {
    // After a restore the object may not know it, nor those that came to nothing after it: nobody asks for each of them.
    if ((await tellEnded(context, row)) !== "transitioned") return false;
    const others = await listByHand(env, company.id, cycle);
    for (const other of await withTextsOfAll(env, others)) await tellEnded(context, other);
    return false;
  }
  const current = await callCompany(env, company.id, (account) =>
    account.findCycleOfCharge(transactionId),
  );
  const isUnowed = current !== null && !isOwed(current);
  if (!isUnowed && !(await isAnyPaid(context, [transactionId]))) return true;
  await callCompany(env, company.id, (account) =>
    account.cancelLostCharge({ companyId: company.id, terms: chargeTerms(row) }),
  );
  return false;
}

/** Tells the object that a charge was refused or cancelled, and what it made of that; null for any other charge. */
async function tellEnded(
  context: BookingContext,
  row: TransactionRow,
): Promise<TransitionChargeAnswer["kind"] | null> {
  const { status: to, cancelReason, failureReason: reason } = row;
  if (to !== "failed" && to !== "cancelled") return null;
  const why = { cancelReason: cancelReason ?? undefined, failureReason: reason ?? undefined };
  return transition(context, row, { to, ...why });
}

/** Ends charges that are neither paid nor known to have ended, as most are that were refused. False as of one. */
async function endUnpaid(context: BookingContext, ids: string[]): Promise<boolean> {
  for (const id of ids) if (!(await endByHand(context, id))) return false;
  return true;
}

/**
 * Ends a charge that a payer could pay by hand. False where its provider did not say that nobody can any more, as while it
 * is being made.
 */
async function endByHand(context: BookingContext, id: string): Promise<boolean> {
  const { env, company } = context;
  const row = await findTransaction(env, company.id, id);
  if (row === null) return true;
  if (row.status === "creating" || !(await endsCode(context, row))) return false;
  await endCharge(context, row, "cancelled");
  return true;
}

/** Whether one of some charges is paid, as the object has them. */
async function isAnyPaid(context: BookingContext, ids: string[]): Promise<boolean> {
  return (await endedOf(context, ids)).paid.length > 0;
}

/** Asks the object once, however many charges were refused; one of the release before, for each. */
export async function endedOf({ env, company }: BookingContext, ids: string[]): Promise<Ended> {
  if (ids.length === 0) return { paid: [], over: [] };
  return callNewer(
    env,
    company.id,
    (account) => account.findEndedCharges(ids),
    () => endedOneByOne(env, company.id, ids),
  );
}

async function endedOneByOne(env: Env, companyId: number, ids: string[]): Promise<Ended> {
  const ended: Ended = { paid: [], over: [] };
  for (const id of ids) {
    const charge = await callCompany(env, companyId, (account) => account.findCharge(id));
    if (charge === null) continue;
    if (charge.paidAt !== null) ended.paid.push(id);
    else if (isEndedCharge(charge.status)) ended.over.push(id);
  }
  return ended;
}

function endCharge(
  context: BookingContext,
  row: TransactionRow,
  to: "failed" | "cancelled",
): Promise<unknown> {
  return to === "failed"
    ? transition(context, row, { to, failureReason: failureReason("DEBIT_FAILED") })
    : transition(context, row, { to, cancelReason: "REQUESTED" });
}

async function transition(
  { env, company }: BookingContext,
  row: TransactionRow,
  change: Pick<TransitionCharge, "to" | "cancelReason" | "failureReason">,
): Promise<TransitionChargeAnswer["kind"]> {
  const { kind } = await callCompany(env, company.id, (account) =>
    account.transitionCharge({ companyId: company.id, terms: chargeTerms(row), ...change }),
  );
  return kind;
}

/** Whether nobody can pay a charge's code any more, or its money is booked. False where its provider did not say. */
async function endsCode(context: BookingContext, row: TransactionRow): Promise<boolean> {
  if (row.status !== "creating" && !isOpenCharge(row.status)) return true;
  const { deps, env, company } = context;
  const provider = await deps.providers(env).ofAccount(company, row.account, row.paymentMethod);
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
