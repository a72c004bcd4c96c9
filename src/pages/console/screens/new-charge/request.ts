import type { Texts } from "../../texts.ts";
import { centsOf } from "../../format.ts";

export const FIELDS = [
  "method",
  "amount",
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

/** What the form makes of a card: a link for one payment, for a card's number must not pass through the console. */
const BY_LINK = "CREDIT_CARD";

/** A request of the API that the form makes, and where what it makes is shown. */
export interface ChargeRequest {
  path: "/api/v1/transactions/create" | "/api/v1/payment-links";
  body: object;
}

/** The request of what was typed; null where the amount is not one. */
export function chargeRequest(typed: Typed, words: Texts["newCharge"]): ChargeRequest | null {
  const amount = centsOf(typed.amount);
  if (amount === null || amount === 0) return null;
  if (typed.method === BY_LINK)
    return { path: "/api/v1/payment-links", body: linkRequest(typed, amount, words) };
  return { path: "/api/v1/transactions/create", body: createRequest(typed, amount, words) };
}

/** A link for one payment by card. Its page asks for the payer's name and document. */
function linkRequest(typed: Typed, amount: number, words: Texts["newCharge"]) {
  const { description, externalRef, maxInstallments } = typed;
  const name = [description, externalRef, words.linkName].find((text) => text !== "");
  return {
    name,
    amount,
    maxPayments: 1,
    paymentMethods: [BY_LINK],
    maxInstallments: Number(maxInstallments),
    ...(externalRef === "" ? {} : { metadata: { externalRef } }),
  };
}

function createRequest(typed: Typed, amount: number, words: Texts["newCharge"]) {
  const { description, name, email, externalRef, dueDate } = typed;
  const document = typed.document.replaceAll(/[\s./-]/g, "");
  const customer = {
    ...sent("name", name),
    ...sent("email", email),
    ...(document === "" ? {} : { document: { number: document } }),
  };
  const isPix = typed.method === "PIX";
  const info =
    description === "" ? {} : { additionalInfo: [{ name: words.info, value: description }] };
  const pix = { expiresInSeconds: Number(typed.expiresInSeconds), ...info };
  const boleto = { ...sent("dueDate", dueDate), ...sent("instructions", description) };
  return {
    amount,
    paymentMethod: typed.method,
    ...sent("externalRef", externalRef),
    ...(Object.keys(customer).length === 0 ? {} : { customer }),
    ...(description === ""
      ? {}
      : { items: [{ title: description, unitPrice: amount, quantity: 1 }] }),
    ...(isPix ? { pix } : { boleto }),
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

function sent<Name extends string>(name: Name, value: string) {
  return value === "" ? {} : { [name]: value };
}
