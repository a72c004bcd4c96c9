import { isEndedCharge, type ChargeStatus } from "../../domain/charges/charge-status.ts";
import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import {
  hasReservation,
  linkStatus,
  RENEWAL_MS,
  RENEWALS_MAX,
  RESERVATION_SECONDS,
} from "../../domain/links/payment-link.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { CHECKOUT_BYTES } from "../../domain/storage/quotas.ts";
import type { CardPayer } from "../../domain/cards/card-payer.ts";
import type {
  KeptCharge,
  ReservationAnswer,
  RenewReservation,
  RenewReservationAnswer,
  TakeReservation,
} from "./command-types.ts";
import type { DailyUsage } from "../storage/daily-usage.ts";
import type { CheckoutStore, StoredCheckout } from "./checkout-store.ts";
import type { Reservation, ReservationStore } from "./reservation-store.ts";
import type { LinkStore, StoredLink } from "./link-store.ts";
import type { LinkTransitions } from "./link-transitions.ts";

/** How long a reservation waits for its charge: longer than a request takes to claim one in D1. */
const HOLD_MS = 2 * 60_000;
/** Charges of one checkout, so that a payer who keeps changing the method ends. */
const CHARGES_MAX = 10;
/**
 * A PIX that expired keeps its reservation for so long: the sweep asks its provider first, for it may have been
 * paid in time. Without an answer it ends all the same.
 */
const LAPSE_GRACE_MS = 2 * 60_000;
/**
 * Reservations of limited links that one address may have taken within a day and still hold. A few, because
 * payers share an address behind their carrier's NAT.
 */
const HELD_PER_ADDRESS_MAX = 5;
const DAY_MS = 24 * 60 * 60_000;
/** Reservations freed in one commit; the next alarm frees the rest. */
const LAPSED_MAX = 100;

/** A charge as it was before and after a change. */
interface ChargeChange {
  transactionId: string;
  from: ChargeStatus;
  to: ChargeStatus;
  paidAmount: Cents;
}

/**
 * The reservations of links: one for each checkout. A payer's act holds one, its charge keeps it, a payment sells it,
 * and a checkout whose charges all ended gives it back. Every method that writes runs inside one
 * `transactionSync`.
 */
export class Reservations {
  readonly #links: LinkStore;
  readonly #checkouts: CheckoutStore;
  readonly #held: ReservationStore;
  readonly #transitions: LinkTransitions;
  readonly #usage: DailyUsage;

  constructor(deps: {
    links: LinkStore;
    checkouts: CheckoutStore;
    heldPlaces: ReservationStore;
    transitions: LinkTransitions;
    usage: DailyUsage;
  }) {
    this.#links = deps.links;
    this.#checkouts = deps.checkouts;
    this.#held = deps.heldPlaces;
    this.#transitions = deps.transitions;
    this.#usage = deps.usage;
  }

  /** Holds a reservation for a charge that is about to be made, or keeps it for the one that was. */
  take(command: TakeReservation, nowMs: number): ReservationAnswer {
    return command.charge === null
      ? this.#hold(command, nowMs)
      : this.#keep(command, command.charge, nowMs);
  }

