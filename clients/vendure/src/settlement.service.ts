import { Inject, Injectable } from "@nestjs/common";
import {
  ChannelService,
  CurrencyCode,
  isGraphQlErrorResult,
  LanguageCode,
  Logger,
  Order,
  OrderService,
  PaymentService,
  RequestContextService,
  TransactionalConnection,
  type Channel,
  type ID,
  type RequestContext,
} from "@vendure/core";
import {
  ApiError,
  type Centavo,
  type Event,
  type Schemas,
  type Transaction,
  type Webhook,
} from "centavo";
import { CentavoCharge } from "./charge.entity.ts";
import { ChargesService } from "./charges.service.ts";
import { locked, lockedCharge } from "./locked.ts";
import { OwnerNotes } from "./notes.service.ts";
import { CENTAVO_CLIENT, LOG } from "./options.ts";
import { KeyedQueue } from "./queue.ts";
import { RefundsService } from "./refunds.service.ts";
import { isOpen, refusalOf, wasPaid } from "./rules.ts";
import { StockHold } from "./stock.service.ts";
import { DISPUTES, EXTRA_REASONS, reais } from "./texts.ts";

/** An open charge that is over its time is asked about so often. */
const RECHECK_MS = 60_000;
/** Of a boleto it takes the bank days to say that it was not paid. */
const BOLETO_RECHECK_MS = 3_600_000;

function inReais({ defaultCurrencyCode }: Channel): boolean {
  return defaultCurrencyCode === CurrencyCode.BRL;
}

/** Money that came besides what was charged. */
type Extra = Pick<Schemas["PaymentEventData"], "id" | "amount" | "reason" | "status">;

/** What is known of a transaction from what told of it. */
interface Told {
  /** The event's. */
  sequence?: number;
  externalRef?: string;
  extra?: Extra;
}

/**
 * Brings orders to where their transactions are. Whatever told of a change, the transaction itself is read: a message
 * twice, late, or in the wrong order does nothing wrong.
 */
@Injectable()
export class SettlementService {
  constructor(
    @Inject(CENTAVO_CLIENT) private centavo: Centavo,
    @Inject(TransactionalConnection) private connection: TransactionalConnection,
    @Inject(RequestContextService) private contexts: RequestContextService,
    @Inject(ChannelService) private channels: ChannelService,
    @Inject(OrderService) private orders: OrderService,
    @Inject(PaymentService) private payments: PaymentService,
    @Inject(ChargesService) private charges: ChargesService,
    @Inject(RefundsService) private refunds: RefundsService,
    @Inject(StockHold) private stock: StockHold,
    @Inject(OwnerNotes) private notes: OwnerNotes,
    @Inject(KeyedQueue) private queue: KeyedQueue,
  ) {}

  /** Does what an event asks for; nothing for events of what is not the shop's. Throws where it could not be done now. */
  async handle(event: Event | Webhook): Promise<void> {
    if (event.data === null) return;
    const { type, data, sequence } = event;
    if ("reason" in data && "receivedAt" in data) {
      if (data.transactionId !== null) await this.settle(data.transactionId, { extra: data });
    } else if (type.startsWith("transaction.") && "externalRef" in data) {
      await this.settle(data.id, { sequence, externalRef: data.externalRef });
    }
  }

  /** Brings a transaction's order up to date; nothing where `told` is an event that is done. */
  async settle(transactionId: string, told: Told = {}): Promise<void> {
    const { sequence = 0, externalRef, extra } = told;
    const known = await this.#find(transactionId);
    if (known !== null && sequence > 0 && sequence <= known.sequence) return;
    const owner = known ?? (await this.#adopt(transactionId, externalRef));
    if (owner === null) return;
    await this.queue.run(String(owner.orderId), async () => {
      // Read in the queue: the state that is applied last is the newest.
      const transaction = await this.centavo.transactions.get(transactionId);
      const ctx = await this.#context(owner.channelId);
      await this.connection.withTransaction(ctx, async (txCtx) => {
        const charge = await lockedCharge(this.connection, txCtx, transactionId);
        if (charge === null) return;
        await this.#apply(txCtx, charge, transaction);
        if (extra !== undefined) await this.#noteExtra(txCtx, charge, extra);
        charge.sequence = Math.max(charge.sequence, sequence);
        await this.connection.getRepository(txCtx, CentavoCharge).save(charge);
      });
      if (isOpen(transaction)) await this.#cancelUnwanted(ctx, owner);
    });
  }

  /** Brings every charge of an order up to date. */
  async settleOrder(orderId: ID): Promise<void> {
    const charges = this.connection.rawConnection.getRepository(CentavoCharge);
    for (const { transactionId } of await charges.findBy({ orderId, state: "open" })) {
      await this.settle(transactionId);
    }
  }

  #find(transactionId: string): Promise<CentavoCharge | null> {
    const charges = this.connection.rawConnection.getRepository(CentavoCharge);
    return charges.findOneBy({ transactionId });
  }

