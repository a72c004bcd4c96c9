import { foldText } from "../../lib/fold-text.ts";
import type { RefundOrder, RefundOutcome } from "../provider.ts";
import type { ProviderRefund } from "../charge.ts";
import type { EfiCharge, RefundRef, SentRefunds } from "./refs.ts";
import { timeOf } from "./time.ts";

const DAY_MS = 86_400_000;
/** Efí's clock may be so much behind ours. */
const CLOCK_MARGIN_MS = 5 * 60_000;
/** Between two refunds of a charge: a day, which Efí counts from when it took the first, and an hour for that. */
const APART_MS = DAY_MS + 60 * 60_000;
/** How long a card's payment can be given back: a part of it, and all of it. */
const PARTIAL_MS = 90 * DAY_MS;
const TOTAL_MS = 360 * DAY_MS;
/** What the history says of money that went back, accents aside; and of what only was asked for, or failed. */
const GIVEN_BACK = /estorn|devol|reembols/;
const NOT_YET = /solicit|process|andamento|recus|negad|cancel|falh|nao /;

type AboutRefunds = Pick<EfiCharge, "ref" | "refunds" | "status" | "history">;

/** Our refunds of a charge that Efí shows, or has taken: that one was sent is our own word, not Efí's. */
export function refundReports(about: AboutRefunds, paymentId: string): ProviderRefund[] {
  return about.refunds.flatMap(({ refundId: id, amount, isTaken }) => {
    const isDone = isGivenBack(about, id);
    if (!isDone && isTaken !== true) return [];
    return [{ id, paymentId, amount, status: isDone ? "DONE" : "PROCESSING" }];
  });
}

/**
 * Whether a refund that was sent is done: the charge says that all was given back, be the rest of it by a chargeback,
 * or its history as often as that refund needs, for they are sent one after the other.
 */
export function isGivenBack({ refunds, status, history }: AboutRefunds, refundId: string): boolean {
  if (status === "refunded") return true;
  const at = refunds.findIndex((each) => each.refundId === refundId);
  const from = (refunds[0]?.sentAt ?? 0) - CLOCK_MARGIN_MS;
  const ended = history.filter(({ message, created_at: text }) => {
    const words = foldText(message);
    return (timeOf(text) ?? 0) >= from && GIVEN_BACK.test(words) && !NOT_YET.test(words);
  });
  return at >= 0 && ended.length > at;
}

/**
 * Whether a refund that may have been sent may be sent (again): Efí did not answer, or nobody knows it, and its charge
 * shows nothing of a refund, a day later. Only one of the whole payment: if Efí had it all the same, it gives nothing
 * back a second time. Of a part nobody could tell.
 */
export function mayRepeat(
  order: Pick<RefundOrder, "amount">,
  { ref, status, history }: AboutRefunds,
  { sent, nowMs }: { sent: RefundRef | null; nowMs: number },
): boolean {
  const isUnanswered = sent?.isTaken !== true && nowMs >= (sent?.sentAt ?? 0) + DAY_MS;
  const isWhole = order.amount === ref.amount;
  return isUnanswered && isWhole && status === "paid" && !history.some(isOfRefund);
}

function isOfRefund({ message }: AboutRefunds["history"][number]): boolean {
  return GIVEN_BACK.test(foldText(message));
}

/** Why a refund is not sent, or not yet; null where it may be. */
export function refundObstacle(
  order: RefundOrder,
  about: AboutRefunds,
  { nowMs, paidAt }: { nowMs: number; paidAt: number },
): RefundOutcome | null {
  const { ref, status } = about;
  if (ref.method !== "CREDIT_CARD") return failed("Efí gives boletos back by hand only.");
  // Only what is credited can be given back, which takes some days.
  if (status === "approved") return { kind: "processing" };
  if (status !== "paid") return failed(`Efí says ${status} of the charge.`);
  const isWhole = order.amount === ref.amount;
  if (nowMs > paidAt + (isWhole ? TOTAL_MS : PARTIAL_MS))
    return failed("The payment is too old to be given back by card.");
  // One at a time, and one a day.
  const mustWait = othersThanFailed(about.refunds, order).some(
    ({ refundId, sentAt }) =>
      refundId !== order.refundId && (nowMs < sentAt + APART_MS || !isGivenBack(about, refundId)),
  );
  return mustWait ? { kind: "processing" } : null;
}

/**
 * The refunds that were sent, but for those that have failed since: an unanswered one of a part, of which Efí shows
 * nothing, ends by the word of operators only.
 */
export function othersThanFailed(
  sent: SentRefunds,
  { failedBefore = [] }: Pick<RefundOrder, "failedBefore">,
): SentRefunds {
  return sent.filter(({ refundId }) => !failedBefore.includes(refundId));
}

function failed(reason: string): RefundOutcome {
  return { kind: "failed", reason };
}
