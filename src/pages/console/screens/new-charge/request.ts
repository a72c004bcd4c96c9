import type { createPaymentLink } from "../../../../api/payment-links/routes.ts";
import type { createTransaction } from "../../../../api/transactions/routes.ts";
import { parseReais } from "../../../../domain/shared/money.ts";
import { asTyped, ifTyped } from "../../form.ts";
import type { JsonOf } from "../../../../http/openapi/route-types.ts";
import type { Texts } from "../../texts.ts";

export const FIELDS = [
  "method",
  "amount",
  "payerOf",
  "externalRef",
  "description",
  "name",
  "document",
  "email",
  "expiresInSeconds",
  "dueDate",
  "maxInstallments",
] as const;

/** What was typed, by the field's name. */
export type Typed = Record<(typeof FIELDS)[number], string>;

export const EMPTY: Typed = {
  method: "PIX",
  amount: "",
  payerOf: "",
  externalRef: "",
  description: "",
  name: "",
  document: "",
  email: "",
  expiresInSeconds: "86400",
  dueDate: "",
  maxInstallments: "1",
};

/** The fields of the API's request that each field of the form becomes. */
const API_FIELDS: Partial<Typed> & Record<string, string> = {
  paymentMethod: "method",
  amount: "amount",
  externalRef: "externalRef",
  "customer.name": "name",
  "customer.document": "document",
  "customer.document.number": "document",
  "customer.email": "email",
  "pix.expiresInSeconds": "expiresInSeconds",
  "boleto.dueDate": "dueDate",
  "boleto.instructions": "description",
  name: "description",
  maxInstallments: "maxInstallments",
};

/** A payer as an earlier charge has it, or as it was typed. */
export type ChosenPayer = Pick<Typed, "name" | "email" | "document">;

/** What the form makes of a card: a link for one payment, for a card's number must not pass through the console. */
const BY_LINK = "CREDIT_CARD";

/** The request that the form makes: of a charge, or of a link. */
export type ChargeRequest =
  | { makes: "link"; json: JsonOf<typeof createPaymentLink> }
  | { makes: "charge"; json: JsonOf<typeof createTransaction> };

/** The request of what was typed; null where the amount is not one. */
export function chargeRequest(
  typed: Typed,
  labels: Texts["newCharge"],
  payer: ChosenPayer | null,
): ChargeRequest | null {
  const amount = parseReais(typed.amount);
  if (amount === null || amount === 0) return null;
  return typed.method === BY_LINK
    ? { makes: "link", json: linkRequest(typed, amount, labels) }
    : { makes: "charge", json: createRequest(typed, amount, labels, payer) };
}

/** A link for one payment by card. Its page asks for the payer's name and document. */
function linkRequest(
  typed: Typed,
  amount: number,
  labels: Texts["newCharge"],
): JsonOf<typeof createPaymentLink> {
  const { description, externalRef, maxInstallments } = typed;
  return {
    name: description || externalRef || labels.linkName,
    amount,
    maxPayments: 1,
    paymentMethods: [BY_LINK],
    maxInstallments: Number(maxInstallments),
    ...(externalRef === "" ? {} : { metadata: { externalRef } }),
  };
}

function createRequest(
  typed: Typed,
  amount: number,
  labels: Texts["newCharge"],
  chosen: ChosenPayer | null,
): JsonOf<typeof createTransaction> {
  const { description, externalRef, dueDate } = typed;
  const isPix = typed.method === "PIX";
  const info = description === "" ? undefined : [{ name: labels.info, value: description }];
  return {
    amount,
    paymentMethod: asTyped(typed.method),
    externalRef: ifTyped(externalRef),
    customer: customerOf(chosen ?? typed),
    items:
      description === "" ? undefined : [{ title: description, unitPrice: amount, quantity: 1 }],
    pix: isPix
      ? { expiresInSeconds: Number(typed.expiresInSeconds), additionalInfo: info }
      : undefined,
    boleto: isPix ? undefined : { dueDate: ifTyped(dueDate), instructions: ifTyped(description) },
  };
}

/** Whom the charge is for; undefined where nothing was typed. */
function customerOf({ name, email, document: typed }: ChosenPayer) {
  const document = typed.replaceAll(/[\s./-]/g, "");
  if (name + email + document === "") return undefined;
  return {
    name: ifTyped(name),
    email: ifTyped(email),
    document: document === "" ? undefined : { number: document },
  };
}

/** The API's errors by the form's fields. Those of no field are in the notice above the form. */
export function errorsByField(errors: Record<string, string[]> = {}): Record<string, string[]> {
  const byField: Record<string, string[]> = {};
  for (const [path, messages] of Object.entries(errors)) {
    const isOfDescription = /^(?:items|pix\.additionalInfo)/.test(path);
    const field = isOfDescription ? "description" : API_FIELDS[path];
    if (field === undefined) continue;
    byField[field] = [...new Set([...(byField[field] ?? []), ...messages])];
  }
  return byField;
}
