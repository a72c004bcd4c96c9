import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { systemClock, type Clock } from "../../../../src/domain/shared/clock.ts";
import { encodeBoleto } from "../../../../src/methods/boleto/boleto-code.ts";
import type { RawCard } from "../../../../src/methods/card/card.ts";
import { FakePayables } from "./payables.ts";
import { cardDecision, hasBrand } from "./simulators.ts";

/** An answer before it is written. */
export interface Said {
  status: number;
  body: any;
}

export const DAY_MS = 86_400_000;
/** An authorization may be captured for so long. */
const CAPTURE_MS = 5 * DAY_MS;
const BANK = "237";
const INSTRUCTIONS_MAX = 256;
const DOCUMENT_NUMBER_MAX = 16;
const INSTALLMENTS_MAX = 12;

/** An error in the house's words. `errors`: texts by the field of the request. */
export function refusal(status: number, message: string, errors?: Record<string, string[]>): Said {
  return { status, body: { message, ...(errors === undefined ? {} : { errors }) } };
}

/**
 * What Pagar.me knows of one account: orders, their charges and the tokens of cards. It checks sums, dates and limits,
 * which the house's own models do not.
 */
export class PagarMeBook {
  readonly orders: any[] = [];
  readonly payables: FakePayables;
  /** A token lives so long, and is taken once. */
  tokenMs = 60_000;
  readonly #tokens = new Map<string, { card: RawCard; at: number }>();
  /** The cards that were charged, by the customer's id and their own. */
  readonly wallets = new Map<string, Map<string, RawCard>>();
  /** Every card is declined with a brand's code; of a gateway with what its acquirer says of further attempts. */
  issuerSays: { code: string; retryInfo?: object } | null = null;
  readonly #customers = new Map<string, any>();
  /** Centavos that went back to payers, by charge: answers say it in a sum with what was released. */
  readonly #givenBack = new Map<string, number>();
  readonly #clock: Clock;
  readonly #kind: "psp" | "gateway";
  #ids = 0;

  constructor(clock: Clock = systemClock, kind: "psp" | "gateway" = "psp") {
    this.#clock = clock;
    this.#kind = kind;
    this.payables = new FakePayables(clock, () => this.id("py"));
  }

