import type {
  Card,
  CardReport,
  NetworkRefusal,
  RegisteredBoleto,
} from "../../domain/charges/payment-details.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import { cardRefusal } from "../../domain/cards/abecs.ts";
import { withRetries } from "../../domain/cards/retry-rules.ts";
import type { PagarMeSettings } from "../../domain/psp/pagarme-settings.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { log } from "../../lib/log.ts";
import { isPossibleTime, type TimeBounds } from "../calls/told-time.ts";
import { parseBoleto } from "../../methods/boleto/boleto-code-parser.ts";
import type { ChargeDetails, ProviderPayment } from "../charge.ts";
import { savedCardOf } from "./saved-card.ts";
import type { Charge, Order, Transaction } from "./wire.ts";

/** Numbers of several providers share one name space in a company. */
const PAYMENT_PREFIX = "pgm:";
const METHODS = new Map<string, Exclude<PaymentMethod, "PIX">>([
  ["credit_card", "CREDIT_CARD"],
  ["boleto", "BOLETO"],
]);
/** Money is in, or was: how much says `paid_amount`. */
const WITH_MONEY = new Set(["paid", "underpaid", "overpaid", "partial", "partial_canceled"]);
const AUTHORIZED = new Set(["waiting_capture", "authorized_pending_capture"]);
/** The acquirer has said no. `with_error` is not among them: it says that the acquirer gave no answer. */
const REFUSED = new Set(["not_authorized", "failed"]);
const CAPTURED = new Set(["captured", "partial_capture"]);
/** What went back is not decided yet. */
const GOING_BACK = new Set(["waiting_cancellation", "error_on_voiding", "error_on_refunding"]);
/** A word of the antifraud that has refused an order. */
const REPROVED = "reproved";
/** The house has no id for what it gave back in all. */
const SUM_OF_REFUNDS = "sum";
/** `card-validator`'s names of the brands that are written otherwise. */
const BRANDS = new Map([
  ["amex", "american-express"],
  ["diners", "diners-club"],
]);
const CENTURY = 2_000;

/** Of which charge of ours the house tells, and between what its times can be. */
interface ToldOf {
  chargeId: string;
  bounds: TimeBounds;
}

const CHARGED_BACK = "chargedback";
const BARCODE = /^\d{44}$/;

/** The id of the one payment of a charge. */
export function paymentIdOf(charge: Pick<Charge, "id">): string {
  return PAYMENT_PREFIX + charge.id;
}

/** The charge of a payment's id; null for an id of another provider. */
export function chargeOfPayment(paymentId: string): string | null {
  const id = paymentId.slice(PAYMENT_PREFIX.length);
  return paymentId.startsWith(PAYMENT_PREFIX) && /^ch_\w{1,64}$/.test(id) ? id : null;
}

/** The order's one charge; null where it has none, or several, of which none is known to be the one. */
export function chargeOf(order: Order): Charge | null {
  const [charge, ...others] = order.charges;
  if (charge !== undefined && others.length === 0) return { ...charge, customer: order.customer };
  log("error", "pagarme_order_contradicts", { orderId: order.id, charges: order.charges.length });
  return null;
}

/** The centavos that came in for a charge; null where it does not say, 0 for none. */
export function paidAmountOf({ status, paid_amount: paid, last_transaction: last }: Charge) {
  const amount = paid ?? last?.paid_amount ?? null;
  return amount === null && status === "canceled" ? 0 : amount;
}

/**
 * What a partial capture released of an authorization, as `canceled_amount` counts it: as seen while nothing has gone
 * back yet, else as `known`. None where less than that is counted since: only what went back is. Undefined where nobody
 * saw it.
 */
export function releasedOf(charge: Charge, known: Cents | undefined): Cents | undefined {
  const canceled = charge.canceled_amount ?? 0;
  const isCaptured = CAPTURED.has(charge.last_transaction?.status ?? "");
  const isUntouched = charge.status === "paid" || charge.status === "partial";
  if (isCaptured && isUntouched && restOf(charge) > 0) return canceled;
  return known === undefined || canceled >= known ? known : 0;
}

