import { feeOn, type Fee, NO_FEE } from "../../../../src/domain/ledger/fees.ts";
import {
  businessDayFrom,
  saoPauloDay,
  startOfDay,
} from "../../../../src/domain/shared/business-day.ts";
import type { Clock } from "../../../../src/domain/shared/clock.ts";
import type { Said } from "./book.ts";

const DAY_MS = 86_400_000;
const PAGE_SIZE = 10;

/** What the house does to the receivables of the next payment. */
export type PayableLie = "fee_too_high" | "missing" | "late" | "amount_too_low";

/**
 * The receivables of one account: one for each installment of a payment, made with it, paid on their day. The odd centavo
 * of a division goes to the last one. A test sets the prices and tells the lies.
 */
export class FakePayables {
  /** What the house takes, by its own word for the method. */
  readonly prices: Record<string, Fee> = { credit_card: NO_FEE, boleto: NO_FEE };
  /** Days from a payment to its first receivable. */
  readonly days: Record<string, number> = { credit_card: 30, boleto: 1 };
  readonly all: any[] = [];
  readonly #lies: PayableLie[] = [];
  readonly #clock: Clock;
  readonly #newId: () => string;

  constructor(clock: Clock, newId: () => string) {
    this.#clock = clock;
    this.#newId = newId;
  }

  lieOnce(lie: PayableLie): void {
    this.#lies.push(lie);
  }

  /** The receivables of a payment. */
  credit(charge: any, amount: number): void {
    const method: string = charge.payment_method;
    const count: number = charge.last_transaction?.installments ?? 1;
    const fee = feeOn(amount, this.prices[method] ?? NO_FEE);
    const [lie] = this.#lies.splice(0, 1);
    for (let installment = 1; installment <= count; installment++) {
      const isLast = installment === count;
      if (lie === "missing" && isLast) continue;
      const days = installment * (this.days[method] ?? 0) + (lie === "late" ? 10 : 0);
      const due = businessDayFrom(saoPauloDay(this.#clock.now() + days * DAY_MS));
      this.#add(charge, "credit", {
        amount: partOf(amount, count, isLast) - (lie === "amount_too_low" && isLast ? 1 : 0),
        fee: partOf(fee, count, isLast) + (lie === "fee_too_high" && isLast ? 1 : 0),
        installment,
        payment_date: new Date(startOfDay(due)).toISOString(),
      });
    }
  }

  /** What a refund or a chargeback takes away again, at once. */
  takeBack(charge: any, type: "refund" | "chargeback", amount: number): void {
    const today = saoPauloDay(this.#clock.now());
    const payment_date = new Date(startOfDay(today)).toISOString();
    this.#add(charge, type, { amount: -amount, fee: 0, installment: 1, payment_date });
  }

  /** The house says otherwise what a receivable is. */
  restate(index: number, change: object): void {
    Object.assign(this.all[index], change, { updatedAt: this.#clock.now() });
  }

  list(query: URLSearchParams): Said {
    this.#settle();
    const since = Date.parse(query.get("updated_since") ?? "");
    const until = Date.parse(query.get("updated_until") ?? "");
    const size = Number(query.get("size") ?? PAGE_SIZE);
    const start = Number(query.get("forward_cursor") ?? 0);
    const found = this.all.filter(({ updatedAt }) => updatedAt >= since && updatedAt < until);
    const data = found.slice(start, start + size).map(({ updatedAt: _updatedAt, ...said }) => said);
    const forward_cursor = start + size < found.length ? String(start + size) : null;
    return { status: 200, body: { data, paging: { forward_cursor } } };
  }

  /** Pays what is due by now. */
  #settle(): void {
    for (const payable of this.all) {
      const paidAt = Date.parse(payable.payment_date);
      if (payable.status !== "waiting_funds" || paidAt > this.#clock.now()) continue;
      Object.assign(payable, { status: "paid", updatedAt: Math.max(paidAt, payable.updatedAt) });
    }
  }

  #add(charge: any, type: string, said: object): void {
    const now = this.#clock.now();
    this.all.push({
      id: this.#newId(),
      status: "waiting_funds",
      anticipation_fee: 0,
      fraud_coverage_fee: 0,
      gateway_id: null,
      charge_id: charge.id,
      split_id: null,
      bulk_anticipation_id: null,
      anticipation_id: null,
      recipient_id: "re_0000000000000001",
      originator_model: null,
      originator_model_id: null,
      original_payment_date: null,
      settlement_id: null,
      payment_profile_id: null,
      type,
      payment_method: charge.payment_method,
      accrual_at: new Date(now).toISOString(),
      created_at: new Date(now).toISOString(),
      ...said,
      updatedAt: now,
    });
  }
}

/** The last part takes the remainder. */
function partOf(total: number, count: number, isLast: boolean): number {
  const share = Math.floor(total / count);
  return isLast ? total - share * (count - 1) : share;
}
