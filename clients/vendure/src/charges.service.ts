import { Inject, Injectable } from "@nestjs/common";
import {
  ActiveOrderService,
  CurrencyCode,
  PaymentMethodService,
  TransactionalConnection,
  UserInputError,
  totalCoveredByPayments,
  OrderService,
  Order,
  type ID,
  type RequestContext,
} from "@vendure/core";
import { ApiError, CentavoError, type Centavo, type Schemas, type Transaction } from "centavo";
import { IsNull } from "typeorm";
import { CentavoCharge } from "./charge.entity.ts";
import { locked } from "./locked.ts";
import { CENTAVO_CLIENT, CENTAVO_OPTIONS, type CentavoPluginOptions } from "./options.ts";
import { KeyedQueue } from "./queue.ts";
import { isOpen, wasPaid } from "./rules.ts";
import { StockHold } from "./stock.service.ts";
import { sayToShopper } from "./texts.ts";

/** The code of the payment method handler. */
export const HANDLER_CODE = "centavo";
const PIX_EXPIRES_IN_SECONDS = 1_800;
const BOLETO_EXPIRES_IN_DAYS = 3;
/** A code that ends sooner is not shown again: nobody pays it in time. */
const SHORTEST_MS = 60_000;
/** The gateway needs a moment to end a charge. */
const AFTER_EXPIRY_MS = 30_000;

export interface ChargeInput {
  method: "PIX" | "BOLETO";
  /** CPF or CNPJ of the payer, for a boleto. */
  document?: string | null;
}

/** What a shopper pays by. */
interface Card {
  /** The code of the shop's payment method. */
  method: string;
  token: string;
  /** CPF or CNPJ of the payer. */
  document: string;
  installments: number;
}

/** Charges the active order of a shopper by Pix or boleto. */
@Injectable()
export class ChargesService {
  constructor(
    @Inject(CENTAVO_CLIENT) private centavo: Centavo,
    @Inject(CENTAVO_OPTIONS) private options: CentavoPluginOptions,
    @Inject(TransactionalConnection) private connection: TransactionalConnection,
    @Inject(ActiveOrderService) private activeOrders: ActiveOrderService,
    @Inject(OrderService) private orders: OrderService,
    @Inject(PaymentMethodService) private methods: PaymentMethodService,
    @Inject(StockHold) private stock: StockHold,
    @Inject(KeyedQueue) private queue: KeyedQueue,
  ) {}

  /**
   * Charges what the active order still costs, and holds its stock until the charge ends. A repeated call answers the
   * same charge. Throws `UserInputError` with a sentence for the shopper, and has changed nothing then.
   */
  async create(ctx: RequestContext, input: ChargeInput): Promise<Transaction> {
    const active = await this.activeOrders.getActiveOrder(ctx, undefined);
    if (active === undefined) throw refusalFor(ctx, "notArranging");
    // A second click waits for the first one's charge, and is answered with it.
    return this.queue.run(String(active.id), async () => {
      await locked(this.connection, ctx, Order, { where: { id: active.id } });
      return this.#create(ctx, active.id, input);
    });
  }

