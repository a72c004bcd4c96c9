import {
  CurrencyCode,
  LanguageCode,
  Logger,
  Payment,
  PaymentMethodHandler,
  TransactionalConnection,
  type CreatePaymentResult,
  type Order,
  type PaymentMetadata,
  type RequestContext,
} from "@vendure/core";
import { CentavoError, type Centavo, type Transaction } from "centavo";
import { CentavoCharge } from "./charge.entity.ts";
import { ChargesService, failureOf, HANDLER_CODE } from "./charges.service.ts";
import { locked, lockedCharge } from "./locked.ts";
import { CENTAVO_CLIENT, LOG } from "./options.ts";
import { RefundsService } from "./refunds.service.ts";
import { isOpen, refusalOf, type Refusal } from "./rules.ts";
import { sayToShopper } from "./texts.ts";

let centavo: Centavo;
let connection: TransactionalConnection;
let charges: ChargesService;
let refunds: RefundsService;

/**
 * Makes a payment only of money that came for this very order. A shopper's storefront may call it too: nothing that it
 * says is believed.
 */
export const centavoHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: [
    { languageCode: LanguageCode.en, value: "Centavo: Pix, boleto, card" },
    { languageCode: LanguageCode.pt_BR, value: "Centavo: Pix, boleto, cartão" },
  ],
  args: {},
  init(injector) {
    centavo = injector.get<Centavo>(CENTAVO_CLIENT);
    connection = injector.get(TransactionalConnection);
    charges = injector.get(ChargesService);
    refunds = injector.get(RefundsService);
  },
  async createPayment(ctx, order, amount, _args, metadata, method) {
    const decline = (refusal: Refusal): CreatePaymentResult => ({
      amount,
      state: "Declined",
      errorMessage: sayToShopper(ctx.languageCode, refusal),
      metadata: { refusal },
    });
    if (order.currencyCode !== CurrencyCode.BRL) return decline("currency");
    try {
      const isCard = typeof metadata["cardToken"] === "string";
      const transaction = isCard
        ? await payByCard(ctx, order, amount, method.code, metadata)
        : await accept(ctx, order, amount, metadata["transactionId"]);
      return typeof transaction === "string" ? decline(transaction) : settled(transaction, amount);
    } catch (error) {
      if (!(error instanceof CentavoError)) throw error;
      Logger.error(`Order ${order.code}: ${error.message}`, LOG);
      return decline(failureOf(error));
    }
  },
  settlePayment: () => ({ success: true }),
  createRefund: (ctx, _input, amount, _order, payment) => refunds.create(ctx, payment, amount),
});

/** The transaction, once it is this order's and pays it; else why not. */
async function accept(
  ctx: RequestContext,
  order: Order,
  amount: number,
  transactionId: unknown,
): Promise<Transaction | Refusal> {
  if (typeof transactionId !== "string") return "unknown";
  const charge = await lockedCharge(connection, ctx, transactionId);
  if (charge === null) return "unknown";
  if (String(charge.orderId) !== String(order.id)) return "otherOrder";
  const where = { transactionId, state: "Settled" as const };
  // Locked, so that none is missed that was made since this database transaction began.
  const [used] = await locked(connection, ctx, Payment, { where });
  if (used !== undefined) return "used";
  const transaction = await centavo.transactions.get(transactionId);
  const due = { orderCode: order.code, amount, currencyCode: order.currencyCode };
  const refusal = refusalOf(transaction, due);
  if (refusal !== null) return refusal;
  // What the owner has to decide about stays so.
  if (charge.state !== "attention") charge.state = "settled";
  charge.checkAt = null;
  await connection.getRepository(ctx, CentavoCharge).save(charge);
  return transaction;
}

async function payByCard(
  ctx: RequestContext,
  order: Order,
  amount: number,
  method: string,
  metadata: PaymentMetadata,
): Promise<Transaction | Refusal> {
  const card = {
    method,
    token: String(metadata["cardToken"]),
    document: String(metadata["document"] ?? ""),
    installments: Number(metadata["installments"] ?? 1),
  };
  const transaction = await charges.payByCard(ctx, order, amount, card);
  if (transaction === null || isOpen(transaction)) return "cardPending";
  const due = { orderCode: order.code, amount, currencyCode: order.currencyCode };
  return refusalOf(transaction, due) === null ? transaction : "cardRefused";
}

function settled(transaction: Transaction, amount: number): CreatePaymentResult {
  const { id, paymentMethod, endToEndId } = transaction;
  return {
    amount,
    state: "Settled",
    transactionId: id,
    metadata: { paymentMethod, endToEndId, public: { paymentMethod } },
  };
}
