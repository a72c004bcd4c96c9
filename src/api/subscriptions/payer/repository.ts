import { and, desc, eq } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../../db/client.ts";
import { companies } from "../../../db/schema/companies.ts";
import {
  subscriptionCycles,
  subscriptions,
} from "../../../db/schema/subscriptions/subscriptions.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import { askedByHand } from "../../../domain/subscriptions/dunning.ts";
import { companyIdOfTransactionId, parseSecureId } from "../../../domain/shared/ids.ts";
import type {
  OtherCharge,
  Subscription,
  SubscriptionCycle,
} from "../../../domain/subscriptions/records.ts";
import { timingSafeEqual } from "../../../lib/hash.ts";
import { PAYEE_COLUMNS, type Payee } from "../../checkout/repository.ts";
import { listStatuses } from "../repository.ts";

/** The cycles that a payer's page shows: those of a year, where it is monthly. */
const SHOWN_CYCLES = 13;

/** A subscription as its payer's pages need it. */
export interface PayersSubscription {
  subscription: Subscription;
  payee: Payee;
  /**
   * The newest first. `secureRandom`: that of its charge; null where the charge is not made yet. `byHand`: by which its payer
   * is to pay it now; null for none.
   */
  cycles: { cycle: SubscriptionCycle; secureRandom: string | null; byHand: OtherCharge | null }[];
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
    .select({ cycle: subscriptionCycles, secureRandom: transactions.secureRandom })
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
  const payable = await payableByHand(
    env,
    found.payee.id,
    cycles.map(({ cycle }) => cycle),
  );
  return {
    ...found,
    cycles: cycles.map(({ cycle, secureRandom }) => ({
      cycle,
      secureRandom,
      byHand: payable.get(cycle.cycle) ?? null,
    })),
  };
}

/** The charges by which cycles are to be paid by hand now, by their places. */
async function payableByHand(
  env: Env,
  companyId: number,
  cycles: SubscriptionCycle[],
): Promise<Map<number, OtherCharge>> {
  const asked = cycles.flatMap((cycle) => {
    const byHand = cycle.recovery?.byHand;
    const isAsked = byHand?.isMade === true && askedByHand(cycle) === "now";
    return isAsked ? [{ place: cycle.cycle, byHand }] : [];
  });
  if (asked.length === 0) return new Map();
  const ids = asked.map(({ byHand }) => byHand.id);
  const statuses = await listStatuses(env, companyId, ids);
  const open = new Set(
    statuses.filter(({ status }) => status === "waiting_payment").map(({ id }) => id),
  );
  return new Map(
    asked.filter(({ byHand }) => open.has(byHand.id)).map(({ place, byHand }) => [place, byHand]),
  );
}

/** As `findSubscriptionForPayer`, without the cycles: what a page that polls needs. */
export async function findPolledSubscription(
  env: Env,
  secureId: string,
): Promise<Omit<PayersSubscription, "cycles"> | null> {
  const secure = parseSecureId(secureId);
  const companyId = secure === null ? null : companyIdOfTransactionId(secure.transactionId);
  if (secure === null || companyId === null) return null;
  const [found] = await databaseFor(env, companyId)
    .select({ subscription: subscriptions, payee: PAYEE_COLUMNS })
    .from(subscriptions)
    .innerJoin(companies, eq(companies.id, subscriptions.companyId))
    .where(and(eq(subscriptions.companyId, companyId), eq(subscriptions.id, secure.transactionId)));
  if (found === undefined) return null;
  // One that is older than the pages has no random half, which no `secureId` has.
  return timingSafeEqual(found.subscription.secureRandom, secure.secureRandom) ? found : null;
}
