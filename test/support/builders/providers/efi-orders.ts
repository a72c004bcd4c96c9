import type { BoletoTerms } from "../../../../src/domain/charges/payment-details.ts";
import type { Payer } from "../../../../src/domain/charges/transaction.ts";
import type { BoletoOrder } from "../../../../src/providers/due-dates.ts";
import { boletoOrder, cardOrder, MARIA } from "./provider-orders.ts";

const PAYER: Payer = { ...MARIA, email: "maria@example.com", phone: "+5511987654321" };

/** A boleto of 25 reais, due next week, with a payer that Efí takes. */
export function efiBoletoOrder(terms: Partial<BoletoTerms> = {}, amount = 2_500) {
  const order = boletoOrder();
  return { ...order, amount, payer: PAYER, boleto: { ...order.boleto, ...terms } };
}

/** The same order, with another due date. */
export function withDueDate(order: BoletoOrder, dueDate: string): BoletoOrder {
  return { ...order, boleto: { ...order.boleto, dueDate } };
}

/** A card by a token; one that begins with `d` is declined. */
export function efiCardOrder(begins = "a", overrides: { capture?: boolean } = {}) {
  const order = cardOrder(overrides);
  const rest = crypto.randomUUID().replaceAll("-", "").repeat(2);
  const source = { token: (begins + rest).slice(0, 40) };
  return { ...order, payer: PAYER, card: { ...order.card, source } };
}
