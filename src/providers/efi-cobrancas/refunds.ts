import { foldText } from "../../lib/fold-text.ts";
import type { ProviderRefund, RefundOrder, RefundOutcome } from "../provider.ts";
import type { EfiCharge } from "./charge-report.ts";
import { timeOf } from "./time.ts";

const DAY_MS = 86_400_000;
/** How long a card's payment can be given back: a part of it, and all of it. */
const PARTIAL_MS = 90 * DAY_MS;
const TOTAL_MS = 360 * DAY_MS;
/** What the history says of money that went back, accents aside; and of what only was asked for, or failed. */
const GIVEN_BACK = /estorn|devol|reembols/;
const NOT_YET = /solicit|process|andamento|recus|negad|cancel|falh|nao /;

type AboutRefunds = Pick<EfiCharge, "ref" | "status" | "history">;

/** Our refunds of a charge as Efí shows them. */
export function refundReports(about: AboutRefunds, paymentId: string): ProviderRefund[] {
  return (about.ref.refunds ?? []).map(({ refundId: id, amount }) => ({
    id,
    paymentId,
    amount,
    status: isGivenBack(about, id) ? "DONE" : "PROCESSING",
  }));
}

/**
 * Whether a refund that was sent is done: the charge says that all was given back, or its history as often as that
 * refund needs, for they are sent one after the other.
 */
export function isGivenBack({ ref, status, history }: AboutRefunds, refundId: string): boolean {
  if (status === "refunded" && ref.contested !== true) return true;
  const refunds = ref.refunds ?? [];
  const at = refunds.findIndex((each) => each.refundId === refundId);
  // Efí's clock has whole seconds.
  const from = Math.floor((refunds[0]?.sentAt ?? 0) / 1_000) * 1_000;
  const ended = history.filter(({ message, created_at: text }) => {
    const words = foldText(message);
    return (timeOf(text) ?? 0) >= from && GIVEN_BACK.test(words) && !NOT_YET.test(words);
  });
  return at >= 0 && ended.length > at;
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
  const mustWait = (ref.refunds ?? []).some(
    ({ refundId, sentAt }) => nowMs < sentAt + DAY_MS || !isGivenBack(about, refundId),
  );
  return mustWait ? { kind: "processing" } : null;
}

function failed(reason: string): RefundOutcome {
  return { kind: "failed", reason };
}
