import type { PayerChoice } from "../../api/payment-links/pay.ts";
import { PAYER_FIELD_NAMES, type PayerField } from "../../domain/charges/payer-fields.ts";
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
  "saveCard",
  ...PAYER_FIELD_NAMES,
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
  saveCard: "",
  ...payerFields(() => ""),
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
  return {
    key,
    checkoutId: checkout,
    paymentMethod: method,
    amount: parseReais(amount),
    quantity: wholeNumber(quantity),
    installments: wholeNumber(installments),
    cardToken,
    cardAccount,
    saveCard: typed.saveCard === "on",
    fields: payerFields((name) =>
      name === "document" ? typed[name].replaceAll(/[\s./-]/g, "") : typed[name],
    ),
  };
}

function payerFields(valueOf: (name: PayerField) => string): Record<PayerField, string> {
  return Object.fromEntries(PAYER_FIELD_NAMES.map((name) => [name, valueOf(name)])) as Record<
    PayerField,
    string
  >;
}

function wholeNumber(text: string): number | null {
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}
