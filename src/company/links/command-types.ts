import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import type { LinkStatus, LinkTerms, PaymentLink } from "../../domain/links/payment-link.ts";
import type { QuotaRefusal, TakeQuota } from "../storage/daily-usage.ts";
import type { VersionConflict, VersionedCommand } from "../runtime/versioned-command.ts";

interface LinkCommand extends VersionedCommand, Pick<TakeQuota, "quotaPercent"> {
  id: string;
}

/** A new link. The caller makes `id` and `slug`, so that a repeated call makes no second one. */
export interface CreateLink extends LinkCommand {
  kind: "create";
  link: {
    slug: string;
    name: string;
    terms: LinkTerms;
    maxPayments: number | null;
    expiresAt: number | null;
    metadata: string | null;
  };
  /** The client's idempotency key, if it sent one. */
  key: string | null;
  requestHash: string;
  /** Whether the caller found nothing against it; a replay is answered all the same. */
  isPossible: boolean;
}

/** A change of a link. What is left out stays. */
export interface ChangeLink extends LinkCommand {
  kind: "change";
  change: {
    name?: string | undefined;
    isActive?: boolean | undefined;
    expiresAt?: number | null | undefined;
    maxPayments?: number | null | undefined;
    metadata?: string | null | undefined;
  };
}

export type WritePaymentLink = CreateLink | ChangeLink;

/**
 * `written` as the link stood right after. `below_taken`: the limit would be below the payments and the
 * reservations that payers hold.
 */
export type WritePaymentLinkAnswer =
  | { kind: "written"; link: PaymentLink; replayed: boolean }
  | { kind: "key_reused" | "too_many" | "not_found" | "impossible" }
  | { kind: "below_taken"; taken: number }
  | QuotaRefusal
  | VersionConflict;

/** A payer's page makes a card's token. */
export interface UseCardSession extends TakeQuota {
  /** Of the session, made with the page. */
  id: string;
  expiresAt: number;
}

/** A payer acts: a reservation of the link is held for the charge that the caller makes next. */
export interface TakeReservation extends Pick<TakeQuota, "companyId" | "quotaPercent"> {
  linkId: string;
  /** Made with the page, so that a repeated act finds the reservation that it has. */
  checkoutId: string;
  /** A keyed hash of the payer's network address; null where the caller does not know it. */
  address: string | null;
  /** Whether the charge has an end by the clock, as a PIX, so that its reservation of a limited link has one too. */
  isTimed: boolean;
  /** The charge that was claimed and that keeps the reservation; null before there is one. */
  charge: KeptCharge | null;
}

/** A claimed charge of a link. */
export interface KeptCharge {
  terms: ChargeTerms;
  /** The end of a timed one, epoch milliseconds. */
  expiresAt: number | null;
  /** What it counts against the quota of links. */
  bytes: number;
}

/**
 * `full`: no reservation is free. `crowded`: the payer's address holds its most reservations. `too_many`: the checkout
 * has had its most charges, or its reservation its most time. `paid`: its reservation is sold, to this transaction.
 */
export type ReservationAnswer =
  | { kind: "taken" }
  | { kind: "not_found" | "full" | "crowded" | "too_many" }
  | QuotaRefusal
  | { kind: "closed"; status: Exclude<LinkStatus, "active"> }
  | { kind: "paid"; transactionId: string };

/** The page of a limited link's PIX is open, and its time is nearly over. */
export interface RenewReservation {
  companyId: number;
  transactionId: string;
  /** When the charge expires as the caller knows it, epoch milliseconds. */
  expiresAt: number;
}

/**
 * `renewed`: reservation and charge last until `expiresAt`; a repeated call gets the same. `early`: much time is
 * left. `spent`: it was renewed as often as it may. `ended`: the charge holds no reservation with an end.
 */
export type RenewReservationAnswer =
  | { kind: "renewed"; expiresAt: number }
  | { kind: "early" | "spent" | "ended" };

export type UseCardSessionAnswer = { kind: "used" | "used_before" } | QuotaRefusal;
