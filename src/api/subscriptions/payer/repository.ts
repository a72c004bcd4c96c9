import { and, desc, eq, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../../db/client.ts";
import { companies } from "../../../db/schema/companies.ts";
import {
  subscriptionCycles,
  subscriptions,
} from "../../../db/schema/subscriptions/subscriptions.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import { askedByHand, isLeftToPayer } from "../../../domain/subscriptions/dunning.ts";
import { companyIdOfTransactionId, parseSecureId } from "../../../domain/shared/ids.ts";
import type {
  OtherCharge,
  Subscription,
  SubscriptionCycle,
} from "../../../domain/subscriptions/records.ts";
import { firstDebitedCycle } from "../../../domain/subscriptions/schedule.ts";
import { timingSafeEqual } from "../../../lib/hash.ts";
import { PAYEE_COLUMNS, type Payee } from "../../checkout/repository.ts";
import { listStatuses } from "../repository.ts";

/** The cycles that a payer's page shows: those of a year, where it is monthly. */
const SHOWN_CYCLES = 13;

/** A charge that has a page. */
type PagedCharge = Pick<OtherCharge, "id" | "secureRandom">;

/** What a page that polls needs. */
export interface PolledSubscription {
  subscription: Subscription;
  /** Whether what is paid with the approval is paid; it says nothing of the approval. */
  isApprovalPaid: boolean;
}

/** A subscription as its payer's pages need it. */
export interface PayersSubscription extends PolledSubscription {
  payee: Payee;
  /**
   * The newest first. `byHand`: the charge by which its payer is to pay it now; null for none. `paidBy`: that which is paid,
   * also where the cycle is still open.
   */
  cycles: { cycle: SubscriptionCycle; byHand: PagedCharge | null; paidBy: PagedCharge | null }[];
}

/** The subscription of a payer's page with its company and newest cycles; null for anything but its `secureId`. */
export async function findSubscriptionForPayer(
  env: Env,
  secureId: string,
): Promise<PayersSubscription | null> {
  const found = await findPolledSubscription(env, secureId);
  if (found === null) return null;
  const { subscription } = found;
  const cycles = await databaseFor(env, found.payee.id)
    .select({
      cycle: subscriptionCycles,
      secureRandom: transactions.secureRandom,
      paidAt: transactions.paidAt,
    })
    .from(subscriptionCycles)
    .leftJoin(transactions, eq(transactions.id, subscriptionCycles.transactionId))
    .where(
      and(
        eq(subscriptionCycles.companyId, found.payee.id),
        eq(subscriptionCycles.subscriptionId, subscription.id),
      ),
    )
    .orderBy(desc(subscriptionCycles.cycle))
    .limit(SHOWN_CYCLES);
  const byHand = await byHandOf(
    env,
    subscription,
    cycles.map(({ cycle }) => cycle),
  );
  return {
    ...found,
    cycles: cycles.map(({ cycle, secureRandom, paidAt }) => {
      const { asked = null, paid = null } = byHand.get(cycle.cycle) ?? {};
      const isDebited = secureRandom !== null && paidAt !== null;
      const paidBy = isDebited ? { id: cycle.transactionId, secureRandom } : paid;
      return { cycle, byHand: asked, paidBy };
    }),
  };
}

/** By their places: the charges by which cycles are to be paid by hand now, or are paid. */
async function byHandOf(
  env: Env,
  subscription: Subscription,
  cycles: SubscriptionCycle[],
): Promise<Map<number, { asked: OtherCharge | null; paid: OtherCharge | null }>> {
  const made = cycles.flatMap((cycle) => {
    const byHand = cycle.recovery?.byHand;
    return byHand?.isMade === true ? [{ cycle, byHand }] : [];
  });
  if (made.length === 0) return new Map();
  const ids = made.map(({ byHand }) => byHand.id);
  const companyId = companyIdOfTransactionId(subscription.id) ?? 0;
  const statuses = new Map(
    (await listStatuses(env, companyId, ids)).map(({ id, status }) => [id, status]),
  );
  return new Map(
    made.map(({ cycle, byHand }) => {
      const status = statuses.get(byHand.id);
      const isAsked = askedByHand(cycle) === "now" || isLeftToPayer(subscription, cycle);
      const isOpen = isAsked && status === "waiting_payment";
      const isPaid = status === "paid" || status === "refunded";
      return [cycle.cycle, { asked: isOpen ? byHand : null, paid: isPaid ? byHand : null }];
    }),
  );
}

/** As `findSubscriptionForPayer`, without the cycles. */
export async function findPolledSubscription(
  env: Env,
  secureId: string,
): Promise<Omit<PayersSubscription, "cycles"> | null> {
  const secure = parseSecureId(secureId);
  const companyId = secure === null ? null : companyIdOfTransactionId(secure.transactionId);
  if (secure === null || companyId === null) return null;
  const [found] = await databaseFor(env, companyId)
    .select({
      subscription: subscriptions,
      payee: PAYEE_COLUMNS,
      isFirstPaid: sql<number>`coalesce(${subscriptionCycles.status} = 'paid'
        OR ${transactions.paidAt} IS NOT NULL, 0)`,
    })
    .from(subscriptions)
    .innerJoin(companies, eq(companies.id, subscriptions.companyId))
    .leftJoin(
      subscriptionCycles,
      and(
        eq(subscriptionCycles.companyId, subscriptions.companyId),
        eq(subscriptionCycles.subscriptionId, subscriptions.id),
        eq(subscriptionCycles.cycle, 1),
      ),
    )
    .leftJoin(transactions, eq(transactions.id, subscriptionCycles.transactionId))
    .where(and(eq(subscriptions.companyId, companyId), eq(subscriptions.id, secure.transactionId)));
  if (found === undefined) return null;
  // One that is older than the pages has no random half, which no `secureId` has.
  if (!timingSafeEqual(found.subscription.secureRandom, secure.secureRandom)) return null;
  const { subscription, payee, isFirstPaid } = found;
  const isPaidWithApproval = firstDebitedCycle(subscription.terms.journey) > 1;
  return { subscription, payee, isApprovalPaid: isPaidWithApproval && isFirstPaid === 1 };
}