  /** A repeat holds the same reservation for longer. What a payer stores is counted against the quota of links. */
  #hold(command: TakeReservation, nowMs: number): ReservationAnswer {
    const { linkId, checkoutId } = command;
    const link = this.#links.find(linkId);
    if (link === null) return { kind: "not_found" };
    const known = this.#checkouts.find(checkoutId);
    if (known !== null && known.link !== link.number) return { kind: "not_found" };
    if (known !== null && known.paidBy !== null)
      return { kind: "paid", transactionId: known.paidBy };
    const hasTaken = known !== null && isTaken(known);
    const status = linkStatus(link, nowMs);
    if (status !== "active" && !hasTaken) return { kind: "closed", status };
    if (!hasTaken && !hasReservation(link)) return { kind: "full" };
    if (!hasTaken && this.#isCrowded(link, command.address, nowMs)) return { kind: "crowded" };
    if ((known?.charges ?? 0) >= CHARGES_MAX) return { kind: "too_many" };
    if (hasTaken && command.isTimed && this.#isSpent(checkoutId)) return { kind: "too_many" };
    // A charge that was claimed is there already.
    const refusal = command.charge === null ? this.#usage.linkRefusal(command, nowMs) : null;
    if (refusal !== null) return refusal;
    if (known?.status === "open") return { kind: "taken" };
    if (!hasTaken) this.#begin(link, command, nowMs);
    if (known === null) this.#usage.addLinkBytes(CHECKOUT_BYTES, nowMs);
    this.#checkouts.save({
      ...(known ?? {
        id: checkoutId,
        link: link.number,
        paidBy: null,
        charges: 0,
        createdAt: nowMs,
      }),
      status: "held",
      heldUntil: nowMs + HOLD_MS,
    });
    return { kind: "taken" };
  }

  #isCrowded(link: StoredLink, address: string | null, nowMs: number): boolean {
    if (link.maxPayments === null || address === null) return false;
    const held = this.#held.countOf(address, nowMs - DAY_MS, HELD_PER_ADDRESS_MAX);
    return held >= HELD_PER_ADDRESS_MAX;
  }

  /** Whether another PIX of a checkout would hold its reservation for longer than one may. */
  #isSpent(checkoutId: string): boolean {
    const reservation = this.#held.find(checkoutId);
    return (
      reservation !== null && reservation.lapsesAt !== null && reservation.renewals >= RENEWALS_MAX
    );
  }

  #begin(link: StoredLink, { checkoutId, address }: TakeReservation, nowMs: number): void {
    this.#take(link, 1, nowMs);
    const isLimited = link.maxPayments !== null;
    const begun = { isLimited, address, takenAt: nowMs, lapsesAt: null, renewals: 0 };
    this.#held.save({ checkoutId, ...begun });
  }

  /**
   * Keeps a held reservation for the charge that was claimed, before its provider hears of it. A reservation that lapsed
   * meanwhile is taken again if there is one. A repeat changes nothing.
   */
  #keep(
    command: TakeReservation,
    { terms, expiresAt, bytes }: KeptCharge,
    nowMs: number,
  ): ReservationAnswer {
    const { checkoutId } = command;
    const kept = this.#checkouts.ofCharge(terms.transactionId);
    if (kept !== null) {
      const { paidBy } = kept;
      const isSoldTo = paidBy === null || paidBy === terms.transactionId;
      return isSoldTo ? { kind: "taken" } : { kind: "paid", transactionId: paidBy };
    }
    const answer = this.#hold(command, nowMs);
    if (answer.kind !== "taken") return answer;
    const held = this.#checkouts.find(checkoutId)!;
    const reservation = this.#held.find(checkoutId);
    const isTimed = command.isTimed && reservation?.isLimited === true;
    this.#checkouts.addCharge(checkoutId, terms, isTimed ? expiresAt : null);
    this.#checkouts.save({ ...held, status: "open", heldUntil: null, charges: held.charges + 1 });
    this.#usage.addLinkCharge(bytes, nowMs);
    if (reservation !== null) {
      const isAnother = isTimed && reservation.lapsesAt !== null;
      this.#setLapse({ ...reservation, renewals: reservation.renewals + (isAnother ? 1 : 0) });
    }
    return answer;
  }

  /** Begins the time of a limited link's PIX anew, at most twice for a reservation, and only when it is nearly over. */
  renew({ transactionId, expiresAt }: RenewReservation, nowMs: number): RenewReservationAnswer {
    const charge = this.#checkouts.findCharge(transactionId);
    const reservation = charge === null ? null : this.#held.find(charge.checkoutId);
    if (charge === null || reservation === null || !charge.isOpen || charge.expiresAt === null)
      return { kind: "ended" };
    // The answer to an earlier call was lost, or its provider did not hear of it.
    if (charge.expiresAt > expiresAt) return { kind: "renewed", expiresAt: charge.expiresAt };
    if (expiresAt <= nowMs) return { kind: "ended" };
    if (expiresAt - nowMs > RENEWAL_MS) return { kind: "early" };
    if (reservation.renewals >= RENEWALS_MAX) return { kind: "spent" };
    const renewedUntil = expiresAt + RESERVATION_SECONDS * 1_000;
    this.#checkouts.prolongCharge(transactionId, renewedUntil);
    this.#setLapse({ ...reservation, renewals: reservation.renewals + 1 });
    return { kind: "renewed", expiresAt: renewedUntil };
  }

  /** A reservation lapses with the last of its open charges, if each of them has an end by the clock. */
  #setLapse(reservation: Reservation): void {
    const expiry = this.#checkouts.lastExpiry(reservation.checkoutId);
    this.#held.save({ ...reservation, lapsesAt: expiry === null ? null : expiry + LAPSE_GRACE_MS });
  }

  /**
   * Gives back the reservations that were held for charges that were never made. Returns the open charges of
   * those whose PIX nobody paid in time: the caller ends them in the same commit, which gives these back.
   */
  freeLapsed(nowMs: number): ChargeTerms[] {
    for (const checkout of this.#checkouts.lapsed(nowMs, LAPSED_MAX)) this.#end(checkout, nowMs);
    return this.#held.lapsed(nowMs, LAPSED_MAX).flatMap((reservation) => {
      this.#held.save({ ...reservation, lapsesAt: null });
      return this.#checkouts.openCharges(reservation.checkoutId);
    });
  }

  /** Whether a charge was made under a link, and by which address, as far as its reservation is held. */
  payerOf(transactionId: string): CardPayer {
    const charge = this.#checkouts.findCharge(transactionId);
    if (charge === null) return { source: "api", address: null };
    return { source: "link", address: this.#held.find(charge.checkoutId)?.address ?? null };
  }

  /** Whether the quota of links counts a charge, and so no other. */
  countsCharge(transactionId: string): boolean {
    return this.#checkouts.findCharge(transactionId)?.isCounted === true;
  }

  /** The first reservations that end by a time (epoch ms), and when; each by its checkout. */
  dueBy(until: number, limit: number): { at: number; id: string }[] {
    const held = this.#checkouts
      .lapsed(until, limit)
      .map(({ id, heldUntil }) => ({ id, at: heldUntil ?? until }));
    const unpaid = this.#held
      .lapsed(until, limit)
      .map(({ checkoutId, lapsesAt }) => ({ id: checkoutId, at: lapsesAt ?? until }));
    return [...held, ...unpaid];
  }

  /** When `freeLapsed` has a reservation to free: of a checkout without a charge, of a PIX that nobody paid. */
  get dueTimes() {
    return { checkout: this.#checkouts.next, heldPlace: this.#held.next };
  }

  /**
   * Counts a charge that was paid or ended. Returns the checkout's other open charges once its first payment
   * came: the caller cancels them in the same commit.
   */
  chargeChanged(change: ChargeChange, nowMs: number): ChargeTerms[] {
    const { transactionId, from, to } = change;
    const isPaid = to === "paid" && from !== "paid" && from !== "refunded";
    const hasEnded = isEndedCharge(to) && !isEndedCharge(from);
    if (!isPaid && !hasEnded) return [];
    const charge = this.#checkouts.findCharge(transactionId);
    const checkout = charge === null ? null : this.#checkouts.find(charge.checkoutId);
    if (charge === null || checkout === null) return [];
    if (charge.isOpen && charge.isCounted) this.#usage.endLinkCharge();
    this.#checkouts.closeCharge(transactionId);
    const open = this.#checkouts.openCharges(checkout.id);
    if (isPaid && checkout.status !== "paid") {
      this.#sell(checkout, change, nowMs);
      return open;
    }
    if (isPaid || checkout.status !== "open") return [];
    const reservation = this.#held.find(checkout.id);
    if (open.length === 0) this.#end(checkout, nowMs);
    else if (reservation !== null) this.#setLapse(reservation);
    return [];
  }

  /**
   * Whether a link's charge may still be credited without asking: not once another one of its checkout was
   * paid (`paid_otherwise`), nor if its reservation was given back and others have all (`sold_out`). Null for any
   * other charge.
   */
  obstacleTo(transactionId: string): "paid_otherwise" | "sold_out" | null {
    const checkout = this.#checkouts.ofCharge(transactionId);
    if (checkout === null || checkout.paidBy === transactionId) return null;
    if (checkout.status === "paid") return "paid_otherwise";
    if (checkout.status !== "ended") return null;
    return hasReservation(this.#links.require(checkout.link)) ? null : "sold_out";
  }

  /** A payment after the reservation was given back counts too: the money has come. */
  #sell(
    checkout: StoredCheckout,
    { transactionId, paidAmount }: ChargeChange,
    nowMs: number,
  ): void {
    const link = this.#links.require(checkout.link);
    const openCount = link.openCount - (isTaken(checkout) ? 1 : 0);
    this.#held.remove(checkout.id);
    this.#checkouts.save({ ...checkout, status: "paid", heldUntil: null, paidBy: transactionId });
    this.#transitions.apply(
      link,
      { openCount, paidCount: link.paidCount + 1 },
      { transactionId, checkoutId: checkout.id, amount: paidAmount },
      nowMs,
    );
  }

  #end(checkout: StoredCheckout, nowMs: number): void {
    this.#held.remove(checkout.id);
    this.#checkouts.save({ ...checkout, status: "ended", heldUntil: null });
    this.#take(this.#links.require(checkout.link), -1, nowMs);
  }

  #take(link: StoredLink, reservations: 1 | -1, nowMs: number): void {
    this.#transitions.apply(link, { openCount: link.openCount + reservations }, null, nowMs);
  }
}

function isTaken({ status }: StoredCheckout): boolean {
  return status === "held" || status === "open";
}