  async #create(ctx: RequestContext, orderId: ID, input: ChargeInput): Promise<Transaction> {
    const refuse = (text: Parameters<typeof sayToShopper>[1]) => refusalFor(ctx, text);
    const order = await this.orders.findOne(ctx, orderId);
    if (order?.state !== "ArrangingPayment") throw refuse("notArranging");
    if (order.currencyCode !== CurrencyCode.BRL) throw refuse("currency");
    const amount = await this.dueOf(ctx, order);
    if (amount <= 0) throw refuse("paidAlready");
    const method = await this.methodCode(ctx);
    if (method === undefined) throw refuse("noMethod");
    try {
      const open = await this.#openCharge(ctx, order, input.method, amount);
      if (open === "paid") throw refuse("paidAlready");
      if (open !== null) return open;
      const isHeld = await this.stock.isHeld(ctx, order.id);
      if (!isHeld && !(await this.stock.suffices(ctx, order))) throw refuse("noStock");
      const transaction = await this.#charge(ctx, order, amount, input.method, {
        customer: customerOf(order, input.document ?? ""),
        ...this.#termsOf(order, input.method),
      });
      // Only now: stock that is being allocated is locked, and the gateway may take its time.
      if (!(await this.stock.handOver(ctx, order.id)) && !(await this.stock.hold(ctx, order))) {
        await this.centavo.transactions.cancel(transaction.id);
        throw refuse("noStock");
      }
      await this.remember(ctx, order, transaction, { method, state: "open", holdsStock: true });
      return transaction;
    } catch (error) {
      if (!(error instanceof CentavoError)) throw error;
      throw refuse(failureOf(error));
    }
  }

  /**
   * Pays `amount` centavos of an order by a card's token, at once; null while the bank has not answered for an earlier
   * card. Throws `CentavoError` where the gateway did not answer: what came of it is told by an event.
   */
  payByCard(
    ctx: RequestContext,
    order: Order,
    amount: number,
    card: Card,
  ): Promise<Transaction | null> {
    // An event of the charge may come before its answer, and waits until the charge is written down.
    return this.queue.run(String(order.id), async () => {
      await locked(this.connection, ctx, Order, { where: { id: order.id } });
      return this.#payByCard(ctx, order, amount, card);
    });
  }

  async #payByCard(
    ctx: RequestContext,
    order: Order,
    amount: number,
    { method, token, document, installments }: Card,
  ): Promise<Transaction | null> {
    // Only a card's charge has no end.
    const undecided = { orderId: order.id, state: "open", expiresAt: IsNull() } as const;
    const charges = this.connection.getRepository(ctx, CentavoCharge);
    if (await charges.existsBy(undecided)) return null;
    const terms = { customer: customerOf(order, document), card: { token }, installments };
    const transaction = await this.#charge(ctx, order, amount, "CREDIT_CARD", terms);
    const state = isOpen(transaction) ? "open" : wasPaid(transaction) ? "settled" : "ended";
    await this.remember(ctx, order, transaction, { method, state, holdsStock: false });
    return transaction;
  }

  /** What an order still costs. Centavos. */
  async dueOf(ctx: RequestContext, order: Order): Promise<number> {
    order.payments = await this.orders.getOrderPayments(ctx, order.id);
    return order.totalWithTax - totalCoveredByPayments(order);
  }

  /** Writes down that a transaction is an order's. */
  async remember(
    ctx: RequestContext,
    order: Order,
    transaction: Pick<Transaction, "id" | "amount" | "pix" | "boleto">,
    { method, state, holdsStock }: Pick<CentavoCharge, "method" | "state" | "holdsStock">,
  ): Promise<CentavoCharge> {
    const ends = transaction.pix?.expirationDate ?? transaction.boleto?.expirationDate;
    const expiresAt = ends === undefined ? null : new Date(ends);
    return this.connection.getRepository(ctx, CentavoCharge).save({
      transactionId: transaction.id,
      orderId: order.id,
      channelId: ctx.channelId,
      method,
      amount: transaction.amount,
      state,
      holdsStock,
      expiresAt,
      checkAt:
        state === "open" ? new Date((expiresAt?.getTime() ?? Date.now()) + AFTER_EXPIRY_MS) : null,
      attention: null,
      noted: [],
    });
  }

  /** The order's charge that may still be paid, as the gateway shows it; null where there is none. */
  async current(ctx: RequestContext, orderId: Order["id"]): Promise<Transaction | null> {
    const charges = this.connection.getRepository(ctx, CentavoCharge);
    const order = { id: "DESC" } as const;
    const charge = await charges.findOne({ where: { orderId, state: "open" }, order });
    return charge === null ? null : this.centavo.transactions.get(charge.transactionId);
  }

  /** The code of the channel's payment method that this plugin handles. */
  async methodCode(ctx: RequestContext): Promise<string | undefined> {
    const { items } = await this.methods.findAll(ctx, { filter: { enabled: { eq: true } } });
    return items.find(({ handler }) => handler.code === HANDLER_CODE)?.code;
  }

  /** The open charge that fits; any other open one ends first, so that nobody pays twice. */
  async #openCharge(
    ctx: RequestContext,
    order: Order,
    paymentMethod: ChargeInput["method"],
    amount: number,
  ): Promise<Transaction | "paid" | null> {
    const charges = this.connection.getRepository(ctx, CentavoCharge);
    const open = await charges.findBy({ orderId: order.id, state: "open" });
    let fitting: Transaction | null = null;
    for (const charge of open) {
      const transaction = await this.centavo.transactions.get(charge.transactionId);
      if (transaction.status === "PAID") return "paid";
      const lasts = (charge.expiresAt?.getTime() ?? 0) > Date.now() + SHORTEST_MS;
      const fits = transaction.paymentMethod === paymentMethod && transaction.amount === amount;
      if (isOpen(transaction) && fits && lasts) fitting = transaction;
      else if (isOpen(transaction)) {
        const answer = await this.centavo.transactions.cancel(transaction.id).catch(endedMeanwhile);
        if (answer === null) return "paid";
      }
    }
    return fitting;
  }

  /** Charges `amount` centavos of an order at the gateway. */
  async #charge(
    ctx: RequestContext,
    order: Order,
    amount: number,
    paymentMethod: Transaction["paymentMethod"],
    terms: Omit<Schemas["CreateTransactionInput"], "amount" | "paymentMethod">,
  ): Promise<Transaction> {
    const charges = this.connection.getRepository(ctx, CentavoCharge);
    const number = (await charges.countBy({ orderId: order.id })) + 1;
    // A call that did not come to an end here is the same charge when it is repeated.
    const idempotencyKey = `vendure-${order.code}-${number}-${paymentMethod}-${amount}`;
    const body = { amount, paymentMethod, externalRef: order.code, ...terms };
    return this.centavo.transactions.create(body, { idempotencyKey });
  }

  #termsOf(order: Order, method: ChargeInput["method"]) {
    const { pixExpiresInSeconds = PIX_EXPIRES_IN_SECONDS } = this.options;
    const { boletoExpiresInDays = BOLETO_EXPIRES_IN_DAYS } = this.options;
    return method === "PIX"
      ? { pix: { expiresInSeconds: pixExpiresInSeconds } }
      : { boleto: { expiresInDays: boletoExpiresInDays }, shipping: shippingOf(order) };
  }
}