  now(): string {
    return new Date(this.#clock.now()).toISOString();
  }

  id(prefix: string): string {
    return `${prefix}_${String(++this.#ids).padStart(16, "0")}`;
  }

  /** The browser gets a token for a card. */
  tokenize(card: RawCard): string {
    const token = this.id("token");
    this.#tokens.set(token, { card, at: this.#clock.now() });
    return token;
  }

  /** The same by its own call. A number of no brand is refused. */
  tokenFor({ card }: any): Said {
    if (!hasBrand(card.number))
      return refusal(422, "The request is invalid.", { "card.number": ["is invalid"] });
    const id = this.tokenize({
      number: card.number,
      holderName: card.holder_name,
      expirationMonth: Number(card.exp_month),
      expirationYear: Number(card.exp_year),
      cvv: card.cvv,
    });
    return { status: 200, body: { id, type: "card" } };
  }

  /** Every charge with its order. */
  charges(): any[] {
    return this.orders.flatMap((order) => order.charges);
  }

  chargeOf(code: string): any {
    return this.orders.find((order) => order.code === code)?.charges[0];
  }

  createOrder(body: any): Said {
    const errors = this.#faultsOf(body);
    if (Object.keys(errors).length > 0) return refusal(422, "The request is invalid.", errors);
    const [asked] = body.payments;
    const isByCard = asked.payment_method === "credit_card";
    const customer = this.#customerOf(body);
    if (customer === undefined) return refusal(404, "Customer not found.");
    const card = isByCard ? this.#cardOf(asked.credit_card, customer.id) : null;
    if (card === undefined) return refusal(412, "The card token is invalid or has expired.");
    const order: any = {
      id: this.id("or"),
      code: body.code,
      amount: asked.amount,
      currency: "BRL",
      closed: true,
      status: "pending",
      created_at: this.now(),
      customer,
      items: body.items,
      charges: [],
    };
    const charge: any = {
      id: this.id("ch"),
      code: this.id("C"),
      amount: asked.amount,
      currency: "BRL",
      status: "pending",
      payment_method: asked.payment_method,
      created_at: this.now(),
    };
    order.charges.push(charge);
    if (card === null) this.#registerBoleto(charge, asked.boleto);
    else this.#decideCard(charge, asked.credit_card, card, customer);
    order.status = charge.status;
    this.orders.push(order);
    return { status: 200, body: order };
  }

  capture(id: string, { amount }: { amount?: number }): Said {
    const charge = this.charges().find((each) => each.id === id);
    if (charge === undefined) return refusal(404, "Charge not found.");
    const taken = amount ?? charge.amount;
    const isLate = this.#clock.now() > Date.parse(charge.created_at) + CAPTURE_MS;
    if (charge.last_transaction.status !== "waiting_capture" || isLate || taken > charge.amount) {
      return refusal(412, "This charge can not be captured.");
    }
    const isPart = taken < charge.amount;
    this.take(charge, taken);
    charge.last_transaction.status = isPart ? "partial_capture" : "captured";
    // The rest that is released counts as cancelled.
    if (isPart) charge.canceled_amount = charge.amount - taken;
    return { status: 200, body: this.withOrder(charge) };
  }

  /** Cancels an unpaid charge, or gives money of a card back. */
  cancel(id: string, { amount }: { amount?: number } = {}): Said {
    const charge = this.charges().find((each) => each.id === id);
    if (charge === undefined) return refusal(404, "Charge not found.");
    if (charge.status === "pending" || charge.status === "processing") {
      Object.assign(charge, { status: "canceled", canceled_at: this.now() });
      charge.canceled_amount = charge.amount;
      charge.last_transaction.status = "voided";
      return { status: 200, body: this.withOrder(charge) };
    }
    const released =
      charge.payment_method === "credit_card" ? charge.amount - charge.paid_amount : 0;
    const before = Math.max(0, (charge.canceled_amount ?? 0) - released);
    const left = charge.paid_amount - before;
    const back = amount ?? left;
    if (charge.payment_method === "boleto") {
      return refusal(412, "A bank account is required.", { bank_account: ["is required"] });
    }
    if (back <= 0 || back > left) return refusal(412, "The amount exceeds the charge's.");
    this.#givenBack.set(id, this.givenBackOf(id) + back);
    const total = before + back;
    const isWhole = total === charge.paid_amount;
    const status = isWhole ? "canceled" : "partial_canceled";
    const canceled_amount = total + released;
    Object.assign(charge, { status, canceled_at: this.now(), canceled_amount });
    charge.last_transaction.status = isWhole ? "refunded" : "partial_refunded";
    this.payables.takeBack(charge, "refund", back);
    return { status: 200, body: this.withOrder(charge) };
  }

  /** Centavos of a charge that went back to its payer. */
  givenBackOf(chargeId: string): number {
    return this.#givenBack.get(chargeId) ?? 0;
  }

  /** Books money that came in for a charge. */
  take(charge: any, amount: number): void {
    const status =
      charge.payment_method === "credit_card" || amount === charge.amount
        ? "paid"
        : amount < charge.amount
          ? "underpaid"
          : "overpaid";
    Object.assign(charge, { status, paid_at: this.now(), paid_amount: amount });
    this.payables.credit(charge, amount);
    if (charge.payment_method === "boleto") {
      Object.assign(charge.last_transaction, {
        status: "paid",
        paid_at: this.now(),
        // Text, in the models and in answers.
        paid_amount: String(amount),
      });
    }
  }

  /** A charge by itself: it names its order. */
  withOrder(charge: any): any {
    const order = this.orders.find((each) => each.charges.includes(charge));
    const { charges: _charges, customer, ...named } = order;
    return { ...charge, order: named, customer };
  }

  #registerBoleto(charge: any, asked: any): void {
    const number = String(this.#ids).padStart(25, "0");
    const dueDate = saoPauloDay(Date.parse(asked.due_at));
    const { amount } = charge;
    const { digitableLine } = encodeBoleto({ bank: BANK, amount, dueDate, freeField: number });
    const id = this.id("tran");
    charge.due_at = asked.due_at;
    charge.last_transaction = {
      id,
      transaction_type: "boleto",
      status: "generated",
      success: true,
      amount,
      created_at: this.now(),
      due_at: asked.due_at,
      bank: BANK,
      nosso_numero: number.slice(-11),
      line: digitableLine,
      barcode: `https://api.pagar.me/core/v5/transactions/${id}/barcode`,
      qr_code: `https://api.pagar.me/core/v5/transactions/${id}/qrcode`,
      url: `https://api.pagar.me/core/v5/transactions/${id}/pdf`,
    };
  }

  #decideCard(charge: any, asked: any, card: RawCard, customer: any): void {
    const decided = cardDecision(card, customer, charge.amount, this.#kind);
    const decision =
      this.issuerSays === null
        ? decided
        : { ...decided, status: "not_authorized", code: this.issuerSays.code };
    const isApproved = decision.status === "approved";
    charge.last_transaction = {
      id: this.id("tran"),
      transaction_type: "credit_card",
      status: decision.status,
      success: isApproved,
      amount: charge.amount,
      installments: asked.installments,
      operation_type: asked.operation_type,
      acquirer_name: "pagarme",
      acquirer_tid: this.id("tid"),
      acquirer_nsu: String(++this.#ids).padStart(9, "0"),
      acquirer_auth_code: isApproved ? "A1B2C3" : null,
      acquirer_return_code: decision.code,
      acquirer_message: decision.message,
      antifraud_response: { status: decision.antifraud },
      gateway_response: { code: "200", errors: [] },
      ...(this.#kind === "gateway" && this.issuerSays?.retryInfo !== undefined
        ? { retry_info: this.issuerSays.retryInfo }
        : {}),
      created_at: this.now(),
      card: {
        id: asked.card_id ?? this.#keep(card, customer.id),
        first_six_digits: card.number.slice(0, 6),
        last_four_digits: card.number.slice(-4),
        brand: decision.brand,
        holder_name: card.holderName,
        exp_month: card.expirationMonth,
        exp_year: card.expirationYear,
        status: "active",
        created_at: this.now(),
        updated_at: this.now(),
        type: "credit",
      },
    };
    this.settleCard(charge, decision.status);
  }

  /** How an order to a card went: approved, refused, in review, or without an answer of its acquirer. */
  settleCard(charge: any, decision: string): void {
    const last = charge.last_transaction;
    last.status = decision;
    if (decision === "processing") charge.status = "processing";
    else if (decision !== "approved") charge.status = "failed";
    else if (last.operation_type === "auth_only") last.status = "waiting_capture";
    else {
      last.status = "captured";
      this.take(charge, charge.amount);
    }
  }

  /** Deletes a card of a customer's wallet. */
  deleteCard(customerId: string, id: string): Said {
    const card = this.wallets.get(customerId)?.get(id);
    if (card === undefined) return refusal(404, "Card not found.");
    this.wallets.get(customerId)?.delete(id);
    return { status: 200, body: { id, status: "deleted", deleted_at: this.now() } };
  }

  /** One customer for each e-mail; undefined for an unknown id. */
  #customerOf({ customer: named, customer_id: id }: any): any {
    if (id !== undefined) return [...this.#customers.values()].find((each) => each.id === id);
    const known = this.#customers.get(named.email);
    const customer = { id: known?.id ?? this.id("cus"), ...named };
    this.#customers.set(named.email, customer);
    return customer;
  }

  #keep(card: RawCard, customerId: string): string {
    const id = this.id("card");
    const wallet = this.wallets.get(customerId) ?? new Map<string, RawCard>();
    this.wallets.set(customerId, wallet.set(id, card));
    return id;
  }

  /** The card of a token, or one of the customer's wallet. */
  #cardOf(asked: any, customerId: string): RawCard | undefined {
    return asked.card_id === undefined
      ? this.#takeToken(asked)
      : this.wallets.get(customerId)?.get(asked.card_id);
  }

