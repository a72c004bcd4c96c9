import type { PaymentMethod } from "../charges/charge-status.ts";
import { isoTime, isoTimeOrNull } from "../shared/clock.ts";
import type { Cents } from "../shared/money.ts";

/** The links that a company may make. Each keeps its count for ever. */
export const PAYMENT_LINKS_MAX = 10_000;

/**
 * How long an unpaid PIX of a limited link holds its reservation. Long enough to open a bank's app and pay, short
 * enough that nobody empties a link by looking at it.
 */
export const RESERVATION_SECONDS = 15 * 60;
/** How often that time begins anew while the PIX's page is open. */
export const RENEWALS_MAX = 2;
/** A page may ask for more time when so little is left. */
export const RENEWAL_MS = 3 * 60_000;

/** What a link may ask of its payer. */
export const LINK_FIELDS = ["name", "document", "email"] as const;
type LinkField = (typeof LINK_FIELDS)[number];

/** Something that the page asks of the payer. */
interface AskedField {
  name: LinkField;
  required: boolean;
}

/** What a link sells and how. Never changes once it is made. Centavos. */
export interface LinkTerms {
  /** The fixed amount; null where the payer chooses. */
  amount: Cents | null;
  /** The range of an open amount; null for a fixed amount and for a list. */
  minimum: Cents | null;
  maximum: Cents | null;
  /** The amounts to choose from; null where there is no list. */
  amounts: Cents[] | null;
  /** The most of it that one payment may buy; 1 asks for no quantity. */
  maxQuantity: number;
  paymentMethods: PaymentMethod[];
  /** The most installments of a card; 1 where it is paid at once. */
  maxInstallments: number;
  /** There where the page offers to keep the card, so that the company may charge it again. */
  saveCard?: true;
  fields: AskedField[];
  /** Where the payer goes back to; null for nowhere. */
  returnUrl: string | null;
}

export const LINK_STATUSES = ["active", "inactive", "expired", "exhausted"] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** A payment link. The company's object owns it; D1 has a copy. Times are epoch milliseconds. */
export interface PaymentLink {
  /** Dense within the company, from 1. */
  number: number;
  /** Laid out as a transaction's id. */
  id: string;
  slug: string;
  name: string;
  isActive: boolean;
  terms: LinkTerms;
  /** The most payments; null for any number. */
  maxPayments: number | null;
  expiresAt: number | null;
  /** Goes into each charge; null without one. */
  metadata: string | null;
  paidCount: number;
  /** Reservations that are held by payers who have not paid yet. */
  openCount: number;
  createdAt: number;
  updatedAt: number;
  /** Grows by one with each change. */
  version: number;
}

/** What made the payment that an event is about. Centavos. */
export interface LinkPayment {
  transactionId: string;
  checkoutId: string;
  amount: Cents;
}

/** Whether a link has had all of its payments. */
export function isExhausted({
  maxPayments,
  paidCount,
}: Pick<PaymentLink, "maxPayments" | "paidCount">): boolean {
  return maxPayments !== null && paidCount >= maxPayments;
}

/** Whether another payer finds a reservation: what others hold may become free again. */
export function hasReservation(
  link: Pick<PaymentLink, "maxPayments" | "paidCount" | "openCount">,
): boolean {
  return link.maxPayments === null || link.paidCount + link.openCount < link.maxPayments;
}

/** What a link is now. `inactive` is the merchant's word, so it stands before the others. */
export function linkStatus(
  link: Pick<PaymentLink, "isActive" | "expiresAt" | "maxPayments" | "paidCount">,
  nowMs: number,
): LinkStatus {
  if (!link.isActive) return "inactive";
  if (isExhausted(link)) return "exhausted";
  return link.expiresAt !== null && link.expiresAt <= nowMs ? "expired" : "active";
}

/** Whether an amount is one that the link asks for, for one piece. Centavos. */
export function isAmountOf({ amount, minimum, maximum, amounts }: LinkTerms, value: Cents) {
  if (amount !== null) return value === amount;
  if (amounts !== null) return amounts.includes(value);
  return value >= (minimum ?? 1) && value <= (maximum ?? Number.MAX_SAFE_INTEGER);
}

/** A link as the API shows it; `origin`: the service's public address. Centavos. */
export function paymentLinkView(link: PaymentLink, origin: string, nowMs: number) {
  const { amount, minimum, maximum, amounts, maxQuantity } = link.terms;
  const { paymentMethods, maxInstallments, saveCard = false, fields, returnUrl } = link.terms;
  return {
    id: link.id,
    slug: link.slug,
    url: linkUrl(origin, link.slug),
    name: link.name,
    status: linkStatus(link, nowMs),
    amount,
    minimum,
    maximum,
    amounts,
    maxQuantity,
    maxPayments: link.maxPayments,
    paidCount: link.paidCount,
    openCount: link.openCount,
    expiresAt: isoTimeOrNull(link.expiresAt),
    paymentMethods,
    maxInstallments,
    saveCard,
    fields,
    metadata: link.metadata,
    returnUrl,
    createdAt: isoTime(link.createdAt),
    updatedAt: isoTime(link.updatedAt),
  };
}

/** Where a payer opens a link. */
function linkUrl(origin: string, slug: string): string {
  return `${origin}/l/${slug}`;
}

/** The `data` of a link's webhooks. Centavos. */
export function linkEventData(
  companyId: number,
  link: PaymentLink,
  payment: LinkPayment | null,
  event: { previousStatus: LinkStatus; timestamp: number },
) {
  const { id, slug, name, maxPayments, paidCount, metadata } = link;
  return {
    id,
    companyId,
    slug,
    name,
    status: linkStatus(link, event.timestamp),
    previousStatus: event.previousStatus,
    maxPayments,
    paidCount,
    metadata,
    transactionId: payment?.transactionId ?? null,
    amount: payment?.amount ?? null,
  };
}