/**
 * A charge whose `canceled_amount` is what was given back, without what its capture released (`releasedOf`). Where
 * nobody saw that, the rest counts as released if the amount can have it in it.
 */
export function withoutReleased(charge: Charge, released: Cents | undefined): Charge {
  const rest = restOf(charge);
  const canceled = charge.canceled_amount ?? 0;
  if (rest === 0 || canceled === 0) return charge;
  const counted = released ?? (canceled > rest ? rest : 0);
  return { ...charge, canceled_amount: canceled - counted };
}

/** Centavos of a card that were authorized and not captured; 0 while nothing is. */
function restOf(charge: Charge): Cents {
  const paid = paidAmountOf(charge) ?? 0;
  return charge.payment_method === "credit_card" && paid > 0
    ? Math.max(0, charge.amount - paid)
    : 0;
}

/** Whether what goes back of a charge is decided. */
export function isSettled({ last_transaction: last }: Charge): boolean {
  return !GOING_BACK.has(last?.status ?? "");
}

/** Whether a card is authorized and not captured. */
export function isAuthorized({ status, last_transaction: last }: Charge): boolean {
  return status === "pending" && AUTHORIZED.has(last?.status ?? "");
}

/**
 * The state of a charge with its money; null where nothing can be said, as after `with_error`. A word that is not known
 * is open, unless money came with it.
 */
export function chargeDetails(
  charge: Charge,
  account: { kind: PagarMeSettings["kind"] } & ToldOf,
): ChargeDetails | null {
  const method = METHODS.get(charge.payment_method);
  const paid = paidAmountOf(charge);
  if (method === undefined) return null;
  const report = method === "CREDIT_CARD" ? cardReportOf(charge) : null;
  const card = report === null ? {} : { card: report };
  const without = (status: ChargeDetails["status"]): ChargeDetails => {
    return { status, payments: [], disputes: [], refunds: [], ...card };
  };
  if (saysMoney(charge, account.kind)) {
    const payment = paid === null || paid === 0 ? null : paymentOf(charge, method, paid, account);
    if (payment === null) return null;
    const disputes = charge.status === CHARGED_BACK ? [chargebackOf(payment)] : [];
    return { status: "open", payments: [payment], disputes, refunds: refundsOf(charge), ...card };
  }
  switch (charge.status) {
    case "canceled":
      return without("cancelled");
    case "failed":
      return REFUSED.has(charge.last_transaction?.status ?? "")
        ? without(method === "CREDIT_CARD" ? "refused" : "failed")
        : null;
    case "pending":
      return without(method === "CREDIT_CARD" && isAuthorized(charge) ? "authorized" : "open");
    default:
      return (paid ?? 0) > 0 ? null : without("open");
  }
}

/** Whether the word of a charge says that money came. */
function saysMoney(charge: Charge, kind: PagarMeSettings["kind"]): boolean {
  if (charge.status === CHARGED_BACK) return kind === "psp";
  if (charge.status === "canceled") return paidAmountOf(charge) !== 0;
  return WITH_MONEY.has(charge.status);
}

/** Why the money of a charge of which nothing can be said is not read. */
export function moneyFaultOf(charge: Charge, kind: PagarMeSettings["kind"]): string {
  return saysMoney(charge, kind) ? "paid_at: Missing or impossible" : "status: Unknown value";
}

function paymentOf(
  charge: Charge,
  method: PaymentMethod,
  amount: Cents,
  { bounds, chargeId }: ToldOf,
): ProviderPayment | null {
  const paidAt = charge.paid_at ?? charge.last_transaction?.paid_at ?? null;
  if (paidAt === null || !isPossibleTime(paidAt, bounds, chargeId)) return null;
  return { paymentId: paymentIdOf(charge), method, amount, paidAt };
}

/** Pagar.me says neither its amount nor a deadline: it is of all that was not given back. */
function chargebackOf({ paymentId, amount }: ProviderPayment) {
  const id = `${paymentId}:chargeback`;
  return {
    id,
    paymentId,
    kind: "CHARGEBACK" as const,
    amount,
    isOfRest: true as const,
    status: "LOST" as const,
    reason: "CHARGEBACK" as const,
  };
}