  #takeToken({ card_token: token }: any): RawCard | undefined {
    const known = this.#tokens.get(token);
    this.#tokens.delete(token);
    return known === undefined || this.#clock.now() > known.at + this.tokenMs
      ? undefined
      : known.card;
  }

  #faultsOf(body: any): Record<string, string[]> {
    const [payment, ...others] = body.payments ?? [];
    const items: any[] = body.items ?? [];
    const sum = items.reduce((total, item) => total + item.amount * item.quantity, 0);
    const boleto = payment?.boleto;
    const card = payment?.credit_card;
    const day = saoPauloDay(Date.parse(boleto?.due_at ?? this.now()));
    const hasId = body.customer_id !== undefined;
    const sources = [card?.card_token, card?.card_id].filter((each) => each !== undefined);
    const origin = card?.payment_origin?.charge_id;
    const isOfCharge = this.charges().some((each) => each.id === origin);
    const rules: [path: string, isRight: boolean][] = [
      ["code", typeof body.code === "string" && body.code !== ""],
      ["closed", body.closed === true],
      ["items", items.length > 0 && sum === payment?.amount && sum > 0],
      ["customer.name", hasId || (body.customer?.name ?? "") !== ""],
      ["customer.email", hasId || (body.customer?.email ?? "") !== ""],
      ["customer_id", !hasId || body.customer === undefined],
      ["payments", payment !== undefined && others.length === 0],
      ["payments[0].boleto.due_at", day >= saoPauloDay(this.#clock.now())],
      ["payments[0].boleto.instructions", (boleto?.instructions ?? "").length <= INSTRUCTIONS_MAX],
      [
        "payments[0].boleto.document_number",
        (boleto?.document_number ?? "").length <= DOCUMENT_NUMBER_MAX,
      ],
      ["payments[0].credit_card.installments", (card?.installments ?? 1) <= INSTALLMENTS_MAX],
      ["payments[0].credit_card.card", card === undefined || sources.length === 1],
      ["payments[0].credit_card.card_id", card?.card_id === undefined || hasId],
      ["payments[0].credit_card.payment_origin", card?.recurrence !== true || isOfCharge],
    ];
    const wrong = rules.filter(([, isRight]) => !isRight);
    return Object.fromEntries(wrong.map(([path]) => [`order.${path}`, ["is invalid"]]));
  }
}
