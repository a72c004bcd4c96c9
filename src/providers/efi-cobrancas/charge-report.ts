import type { CardReport } from "../../domain/charges/payment-details.ts";
import { createdAtOfTransactionId } from "../../domain/shared/ids.ts";
import { isPossibleTime } from "../calls/told-time.ts";
import type {
  ChargeDetails,
  ProviderDispute,
  ProviderPayment,
  ProviderRefund,
  UnreadableRecord,
} from "../charge.ts";
import { chargebackIdOf, paymentIdOf, type EfiCharge, type KnownRef } from "./refs.ts";
import { refundReports } from "./refunds.ts";
import { timeOf } from "./time.ts";

/** A charge, or why its state is unclear. `conflict`: only a person can say what happened. */
export type EfiReport =
  | { kind: "known"; charge: ChargeDetails; unreadable: UnreadableRecord[] }
  | { kind: "not_found" }
  | { kind: "unclear"; fault: string };

/** States in which no charge has come to an end, and those in which only a boleto has not. */
const LEAVE_OPEN = new Set(["new", "link", "waiting", "identified", "settled"]);
const LEAVE_BOLETO_OPEN = new Set(["unpaid", "approved"]);
const NO_MONEY = { payments: [], disputes: [], refunds: [] };

/**
 * The state of a charge with its money. The amount of a boleto is what Efí says was paid, never what was asked: fine,
 * interest and discount change it.
 */
export function chargeReport(about: EfiCharge, nowMs: number): EfiReport {
  const isCard = about.ref.method === "CREDIT_CARD";
  switch (about.status) {
    case "new":
    case "link":
      // A card is decided at once: the order to charge it did not arrive.
      return isCard ? { kind: "not_found" } : known({});
    case "waiting":
    case "identified":
      return known({});
    case "unpaid":
      return isCard ? known({ status: "refused", card: refusedCard(about.reason) }) : known({});
    case "settled":
      return settledByHand(about);
    case "canceled":
      return known({ status: "cancelled" });
    case "expired":
      return known({ status: "expired" });
    case "approved":
      return isCard ? paidReport(about, nowMs) : known({});
    case "paid":
    case "contested":
    case "refunded":
      return paidReport(about, nowMs);
  }
}

function known(charge: Partial<ChargeDetails>): EfiReport {
  return { kind: "known", charge: { status: "open", ...NO_MONEY, ...charge }, unreadable: [] };
}

function paidReport(about: EfiCharge, nowMs: number): EfiReport {
  const payment =
    about.ref.method === "CREDIT_CARD" ? cardPayment(about, nowMs) : boletoPayment(about, nowMs);
  if (typeof payment === "string") return { kind: "unclear", fault: payment };
  const isCard = about.ref.method === "CREDIT_CARD";
  const charge: ChargeDetails = {
    status: isCard ? "authorized" : "open",
    payments: [payment],
    disputes: disputesOf(about, payment),
    refunds: refundsOf(about, payment),
  };
  return { kind: "known", charge, unreadable: [] };
}

/** A card is charged what was ordered; interest of installments is between its payer and Efí. */
function cardPayment(
  { ref, paid, decidedAt, chargeId }: EfiCharge,
  nowMs: number,
): ProviderPayment | string {
  const since = createdAtOfTransactionId(chargeId);
  const decided = decidedAt === null ? null : timeOf(decidedAt);
  const paidAt = decided ?? since;
  if (!isPossibleTime(paidAt, { since, nowMs }, null)) return "created_at: Impossible";
  const amount = paid?.paid_value ?? ref.amount;
  if (amount !== ref.amount) return "paid_value: Not the amount that was ordered";
  return { paymentId: paymentIdOf(ref.efiId, undefined), method: "CREDIT_CARD", amount, paidAt };
}

function boletoPayment(about: EfiCharge, nowMs: number): ProviderPayment | string {
  const { ref, seen, paid, chargeId } = about;
  const amount = paid?.paid_value ?? seen.told?.value ?? 0;
  if (amount === 0) return "paid_value: Missing";
  const time = paid?.paid_at ?? paid?.received_by_bank_at ?? null;
  const paidAt = time === null ? (seen.told?.at ?? null) : timeOf(time);
  const bounds = { since: createdAtOfTransactionId(chargeId), nowMs };
  if (paidAt === null || !isPossibleTime(paidAt, bounds, null)) return "paid_at: Impossible";
  const paidBy = paidByOf(about);
  const method = paidBy === "pix" ? "PIX" : "BOLETO";
  return { paymentId: paymentIdOf(ref.efiId, paidBy), method, amount, paidAt };
}

