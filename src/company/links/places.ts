import { isEndedCharge, type ChargeStatus } from "../../domain/charges/charge-status.ts";
import type { ChargeTerms } from "../../domain/charges/transaction.ts";
import { hasPlace, linkStatus } from "../../domain/links/payment-link.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { PlaceAnswer, TakePlace } from "../rpc-types.ts";
import type { CheckoutStore, StoredCheckout } from "./checkout-store.ts";
import type { LinkStore, StoredLink } from "./link-store.ts";
import type { LinkTransitions } from "./link-transitions.ts";

/** How long a place waits for its charge: longer than a request takes to claim one in D1. */
const HOLD_MS = 2 * 60_000;
/** Charges of one checkout, so that a payer who keeps changing the method ends. */
const CHARGES_MAX = 10;
/** Places freed in one commit; the next alarm frees the rest. */
const LAPSED_MAX = 100;

/** A charge as it was before and after a change. */
interface ChargeChange {
  transactionId: string;
  from: ChargeStatus;
  to: ChargeStatus;
  paidAmount: Cents;
}

/**
 * The places of links: one for each checkout. A payer's act holds one, its charge keeps it, a payment sells it,
 * and a checkout whose charges all ended gives it back. Every method that writes runs inside one
 * `transactionSync`.
 */
export class Places {
  readonly #links: LinkStore;
  readonly #checkouts: CheckoutStore;
  readonly #transitions: LinkTransitions;

  constructor(deps: { links: LinkStore; checkouts: CheckoutStore; transitions: LinkTransitions }) {
    this.#links = deps.links;
    this.#checkouts = deps.checkouts;
    this.#transitions = deps.transitions;
  }

  /** Holds a place for a charge that is about to be made, or keeps it for the one that was. */
  take(command: TakePlace, nowMs: number): PlaceAnswer {
    const { checkoutId, terms } = command;
    return terms === null
      ? this.#hold(command, nowMs)
      : this.#keep(checkoutId, terms, command, nowMs);
  }

  /** A repeat holds the same place for longer. */
  #hold({ linkId, checkoutId }: TakePlace, nowMs: number): PlaceAnswer {
    const link = this.#links.find(linkId);
    if (link === null) return { kind: "not_found" };
    const known = this.#checkouts.find(checkoutId);
    if (known !== null && known.link !== link.number) return { kind: "not_found" };
    if (known !== null && known.paidBy !== null)
      return { kind: "paid", transactionId: known.paidBy };
    const hasTaken = known !== null && isTaken(known);
    const status = linkStatus(link, nowMs);
    if (status !== "active" && !hasTaken) return { kind: "closed", status };
    if (!hasTaken && !hasPlace(link)) return { kind: "full" };
    if ((known?.charges ?? 0) >= CHARGES_MAX) return { kind: "too_many" };
    if (known?.status === "open") return { kind: "taken" };
    if (!hasTaken) this.#take(link, 1, nowMs);
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

  /**
   * Keeps a held place for the charge that was claimed, before its provider hears of it. A place that lapsed
   * meanwhile is taken again if there is one. A repeat changes nothing.
   */
  #keep(checkoutId: string, terms: ChargeTerms, command: TakePlace, nowMs: number): PlaceAnswer {
    const kept = this.#checkouts.ofCharge(terms.transactionId);
    if (kept !== null) {
      const { paidBy } = kept;
      const isSoldTo = paidBy === null || paidBy === terms.transactionId;
      return isSoldTo ? { kind: "taken" } : { kind: "paid", transactionId: paidBy };
    }
    const answer = this.#hold(command, nowMs);
    if (answer.kind !== "taken") return answer;
    const held = this.#checkouts.find(checkoutId)!;
    this.#checkouts.addCharge(checkoutId, terms);
    this.#checkouts.save({ ...held, status: "open", heldUntil: null, charges: held.charges + 1 });
    return answer;
  }

  /** Gives back the places that were held for charges that were never made. */
  freeLapsed(nowMs: number): void {
    for (const checkout of this.#checkouts.lapsed(nowMs, LAPSED_MAX)) this.#end(checkout, nowMs);
  }

  /** When the first held place lapses (epoch ms); null if none is held. */
  nextDueAt(): number | null {
    return this.#checkouts.nextHeldUntil();
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
    const checkout = this.#checkouts.ofCharge(transactionId);
    if (checkout === null) return [];
    this.#checkouts.closeCharge(transactionId);
    const open = this.#checkouts.openCharges(checkout.id);
    if (isPaid && checkout.status !== "paid") {
      this.#sell(checkout, change, nowMs);
      return open;
    }
    if (!isPaid && checkout.status === "open" && open.length === 0) this.#end(checkout, nowMs);
    return [];
  }

  /**
   * Whether a link's charge may still be credited without asking: not once another one of its checkout was
   * paid (`paid_otherwise`), nor if its place was given back and others have all (`sold_out`). Null for any
   * other charge.
   */
  obstacleTo(transactionId: string): "paid_otherwise" | "sold_out" | null {
    const checkout = this.#checkouts.ofCharge(transactionId);
    if (checkout === null || checkout.paidBy === transactionId) return null;
    if (checkout.status === "paid") return "paid_otherwise";
    if (checkout.status !== "ended") return null;
    return hasPlace(this.#links.require(checkout.link)) ? null : "sold_out";
  }

  /** A payment after the place was given back counts too: the money has come. */
  #sell(
    checkout: StoredCheckout,
    { transactionId, paidAmount }: ChargeChange,
    nowMs: number,
  ): void {
    const link = this.#links.require(checkout.link);
    const openCount = link.openCount - (isTaken(checkout) ? 1 : 0);
    this.#checkouts.save({ ...checkout, status: "paid", heldUntil: null, paidBy: transactionId });
    this.#transitions.apply(
      link,
      { openCount, paidCount: link.paidCount + 1 },
      { transactionId, checkoutId: checkout.id, amount: paidAmount },
      nowMs,
    );
  }

  #end(checkout: StoredCheckout, nowMs: number): void {
    this.#checkouts.save({ ...checkout, status: "ended", heldUntil: null });
    this.#take(this.#links.require(checkout.link), -1, nowMs);
  }

  #take(link: StoredLink, places: 1 | -1, nowMs: number): void {
    this.#transitions.apply(link, { openCount: link.openCount + places }, null, nowMs);
  }
}

function isTaken({ status }: StoredCheckout): boolean {
  return status === "held" || status === "open";
}
