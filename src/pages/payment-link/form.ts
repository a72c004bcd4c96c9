import type { PayerChoice } from "../../api/payment-links/pay.ts";
import { parseReais } from "../../domain/shared/money.ts";

const FIELDS = [
  "key",
  "checkout",
  "amount",
  "quantity",
  "method",
  "installments",
  "cardToken",
  "cardAccount",
  "name",
  "document",
  "email",
] as const;

/** What the form holds, by the field's name. */
export type Typed = Record<(typeof FIELDS)[number], string>;

export const EMPTY: Typed = {
  key: "",
  checkout: "",
  amount: "",
  quantity: "1",
  method: "",
  installments: "1",
  cardToken: "",
  cardAccount: "",
  name: "",
  document: "",
  email: "",
};

/** The fields of a sent form; a file or an absent one is "". */
export function typedOf(body: Record<string, unknown>): Typed {
  const text = (name: string) => {
    const value = body[name];
    return typeof value === "string" ? value.trim() : "";
  };
  return Object.fromEntries(FIELDS.map((name) => [name, text(name)])) as Typed;
}

/** What the payer chose. */
export function choiceOf(typed: Typed): PayerChoice {
  const { key, checkout, method, amount, quantity, installments, cardToken, cardAccount } = typed;
  const { name, document, email } = typed;
  return {
    key,
    checkoutId: checkout,
    paymentMethod: method,
    amount: parseReais(amount),
    quantity: wholeNumber(quantity),
    installments: wholeNumber(installments),
    cardToken,
    cardAccount,
    fields: { name, document: document.replaceAll(/[\s./-]/g, ""), email },
  };
}

function wholeNumber(text: string): number | null {
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}
