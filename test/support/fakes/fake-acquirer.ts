import type { CardReport } from "../../../src/domain/charges/payment-details.ts";
import type { CardOrder } from "../../../src/methods/card/card.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import type { ChargeOutcome } from "../../../src/providers/provider.ts";
import type { ChargeOrder, ChargeReport, ChargeDetails } from "../../../src/providers/charge.ts";
import { FakeBank } from "./fake-bank.ts";

/** A valid card. */
export const CARD = {
  number: "4242424242424242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2035,
  cvv: "123",
};

/** An acquirer in memory that decides each card charge once and records its requests. */
export class FakeAcquirer extends FakeBank {
  /** Its known charges. */
  readonly sales = new Map<string, ChargeDetails>();
  /** Charge requests, repeats included. */
  readonly orders: CardOrder[] = [];
  declines = false;
  /** What it gives for the cards that it keeps; null where it keeps none. */
  savedCard: string | null = null;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
    this.onCreate = async (order) => this.authorize(order);
    this.onCapture = async (chargeId, amount) =>
      this.captureSale(chargeId, amount)
        ? { kind: "captured" }
        : { kind: "refused", reason: "not as it is" };
    this.onCancel = async (chargeId) =>
      this.voidSale(chargeId, "cancelled")
        ? { kind: "cancelled" }
        : { kind: "refused", reason: "not as it is" };
  }

  authorize(order: ChargeOrder): ChargeOutcome {
    if (order.paymentMethod !== "CREDIT_CARD") throw new Error("this acquirer knows only cards");
    const { chargeId, amount, card } = order;
    this.orders.push(card);
    const known = this.sales.get(chargeId);
    if (known !== undefined) return { kind: "decided", charge: known };
    const status = this.declines ? "refused" : "authorized";
    const saved = this.savedCard === null ? {} : { savedCard: this.savedCard };
    const report = { ...reportOf(chargeId, status), ...saved };
    const sale: ChargeDetails = { status, payments: [], disputes: [], refunds: [], card: report };
    this.sales.set(chargeId, sale);
    if (!this.declines && card.capture) this.captureSale(chargeId, amount);
    return { kind: "decided", charge: sale };
  }

  /** Captures an authorized card once; returns whether it is captured. */
  captureSale(chargeId: string, amount: number): boolean {
    const sale = this.sales.get(chargeId);
    if (sale?.status !== "authorized") return false;
    const [taken] = sale.payments;
    if (taken !== undefined) return taken.amount === amount;
    const payment = { paymentId: `C${chargeId}`, amount, paidAt: this.#clock.now() };
    sale.payments.push({ ...payment, method: "CREDIT_CARD" });
    return true;
  }

  /** Voids an authorization; returns whether it is voided. */
  voidSale(chargeId: string, status: "cancelled" | "expired"): boolean {
    const sale = this.sales.get(chargeId);
    if (sale?.status === "authorized" && sale.payments.length === 0) sale.status = status;
    return sale?.status === status;
  }

  override async findCharge(chargeId: string): Promise<ChargeReport> {
    this.chargeLookups.push(chargeId);
    const sale = this.sales.get(chargeId);
    return sale === undefined ? { kind: "not_found" } : { kind: "known", ...sale };
  }
}

function reportOf(chargeId: string, status: "refused" | "authorized"): CardReport {
  const { number, cvv: _cvv, ...rest } = CARD;
  const digits = { firstDigits: number.slice(0, 6), lastDigits: number.slice(-4) };
  const refused = status === "refused";
  const reason = { code: "CARD_DECLINED", message: "The card was declined.", retryable: false };
  return {
    card: {
      brand: "visa",
      ...digits,
      ...rest,
      authorizationCode: refused ? null : chargeId.slice(-6),
    },
    nsu: chargeId.slice(-12),
    refusedReason: refused ? reason : null,
  };
}
