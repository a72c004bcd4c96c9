import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { approvalChargeKey, debitChargeKey } from "../../domain/charges/payment-charge.ts";
import { endOfDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import { chargeBytes } from "../../domain/storage/quotas.ts";
import { DUNNING_DAYS_MAX } from "../../domain/subscriptions/dunning.ts";
import type { Subscription, SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { RETRY_DAYS_MAX } from "../../domain/subscriptions/subscription.ts";
import { methodOf } from "../../methods/registry.ts";
import type { Provider } from "../../providers/provider.ts";
import { archiveCharge } from "../charge-archive/archive-charge.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { insertPaymentCharge } from "../transactions/claim/repository.ts";
import { registerCharge } from "../transactions/register-charge.ts";
import { findTransaction } from "../transactions/repository.ts";
import { claimCharge, draftOf, requestOf } from "./charges/draft.ts";

/**
 * How long after its last possible retry and its dunning the charge of a debit ends by the clock, where nothing else has
 * ended it: its due date may move past a weekend and holidays of a town.
 */
const EXPIRY_DAYS = RETRY_DAYS_MAX + 14 + DUNNING_DAYS_MAX;

/** A cycle of a subscription whose charge is made. */
interface Cycle {
  subscription: Subscription;
  cycle: SubscriptionCycle;
}

/**
 * The charge of a cycle that is debited: made once, under an id that was fixed with the cycle. No provider hears of it as a
 * charge, and nobody has a code for it. No quota stops what the payer has approved.
 */
export async function ensureDebitCharge(
  context: BookingContext,
  provider: Pick<Provider, "name" | "account">,
  { subscription, cycle }: Cycle,
): Promise<TransactionRow> {
  const { env, deps, company } = context;
  const known = await findTransaction(env, company.id, cycle.transactionId);
  if (known !== null) return known;
  const request = requestOf(subscription, cycle);
  const idempotencyKey = debitChargeKey(subscription.id, cycle.cycle);
  const { transactionId: id } = cycle;
  const draft = await draftOf(context, provider, { id, request, idempotencyKey });
  const expiresAt = endOfDay(addDays(cycle.dueDate, EXPIRY_DAYS));
  const automatic = { cycle: cycle.cycle, dueDate: cycle.dueDate };
  const row = await insertPaymentCharge(
    env,
    {
      ...draft,
      idempotencyKey,
      status: "waiting_payment",
      pix: { automatic, subscriptionId: subscription.id },
      expiresAt,
      leaseUntil: 0,
      nextSweepAt: expiresAt,
    },
    chargeBytes(request),
  );
  await archiveCharge(env, row, deps.clock.now());
  return row;
}

/**
 * The charge that the payer pays while he approves: at once until he cannot approve any more (`QR_AND_PAY`), or on its due
 * date. Registered like any other PIX. Throws what its creation throws.
 */
export async function ensureApprovalCharge(
  context: BookingContext & { traceId: string },
  provider: Provider,
  { subscription, cycle }: Cycle,
): Promise<TransactionRow> {
  const { env, deps, company } = context;
  const request = {
    ...requestOf(subscription, cycle),
    pix: pixOf(context, { subscription, cycle }),
  };
  const idempotencyKey = approvalChargeKey(subscription.id);
  const { transactionId: id } = cycle;
  const draft = await draftOf(context, provider, { id, request, idempotencyKey });
  const row =
    (await findTransaction(env, company.id, id)) ??
    (await claimCharge(context, { subscription, request, draft }));
  const method = methodOf(row.paymentMethod);
  if (row.answeredAt !== null || method.initiation === "pull") return row;
  // One Worker has the step; the cron may have begun to resume it, under the same id.
  return registerCharge({ env, deps, company, traceId: context.traceId }, provider, row, method);
}

function pixOf({ deps }: BookingContext, { subscription, cycle }: Cycle) {
  const { terms, approvalExpiresAt } = subscription;
  if (terms.journey === "QR_ON_DUE") return { dueDate: cycle.dueDate };
  const seconds = Math.ceil((approvalExpiresAt - deps.clock.now()) / 1_000);
  return { expiresInSeconds: Math.max(60, seconds) };
}