function refusalFor(ctx: RequestContext, text: Parameters<typeof sayToShopper>[1]) {
  return new UserInputError(sayToShopper(ctx.languageCode, text));
}

/** What a shopper is told of a failure of the gateway, whose own text is for developers. */
export function failureOf(error: CentavoError): "badData" | "unavailable" {
  return error instanceof ApiError && error.code === "VALIDATION_FAILED"
    ? "badData"
    : "unavailable";
}

/** The payer as the order knows him. */
function customerOf(order: Order, document: string) {
  const digits = document.replace(/\D/g, "");
  const name = [order.customer?.firstName, order.customer?.lastName].filter(Boolean).join(" ");
  return {
    ...(name === "" ? {} : { name }),
    ...(order.customer ? { email: order.customer.emailAddress } : {}),
    ...(digits === ""
      ? {}
      : { document: { number: digits, type: digits.length > 11 ? "CNPJ" : "CPF" } as const }),
  };
}

function shippingOf({ billingAddress, shippingAddress }: Order) {
  const { streetLine1, streetLine2, city, province, postalCode, countryCode } =
    billingAddress.streetLine1 === undefined ? shippingAddress : billingAddress;
  const [street = "", streetNumber = ""] = (streetLine1 ?? "").split(/,\s*(?=\S+$)/);
  return {
    address: {
      street,
      streetNumber,
      complement: streetLine2 ?? "",
      zipCode: (postalCode ?? "").replace(/\D/g, ""),
      city: city ?? "",
      state: province ?? "",
      country: countryCode ?? "BR",
    },
  };
}

/** Null where a charge could not be cancelled because it is over; another failure stays one. */
function endedMeanwhile(error: unknown): null {
  if (error instanceof ApiError && error.status === 409) return null;
  throw error;
}