/** The sum of what went back, once it is decided: only a cancelled charge gave money back. */
function refundsOf(charge: Charge): ChargeDetails["refunds"] {
  const { status, canceled_amount: amount } = charge;
  const isGivenBack = status === "canceled" || status === "partial_canceled";
  if (!isGivenBack || !isSettled(charge) || (amount ?? 0) === 0) return [];
  const paymentId = paymentIdOf(charge);
  return [{ id: SUM_OF_REFUNDS, paymentId, amount: amount ?? 0, status: "DONE", isSum: true }];
}

/** Null before the acquirer was asked. */
function cardReportOf(charge: Charge): CardReport | null {
  const { status, last_transaction: last } = charge;
  if (last === null || last === undefined) return null;
  const isRefused = status === "failed" && REFUSED.has(last.status ?? "");
  const card = cardOf(last);
  const isCharged = isAuthorized(charge) || WITH_MONEY.has(status);
  const savedCard = isCharged ? savedCardOf(charge) : null;
  return {
    card: card === null ? null : { ...card, authorizationCode: last.acquirer_auth_code ?? null },
    nsu: last.acquirer_nsu ?? null,
    refusedReason: isRefused ? refusalOf(card?.brand ?? "unknown", last) : null,
    ...(isRefused ? { networkRefusal: networkRefusalOf(last) } : {}),
    ...(savedCard === null ? {} : { savedCard }),
  };
}

/** Null where the acquirer does not name it. */
function cardOf({ card: named }: Transaction): Card | null {
  if (named === null || named === undefined) return null;
  return {
    brand: brandOf(named.brand ?? null),
    firstDigits: named.first_six_digits,
    lastDigits: named.last_four_digits,
    holderName: named.holder_name ?? "",
    expirationMonth: named.exp_month,
    expirationYear: named.exp_year < CENTURY ? CENTURY + named.exp_year : named.exp_year,
  };
}

function networkRefusalOf(last: Transaction): NetworkRefusal {
  const code = last.acquirer_return_code ?? null;
  return { code, advice: last.retry_info?.brand_failure_return_code ?? null };
}

function refusalOf(brand: string, last: Transaction) {
  const reason = cardRefusal({
    brand,
    ...networkRefusalOf(last),
    byAntifraud: last.antifraud_response?.status === REPROVED,
  });
  const attemptsLeft = last.retry_info?.transaction_limit ?? null;
  const freeAt = last.retry_info?.transaction_date_limit ?? null;
  return withRetries(reason, { attemptsLeft, notBefore: attemptsLeft === 0 ? freeAt : null });
}

function brandOf(name: string | null): string {
  const brand = (name ?? "").toLowerCase();
  return brand === "" ? "unknown" : (BRANDS.get(brand) ?? brand);
}

/**
 * What a registered boleto is paid by; null while the house has not said it. The barcode follows from the line: some
 * answers have the address of a picture in its place.
 */
export function registeredBoleto(charge: Charge, dueDate: string): RegisteredBoleto | null {
  const { line, barcode, nosso_numero: ourNumber, qr_code: code } = charge.last_transaction ?? {};
  const read = line === null || line === undefined ? null : parseBoleto(line, dueDate);
  if (read?.valid !== true) return null;
  const { digitableLine, barcode: ofLine } = read.content;
  return {
    barcode: BARCODE.test(barcode ?? "") ? (barcode ?? "") : ofLine,
    digitableLine,
    ourNumber: ourNumber ?? "",
    // BR Codes begin so (EMV); an address of a picture does not.
    qrcode: code?.startsWith("000201") === true ? code : null,
  };
}

/** The house's first own words for a refusal. */
export function refusalMessage(charge: Charge): string {
  const [first] = charge.last_transaction?.gateway_response?.errors ?? [];
  return first?.message ?? "Pagar.me did not register the charge.";
}
