import { canMoveCharge } from "../domain/charge-status.ts";
import { transactionEventType } from "../domain/event-types.ts";
import { chargePaid, paymentSuspended } from "../domain/ledger.ts";
import { CURRENCY } from "../domain/money.ts";
import type { ChargeState } from "../domain/transaction.ts";
import { assert } from "../lib/assert.ts";
import type { ChargeStore, StoredCharge } from "./charge-store.ts";
import type {
  MoveCharge,
  MoveChargeAnswer,
  SettlePayment,
  SettlePaymentAnswer,
} from "./commands.ts";
import type { LedgerStore } from "./ledger-store.ts";
import type { MetaStore } from "./meta-store.ts";
import type { OutboxStore } from "./outbox-store.ts";

/**
 * What happens to charges. Every method runs inside one `transactionSync`: what it writes is there
 * as a whole or not at all, and nothing in it awaits.
 */
export class ChargeFlow {
  readonly #charges: ChargeStore;
  readonly #ledger: LedgerStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(stores: {
    charges: ChargeStore;
    ledger: LedgerStore;
    meta: MetaStore;
    outbox: OutboxStore;
  }) {
    this.#charges = stores.charges;
    this.#ledger = stores.ledger;
    this.#meta = stores.meta;
    this.#outbox = stores.outbox;
  }

  /**
   * A payment the provider confirmed, known by its `endToEndId` (BACEN), which is credited at most
   * once. Money that no open charge expects is kept in `suspense`, never lost, never credited twice.
   */
  settle(command: SettlePayment, nowMs: number): SettlePaymentAnswer {
    const { payment, terms } = command;
    assert(payment.amount > 0, "a payment moves money");
    if (this.#charges.hasPayment(payment.endToEndId)) return { kind: "already" };
    const charge = this.#charges.find(terms, nowMs);
    const expected = canMoveCharge(charge.status, "paid");
    this.#charges.addPayment({
      ...payment,
      transactionId: terms.transactionId,
      suspended: !expected,
    });
    this.#ledger.post(
      {
        type: expected ? "charge_paid" : "payment_suspended",
        currency: CURRENCY,
        postings: expected ? chargePaid(payment.amount) : paymentSuspended(payment.amount),
        transactionId: terms.transactionId,
      },
      nowMs,
    );
    if (!expected) return { kind: "suspended" };
    this.#move(
      charge,
      {
        status: "paid",
        paidAt: payment.paidAt,
        paidAmount: payment.amount,
        endToEndId: payment.endToEndId,
        cancelReason: null,
      },
      nowMs,
    );
    return { kind: "credited" };
  }

  /** A charge that ended without money. Repeating it changes nothing. */
  end(command: MoveCharge, nowMs: number): MoveChargeAnswer {
    const charge = this.#charges.find(command.terms, nowMs);
    if (charge.status === command.to) return { kind: "already" };
    if (!canMoveCharge(charge.status, command.to)) {
      return { kind: "not_allowed", status: charge.status };
    }
    this.#move(charge, { status: command.to, cancelReason: command.cancelReason ?? null }, nowMs);
    return { kind: "moved" };
  }

  #move(
    charge: StoredCharge,
    change: Partial<ChargeState> & Pick<ChargeState, "status">,
    nowMs: number,
  ): void {
    assert(canMoveCharge(charge.status, change.status), `${charge.status} to ${change.status}`);
    const type = transactionEventType(change.status);
    const moved: StoredCharge = {
      ...charge,
      ...change,
      version: charge.version + 1,
      updatedAt: nowMs,
      eventSequence: charge.eventSequence + (type === null ? 0 : 1),
    };
    this.#charges.save(moved);
    const { transactionId, amount: _, paymentMethod: __, eventSequence, ...state } = moved;
    this.#outbox.add(
      {
        kind: "transaction",
        transactionId,
        state,
        event:
          type === null
            ? null
            : {
                type,
                companySequence: this.#meta.next("company_sequence"),
                sequence: eventSequence,
                previousStatus: charge.status,
                timestamp: nowMs,
              },
      },
      nowMs,
    );
  }
}
