import { callCompany } from "../../company-client/stub.ts";
import { configOf, type Env } from "../../config.ts";
import { companyIdOfTransactionId } from "../../domain/shared/ids.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { chargeView } from "../../domain/subscriptions/subscription-view.ts";
import { invalidState } from "../../http/problems.ts";
import { ensureBesideDebit, isCharged, madeBesideDebit } from "./charges/beside-debit.ts";
import { isPayableByHand } from "./close-charge.ts";
import { listStatuses } from "./repository.ts";
import { actOnCharge, cardOpen, type SubscriptionContext } from "./service.ts";

/**
 * Makes the charge by which the payer pays a cycle by hand, once; a repeated call answers it. Both of the cycle's charges
 * are known before anything is sent. Throws 404, 409 for a cycle that is paid, what the creation of a charge throws, and
 * `StaleVersionError`.
 */
export async function makeByHand(
  context: SubscriptionContext & { traceId: string },
  { id, transactionId }: { id: string; transactionId: string },
): Promise<{ subscription: Subscription; cycle: SubscriptionCycle; replayed: boolean }> {
  const { env, deps, caller, traceId } = context;
  const { company } = caller;
  const action = { kind: "by_hand", transactionId } as const;
  const acted = await actOnCharge(context, { id, action, key: null });
  const booking = { env, deps, company, traceId };
  const beside = await ensureBesideDebit(booking, acted);
  // After a restore the object may have learned only now of the card that was charged under this id.
  if (beside.kind !== "made" || isCharged(beside.row)) throw cardOpen();
  const { row } = beside;
  const { cycle } = acted;
  // The debit may have brought its money meanwhile: nobody is to pay twice.
  const isPayable = await isPayableByHand(booking, cycle, row);
  if (row.failure !== null) throw new Problem(row.failure.problem);
  if (!isPayable && !acted.replayed)
    throw invalidState("The charge is paid or has ended", "charge_closed");
  if (!isPayable || cycle.recovery?.byHand?.isMade !== false) return acted;
  // The object makes none for a cycle that has ended, and after a restore it knows another half of the `secureId`.
  const made = await callCompany(env, company.id, async (object) => {
    await object.reportSubscriptionStep({
      companyId: company.id,
      number: acted.subscription.number,
      step: { kind: "make_by_hand", cycle: cycle.cycle },
      lease: null,
      result: madeBesideDebit(row),
    });
    return object.findCycleOfCharge(transactionId);
  });
  return { ...acted, cycle: made ?? cycle };
}

/** Cycles' charges as the API shows them. */
export async function chargeViews(
  env: Env,
  subscription: Subscription,
  cycles: SubscriptionCycle[],
  nowMs: number,
): Promise<ReturnType<typeof chargeView>[]> {
  const { publicUrl } = configOf(env);
  const ids = cycles.flatMap(({ recovery }) => recovery?.byHand?.id ?? []);
  const companyId = companyIdOfTransactionId(subscription.id) ?? 0;
  const rows = ids.length === 0 ? [] : await listStatuses(env, companyId, ids);
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  return cycles.map((cycle) => {
    const byHandStatus = statuses.get(cycle.recovery?.byHand?.id ?? "") ?? null;
    return chargeView(subscription, { cycle, byHandStatus }, { publicUrl, nowMs });
  });
}
