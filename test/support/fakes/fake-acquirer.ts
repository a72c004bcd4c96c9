import { findTransaction } from "../../../src/api/transactions/repository.ts";
import { syncCharge, type SyncOutcome } from "../../../src/api/transactions/sync.ts";
import type { CardReport } from "../../../src/domain/charges/payment-details.ts";
import type { CardOrder } from "../../../src/methods/card/card.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import type {
  ChargeOrder,
  ChargeOutcome,
  ChargeReport,
  ChargeDetails,
} from "../../../src/providers/provider.ts";
import type { Answer, Call } from "../builders/api.ts";
import { env, type TestCompany } from "./env.ts";
import { FakeBank } from "./fake-bank.ts";
import { createTransaction } from "../builders/transaction.ts";
import { transactionsOf } from "../probes/webhook-rows.ts";

/** A card that may be charged anywhere. */
const CARD = {
  number: "4242424242424242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2035,
  cvv: "123",
};

/** An acquirer in memory that decides a card once for each charge, and remembers what it was sent. */
export class FakeAcquirer extends FakeBank {
  /** What it knows of each charge. */
  readonly sales = new Map<string, ChargeDetails>();
  /** What cards were charged with, repeats included. */
  readonly orders: CardOrder[] = [];
  declines = false;
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
    const report = reportOf(chargeId, status);
    const sale: ChargeDetails = { status, payments: [], disputes: [], refunds: [], card: report };
    this.sales.set(chargeId, sale);
    if (!this.declines && card.capture) this.captureSale(chargeId, amount);
    return { kind: "decided", charge: sale };
  }

  /** Takes the money of an authorized card, once. Answers whether it has it. */
  captureSale(chargeId: string, amount: number): boolean {
    const sale = this.sales.get(chargeId);
    if (sale?.status !== "authorized") return false;
    const [taken] = sale.payments;
    if (taken !== undefined) return taken.amount === amount;
    const payment = { paymentId: `C${chargeId}`, amount, paidAt: this.#clock.now() };
    sale.payments.push({ ...payment, method: "CREDIT_CARD" });
    return true;
  }

  /** Ends an authorization without money. Answers whether it ended so. */
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

/** A create of a card of 100.00; `capture` false only authorizes it. */
export function createCardCharge(
  company: TestCompany,
  cardOptions: { capture?: boolean; installments?: number } = {},
  options: Call & { key?: string } = {},
): Promise<Answer> {
  const { capture = true, installments = 1 } = cardOptions;
  const customer = {
    name: "Maria da Silva",
    document: { type: "CPF", number: "52998224725" },
  };
  const card = { ...CARD, capture };
  const request = { amount: 10_000, paymentMethod: "CREDIT_CARD", installments, customer, card };
  return createTransaction(company, request, options);
}

/** What a callback leads to: the company's one charge is read back. */
export async function refreshCharge(
  company: TestCompany,
  bank: FakeBank,
  clock: Clock,
): Promise<SyncOutcome> {
  const [transaction] = await transactionsOf(company);
  if (transaction === undefined) throw new Error("there is no transaction");
  const row = await findTransaction(env, company.id, transaction.id);
  if (row === null) throw new Error("the transaction is not in D1");
  return syncCharge(env, bank, row, clock.now());
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
