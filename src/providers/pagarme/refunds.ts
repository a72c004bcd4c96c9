import type { Clock } from "../../domain/shared/clock.ts";
import type { RefundLookup, RefundOrder, RefundOutcome } from "../provider.ts";
import { isSettled, paidAmountOf, paymentIdOf } from "./charge-report.ts";
import type { PagarMeClient } from "./client.ts";
import { parseAs, type PagarMeOrders } from "./orders.ts";
import type { PagarMeRefs, RefundRef } from "./refs.ts";
import { Charge } from "./wire.ts";

const HOUR_MS = 60 * 60_000;
/** The house keeps a key, with its first outcome, for 24 hours from when it came there: an hour is for clocks. */
const KEY_KEPT_MS = 23 * HOUR_MS;
const KEY_FORGOTTEN_MS = 25 * HOUR_MS;

const UNKNOWN = { kind: "unknown" } as const;
const DONE = { kind: "done" } as const;
const PROCESSING = { kind: "processing" } as const;

/**
 * Gives card payments back. The house lists no refunds, only what was given back in all, so each one is told by its
 * idempotency key while that is kept: sent again, it gives the first outcome and no second refund. Later it is sent
 * again only if nothing at all has gone back since it was first sent.
 */
export class PagarMeRefunds {
  readonly #client: PagarMeClient;
  readonly #orders: PagarMeOrders;
  readonly #refs: PagarMeRefs;
  readonly #clock: Clock;

  constructor(parts: {
    client: PagarMeClient;
    orders: PagarMeOrders;
    refs: PagarMeRefs;
    clock: Clock;
  }) {
    this.#client = parts.client;
    this.#orders = parts.orders;
    this.#refs = parts.refs;
    this.#clock = parts.clock;
  }

  async send(order: RefundOrder): Promise<RefundOutcome> {
    const known = await this.#refs.refund(order.refundId);
    if (known?.isDone === true) return DONE;
    // What goes back meanwhile would be taken for the other one's.
    if (known === null && order.sentBefore !== undefined) return PROCESSING;
    const found = await this.#paidCharge(order);
    if (found.kind === "not_paid") return { kind: "failed", reason: found.reason };
    if (found.kind === "unknown") return UNKNOWN;
    const { chargeId, charge } = found;
    if (known !== null && !this.#maySendAgain(known, charge)) {
      return lateOutcome(known, order, charge);
    }
    const now = this.#clock.now();
    const isNewKey = known === null || now - known.sentAt >= KEY_FORGOTTEN_MS;
    const canceledBefore = charge.canceled_amount ?? 0;
    const ref = isNewKey ? { sentAt: now, canceledBefore, isDone: false } : known;
    if (isNewKey) await this.#refs.saveRefund(order.refundId, ref);
    const answer = await this.#client.call({
      method: "DELETE",
      path: ["charges", charge.id],
      body: { amount: order.amount },
      idempotencyKey: order.refundId,
    });
    if (answer.kind === "refused") return this.#refused(order, ref, answer.message);
    const answered = parseAs(Charge, answer.kind === "ok" ? answer.body : null);
    if (answered === null || answered.id !== charge.id) return UNKNOWN;
    const first = await this.#orders.withoutReleased(chargeId, answered);
    // The answer to a repeated key is of then; the charge was read just before.
    if (![first, charge].some((each) => isBack(ref, order, each))) return PROCESSING;
    await this.#refs.saveRefund(order.refundId, { ...ref, isDone: true });
    return DONE;
  }

  async find(order: RefundOrder): Promise<RefundLookup> {
    const ref = await this.#refs.refund(order.refundId);
    const isForgotten = ref === null && (await this.#refs.mayBeLost());
    if (ref === null && !isForgotten) return { kind: "not_found", neverSent: true };
    if (ref?.isDone === true) return DONE;
    const found = await this.#paidCharge(order);
    if (found.kind !== "paid") return UNKNOWN;
    if (ref === null) return forgottenRefund(found.charge);
    // Under a kept key it is the same refund, and a new one where the first never had any effect.
    if (this.#maySendAgain(ref, found.charge)) return { kind: "not_found", neverSent: true };
    return lateOutcome(ref, order, found.charge);
  }

  /** A refusal stands where less has gone back than was ordered: the house may refuse what it did all the same. */
  async #refused(order: RefundOrder, ref: RefundRef, reason: string): Promise<RefundOutcome> {
    const now = await this.#paidCharge(order);
    if (now.kind !== "paid" || isBack(ref, order, now.charge)) return UNKNOWN;
    return { kind: "failed", reason };
  }

  #maySendAgain(ref: RefundRef, charge: Charge): boolean {
    const age = this.#clock.now() - ref.sentAt;
    if (age < KEY_KEPT_MS) return true;
    const isUntouched = isSettled(charge) && (charge.canceled_amount ?? 0) === ref.canceledBefore;
    return age >= KEY_FORGOTTEN_MS && isUntouched;
  }

  async #paidCharge({
    chargeId,
    paymentId,
  }: RefundOrder): Promise<
    | { kind: "paid"; chargeId: string; charge: Charge }
    | { kind: "not_paid"; reason: string }
    | { kind: "unknown" }
  > {
    if (chargeId === null) return { kind: "not_paid", reason: "Pagar.me gives back charges only." };
    const found = await this.#orders.find(chargeId);
    if (found.kind === "unknown") return UNKNOWN;
    if (found.kind === "not_found") {
      return { kind: "not_paid", reason: "Pagar.me does not know this charge." };
    }
    const { charge } = found;
    const isPayment = paymentId === null || paymentId === paymentIdOf(charge);
    if (!isPayment) return { kind: "not_paid", reason: "The payment is of another charge." };
    // Of an unpaid one the same call would be a cancel, and of a boleto it needs the payer's account.
    const isPaid = charge.payment_method === "credit_card" && (paidAmountOf(charge) ?? 0) > 0;
    return isPaid
      ? { kind: "paid", chargeId, charge }
      : { kind: "not_paid", reason: "The charge has no card payment." };
  }
}

/** Whether as much has gone back as was ordered. An unknown word, and an error while refunding, are not final. */
function isBack(ref: RefundRef, order: RefundOrder, charge: Charge): boolean {
  return isSettled(charge) && (charge.canceled_amount ?? 0) >= ref.canceledBefore + order.amount;
}

/** What can be said of a refund of which nothing is remembered: it is there where all is back, and not where nothing is. */
function forgottenRefund(charge: Charge): RefundLookup {
  if (!isSettled(charge)) return UNKNOWN;
  const back = charge.canceled_amount ?? 0;
  if (back === 0) return { kind: "not_found", neverSent: true };
  return back === paidAmountOf(charge) ? DONE : UNKNOWN;
}

/** What can be said of a refund that may not be sent again: only that of a charge given back whole all is back. */
function lateOutcome(ref: RefundRef, order: RefundOrder, charge: Charge): RefundOutcome {
  const isWhole = charge.canceled_amount === paidAmountOf(charge);
  return isWhole && isBack(ref, order, charge) ? DONE : UNKNOWN;
}
