import { endOfDay } from "../../shared/business-day.ts";
import { dunningEndsAt, isDunned, offersLink } from "../dunning.ts";
import type { Subscription, SubscriptionCycle } from "../records.ts";
import { chargeAwaitedUntil, hasLink, isByHandUnmade, isCardOpen, nextOffer } from "./offers.ts";
import type { OfferedCycle } from "./offers.ts";

const DAY_MS = 24 * 3_600_000;

type DunnedSubscription = Pick<Subscription, "status" | "dunning" | "customer">;
type DunnedCycle = OfferedCycle & Pick<SubscriptionCycle, "debit">;

/** A step of a dunned cycle, and its time (epoch milliseconds; 0 for at once). */
interface DunningStep {
  kind: "give_up" | "offer_link" | "email_link" | "end_dunning" | "close_cycle";
  at: number;
}

/**
 * No attempt is left: the saved card is charged, and merchants hear with the failure of the link, which is made before; for a
 * day, where its provider does not answer.
 */
export function giveUpStep(
  subscription: DunnedSubscription,
  cycle: OfferedCycle,
  nowMs: number,
): DunningStep {
  const { attempts, dueDate } = cycle;
  if (!isDunned(subscription, cycle)) return { kind: "give_up", at: 0 };
  const offer = nextOffer(subscription, cycle);
  if (offer !== null && offer.at <= nowMs) return { kind: "offer_link", at: 0 };
  const day = attempts.at(-1)?.day ?? dueDate;
  const isLinkAwaited = offersLink(subscription, cycle) && isByHandUnmade(cycle);
  const isAwaited = isLinkAwaited || isCardOpen(cycle);
  return { kind: "give_up", at: isAwaited ? endOfDay(day) + DAY_MS : 0 };
}

/**
 * It was told that no attempt is left: the card and the link have their turns, the link is told by e-mail, and what is unpaid
 * after its days ends the subscription. `closesAt`: until when its merchant may order a retry.
 */
export function dunningStep(
  subscription: DunnedSubscription,
  cycle: DunnedCycle,
  closesAt: number,
): DunningStep {
  const { dunning: policy } = subscription;
  const { recovery } = cycle;
  const dunning = recovery?.dunning;
  if (policy === null || dunning === undefined || !isDunned(subscription, cycle))
    return { kind: "close_cycle", at: closesAt };
  const isPayable = hasLink(recovery) && cycle.byHandOverAt === null;
  if (policy.link === "email" && dunning.emailedAt === null && isPayable)
    return { kind: "email_link", at: dunning.since };
  const endsAt = dunningEndsAt(subscription, cycle);
  const awaited = chargeAwaitedUntil(subscription, cycle, dunning);
  const kind = endsAt === null ? "close_cycle" : "end_dunning";
  const end = { kind, at: Math.max(endsAt ?? closesAt, awaited) } as const;
  const offer = nextOffer(subscription, cycle);
  return offer !== null && offer.at < end.at ? { kind: "offer_link", at: offer.at } : end;
}
