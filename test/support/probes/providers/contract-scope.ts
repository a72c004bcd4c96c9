import type { PaymentMethod } from "../../../../src/domain/charges/charge-status.ts";
import type { ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";
import type { Cents } from "../../../../src/domain/shared/money.ts";
import type { Provider } from "../../../../src/providers/provider.ts";
import type { ChargeOrder } from "../../../../src/providers/charge.ts";
import { boletoOrder, cardOrder, pixOrder } from "../../builders/providers/provider-orders.ts";

type OrderOf<Method extends PaymentMethod> = Extract<ChargeOrder, { paymentMethod: Method }>;
type Orders = { [Method in PaymentMethod]: () => OrderOf<Method> };

const ORDERS: Orders = { PIX: pixOrder, BOLETO: boletoOrder, CREDIT_CARD: cardOrder };

/** A provider under test with its payers. */
export interface ContractSubject {
  provider: Provider;
  /** A payer pays a charge; returns the payment's id. */
  pay: (chargeId: string, amount: Cents) => Promise<string>;
  /** A payer pays to the company's key without a charge. */
  payKey: (amount: Cents) => Promise<string>;
}

/** A provider's declared capabilities. */
export interface ContractScope {
  methods: readonly PaymentMethod[];
  lists: readonly ListName[];
  /** Orders that it takes, where the usual ones lack what it asks for. */
  orders?: Partial<Orders>;
  /** What it has not. */
  lacks?: readonly Lack[];
}

/**
 * Payments that no charge expected, payouts, a balance, cards captured later or saved, refunds that it knows by our id at all, or
 * longer than its keys are kept.
 */
type Lack =
  | "stray_payments"
  | "payouts"
  | "balance"
  | "captures"
  | "saved_cards"
  | "refund_ids"
  | "lasting_refund_ids";

export type PushOrder = OrderOf<"PIX" | "BOLETO">;

/** What a payer orders first: by PIX, or by boleto where the provider has no PIX. */
export function orderOf({
  methods,
  orders,
}: Pick<ContractScope, "methods" | "orders">): () => PushOrder {
  return { ...ORDERS, ...orders }[methods.includes("PIX") ? "PIX" : "BOLETO"];
}

/** A paid charge of a method that the provider gives back, else of any. */
export async function paidCharge({ provider, pay }: ContractSubject, scope: ContractScope) {
  const [method] = scope.lacks?.includes("refund_ids") === true ? [] : provider.refundMethods;
  const order = method === undefined ? orderOf(scope)() : ordersOf(scope)[method]();
  const { chargeId, amount } = order;
  const made = await provider.createCharge(order);
  const paidAtOnce = made.kind === "decided" ? made.charge.payments[0]?.paymentId : undefined;
  return { chargeId, amount, paymentId: paidAtOnce ?? (await pay(chargeId, amount)) };
}

/** The orders of every method that a provider takes. */
export function ordersOf({ orders }: Pick<ContractScope, "orders">): Orders {
  return { ...ORDERS, ...orders };
}