/**
 * How a boleto was paid: as first seen. Efí's word for both is the same; a bank reports a day of its own
 * (`received_by_bank_at`), a Pix has none.
 */
export function paidByOf({
  ref,
  seen,
  paid,
}: Pick<EfiCharge, "ref" | "seen" | "paid">): "bank" | "pix" {
  if (seen.paidBy !== undefined) return seen.paidBy;
  const isByBank = (paid?.received_by_bank_at ?? null) !== null || seen.told?.isByBank === true;
  return ref.pixTxid === undefined || isByBank ? "bank" : "pix";
}

/**
 * A chargeback ends with the money given back, or with the charge paid again: what goes back after that is a refund. One
 * after a won one is another dispute. Efí names no amount of it, and has one word for what went back: of that, a lost one
 * took what our refunds leave, and none where they leave nothing.
 */
function disputesOf(about: EfiCharge, payment: ProviderPayment): ProviderDispute[] {
  const { ref, seen, status, refunds } = about;
  const count = seen.chargebacks ?? (status === "contested" ? 1 : 0);
  const { amount } = payment;
  const rest = refunds.reduce((left, refund) => left - refund.amount, amount);
  const won = { status: "WON", amount } as const;
  const lost = rest > 0 ? ({ status: "LOST", amount: rest } as const) : won;
  const last = status === "contested" ? ({ status: "OPEN", amount } as const) : lost;
  return Array.from({ length: count }, (_, index) => ({
    id: chargebackIdOf(ref.efiId, index + 1),
    paymentId: payment.paymentId,
    kind: "CHARGEBACK",
    isOfRest: true,
    ...(index === count - 1 && isContested(about) ? last : won),
    reason: "CHARGEBACK",
  }));
}

/**
 * Those of ours that are remembered, and of a payment that is given back whole the sum: a restore of the database may have
 * made one of ours forgotten, which is not to be taken twice. What a lost chargeback took is no refund.
 */
function refundsOf(about: EfiCharge, payment: ProviderPayment): ProviderRefund[] {
  const { ref, status } = about;
  const ours = refundReports(about, payment.paymentId);
  if (status !== "refunded" || isContested(about)) return ours;
  const { paymentId, amount } = payment;
  const id = `efi:${ref.efiId}:refunded`;
  return [...ours, { id, paymentId, amount, status: "DONE", isSum: true }];
}

/** Whether a chargeback was not won: it is open, or the money went back by it. */
function isContested({ seen, status }: Pick<EfiCharge, "seen" | "status">): boolean {
  return (
    status === "contested" ||
    (status === "refunded" && seen.chargebacks !== undefined && seen.won !== true)
  );
}

/** Whether a charge stays open in a state, as `chargeReport` says it: another notice tells of what comes later. */
export function leavesOpen(status: string, method: KnownRef["method"]): boolean {
  return LEAVE_OPEN.has(status) || (method === "BOLETO" && LEAVE_BOLETO_OPEN.has(status));
}

/** A person said at Efí that it is settled: no money came. */
function settledByHand(about: EfiCharge): EfiReport {
  const fault = "status: settled by hand at Efí, without any money";
  return {
    kind: "known",
    charge: { status: "open", ...NO_MONEY },
    unreadable: [
      unreadableCharge(
        paymentIdOf(about.ref.efiId, about.seen.paidBy),
        about.chargeId,
        about.status,
        fault,
      ),
    ],
  };
}

/** A record of a charge that cannot be read, without its payer. */
export function unreadableCharge(
  paymentId: string,
  chargeId: string,
  status: string,
  fault: string,
): UnreadableRecord {
  const body = JSON.stringify({ payment: paymentId, custom_id: chargeId, status });
  return { paymentId, chargeId, payoutId: null, body, fault };
}

/** A refusal in Efí's words, which are for operators: the merchant gets a code. */
export function refusedCard(reason: string | null, retryable = false): CardReport {
  const message = reason ?? "The acquirer gave no reason.";
  return { card: null, nsu: null, refusedReason: { code: "CARD_DECLINED", message, retryable } };
}