  /** Finds the order of a transaction that the shop made and does not know, because it stopped in between. */
  async #adopt(transactionId: string, code?: string): Promise<CentavoCharge | null> {
    const orders = this.connection.rawConnection.getRepository(Order);
    if (code === undefined || code === "") return null;
    const order = await orders.findOne({ where: { code }, relations: ["channels"] });
    if (order === null) return null;
    const transaction = await this.centavo.transactions.get(transactionId);
    return this.queue.run(String(order.id), async () => {
      const ctx = await this.#context(order.channels.find(inReais)?.id);
      const method = await this.charges.methodCode(ctx);
      if (method === undefined) throw new Error("No payment method of the shop is Centavo's.");
      return this.connection.withTransaction(ctx, async (txCtx) => {
        // Whoever is making the charge just now writes it down first.
        await locked(this.connection, txCtx, Order, { where: { id: order.id } });
        const meanwhile = await lockedCharge(this.connection, txCtx, transactionId);
        if (meanwhile !== null) return meanwhile;
        const facts = { method, state: "open", holdsStock: false } as const;
        return this.charges.remember(txCtx, order, transaction, facts);
      });
    });
  }

  async #context(channelId: ID | undefined): Promise<RequestContext> {
    const anywhere = await this.contexts.create({ apiType: "admin" });
    const channel =
      channelId === undefined ? undefined : await this.channels.findOne(anywhere, channelId);
    return channel === undefined
      ? anywhere
      : this.contexts.create({
          apiType: "admin",
          channelOrToken: channel,
          languageCode: LanguageCode.pt_BR,
        });
  }

  async #apply(ctx: RequestContext, charge: CentavoCharge, transaction: Transaction) {
    charge.checkAt = null;
    if (isOpen(transaction)) {
      const recheck = transaction.paymentMethod === "BOLETO" ? BOLETO_RECHECK_MS : RECHECK_MS;
      const ends = charge.expiresAt?.getTime() ?? 0;
      charge.checkAt = new Date(Math.max(ends, Date.now()) + recheck);
    } else if (wasPaid(transaction)) {
      if (charge.state === "open" || charge.state === "ended") {
        await this.#recordPayment(ctx, charge, transaction);
      }
      charge.checkAt = await this.refunds.bringUp(ctx, charge, transaction);
      await this.#noteDispute(ctx, charge, transaction);
    } else if (charge.state === "open") {
      if (charge.holdsStock) await this.stock.release(ctx, charge.orderId);
      charge.holdsStock = false;
      charge.state = "ended";
    }
  }

  /** Makes a payment of the money: the order's, or one more for the owner to decide about. */
  async #recordPayment(ctx: RequestContext, charge: CentavoCharge, transaction: Transaction) {
    const order = await this.orders.findOne(ctx, charge.orderId);
    if (order === undefined) return;
    const { orderId, method, transactionId } = charge;
    const metadata = { transactionId };
    const { code: orderCode, currencyCode } = order;
    const due = { orderCode, amount: await this.charges.dueOf(ctx, order), currencyCode };
    const isDue = refusalOf(transaction, due) === null && (await this.#awaits(ctx, order));
    if (isDue) {
      const paid = await this.orders.addPaymentToOrder(ctx, orderId, { method, metadata });
      if (!isGraphQlErrorResult(paid)) return this.#reload(ctx, charge);
      Logger.warn(`Order ${order.code}: ${paid.message}`, LOG);
    }
    charge.state = "attention";
    if (charge.holdsStock) await this.stock.release(ctx, orderId);
    charge.holdsStock = false;
    const amount = transaction.paidAmount ?? transaction.amount;
    const said = `${reais(amount)} recebido por ${transaction.paymentMethod} (${transactionId})`;
    const now = "Não paga o pedido como ele está: devolva, ou combine com o cliente.";
    await this.notes.ask(ctx, charge, "kept", `${said}. ${now}`);
    if (transaction.refundedAmount > 0) return;
    await this.connection.getRepository(ctx, CentavoCharge).save(charge);
    // As a payment of the order the owner can refund it as any other.
    await this.payments.createPayment(ctx, order, amount, method, metadata);
  }

  /** Whether the order can take a payment now. One that went back to its items, unchanged, is asked to. */
  async #awaits(ctx: RequestContext, order: Order): Promise<boolean> {
    if (order.state === "ArrangingPayment") return true;
    if (order.state !== "AddingItems") return false;
    const back = await this.orders.transitionToState(ctx, order.id, "ArrangingPayment");
    return !isGraphQlErrorResult(back);
  }

  /** The handler has written into the same row. */
  async #reload(ctx: RequestContext, charge: CentavoCharge) {
    const { transactionId } = charge;
    const charges = this.connection.getRepository(ctx, CentavoCharge);
    Object.assign(charge, await charges.findOneByOrFail({ transactionId }));
  }

  /** Ends an open charge that nobody shall pay any more. */
  async #cancelUnwanted(ctx: RequestContext, { orderId, transactionId }: CentavoCharge) {
    const order = await this.orders.findOne(ctx, orderId, []);
    const waits = order?.state === "ArrangingPayment" || order?.state === "PaymentAuthorized";
    if (waits) return;
    await this.centavo.transactions.cancel(transactionId).catch((error: unknown) => {
      // It was paid or ended meanwhile: an event tells.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    });
  }

  /** Asks the owner about money that is kept; what the gateway has ended needs no answer any more. */
  async #noteExtra(
    ctx: RequestContext,
    charge: CentavoCharge,
    { id, amount, reason, status }: Extra,
  ) {
    const why = EXTRA_REASONS[reason];
    const text = `Mais ${reais(amount)} chegaram para a cobrança ${charge.transactionId} (${why}).`;
    if (status === "kept")
      await this.notes.ask(ctx, charge, id, `${text} Decida na Centavo: devolver ou creditar.`);
    else if (charge.state !== "attention") charge.attention = null;
  }

  async #noteDispute(ctx: RequestContext, charge: CentavoCharge, { dispute }: Transaction) {
    if (dispute === undefined) return;
    const { id, amount, status } = dispute;
    const text = `Contestação de ${reais(amount)} (${DISPUTES[status]}): veja-a na Centavo.`;
    await this.notes.once(ctx, charge, `${id} ${status}`, text);
  }
}
