import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import { parseDocument } from "../../domain/shared/document.ts";
import type { Payer } from "../../domain/charges/transaction.ts";
import type { FieldErrors } from "../../domain/shared/problem.ts";
import { breaks } from "../../lib/fields/rules.ts";
import type { BoletoOrder } from "../due-dates.ts";
import type { ChargeOrder } from "../charge.ts";
import { billetTerms, smallestAmount } from "./terms.ts";

export type CardOrder = Extract<ChargeOrder, { paymentMethod: "CREDIT_CARD" }>;

/** Centavos (4600036, 4600523). */
const BOLETO_MIN = 500;
/** About three years and five months (4600414). */
const DUE_DAYS_MAX = 1_240;
const MESSAGE_LINES_MAX = 4;
const MESSAGE_LINE_MAX = 100;
const TOKEN = /^[0-9a-f]{40}$/;
const PHONE = /^[1-9]{2}9?\d{8}$/;
const CEP = /^\d{8}$/;

/** `POST /v1/charge`: names our charge, which also makes each item another (4600210). */
export function newCharge(order: ChargeOrder, notificationUrl: string) {
  const { chargeId, amount } = order;
  return {
    items: [{ name: `Cobrança ${chargeId}`, value: amount, amount: 1 }],
    metadata: { custom_id: chargeId, notification_url: notificationUrl },
  };
}

/** `POST /v1/charge/:id/pay` of a boleto. No e-mail: Efí counts the payers of one. */
export function billetPayment(order: BoletoOrder, settings: { termsProven: boolean }) {
  const { boleto, amount, payer } = order;
  const message = boleto.instructions.trim();
  return {
    payment: {
      banking_billet: {
        customer: { ...identityOf(payer), ...addressOf(payer) },
        expire_at: boleto.dueDate,
        ...billetTerms(boleto, amount, settings).terms,
        ...(message === "" ? {} : { message }),
      },
    },
  };
}

/** `POST /v1/charge/:id/pay` of a card, by its token. */
export function cardPayment({ card, payer }: CardOrder) {
  const phone = payer.phone.replaceAll(/\D/g, "").replace(/^55(?=\d{10,11}$)/, "");
  return {
    payment: {
      credit_card: {
        customer: {
          ...identityOf(payer),
          email: payer.email,
          ...(PHONE.test(phone) ? { phone_number: phone } : {}),
        },
        installments: card.installments,
        payment_token: "token" in card.source ? card.source.token : "",
      },
    },
  };
}

/** What of an order Efí cannot carry out exactly, by the field of the create request. */
export function faultsOf(
  order: ChargeOrder,
  { termsProven, nowMs }: { termsProven: boolean; nowMs: number },
): FieldErrors {
  const faults = [...payerFaults(order.payer)];
  if (order.paymentMethod === "BOLETO") {
    faults.push(...boletoFaults(order, saoPauloDay(nowMs)), ...termFaults(order, termsProven));
  }
  if (order.paymentMethod === "CREDIT_CARD") faults.push(...cardFaults(order));
  return Object.fromEntries(faults.map(([field, message]) => [field, [message]]));
}

type Fault = [field: string, message: string];

function* payerFaults(payer: Payer): Generator<Fault> {
  if (payer.name.trim() === "") yield ["customer.name", breaks("required")];
  if (documentOf(payer) === null) yield ["customer.document.number", breaks("document")];
}

function* boletoFaults({ amount, boleto }: BoletoOrder, today: string): Generator<Fault> {
  if (smallestAmount(boleto, amount) < BOLETO_MIN)
    yield ["amount", breaks("minCentavos", { min: BOLETO_MIN })];
  const lastDay = addDays(today, DUE_DAYS_MAX);
  if (boleto.dueDate < today) yield ["boleto.dueDate", breaks("notBeforeToday", { day: today })];
  if (boleto.dueDate > lastDay) yield ["boleto.dueDate", breaks("notAfter", { day: lastDay })];
  const lines = boleto.instructions.trim().split("\n");
  const fits = lines.every((line) => line.length <= MESSAGE_LINE_MAX);
  if (lines.length > MESSAGE_LINES_MAX || !fits)
    yield ["boleto.instructions", breaks("providerCannot")];
}

function* termFaults({ amount, boleto }: BoletoOrder, termsProven: boolean): Generator<Fault> {
  for (const name of billetTerms(boleto, amount, { termsProven }).inexpressible)
    yield [`boleto.${name}.value`, breaks("providerCannot")];
}

function* cardFaults({ card, payer }: CardOrder): Generator<Fault> {
  if (payer.email === "")
    yield ["customer.email", breaks("requiredFor", { method: "CREDIT_CARD" })];
  if (!("token" in card.source && TOKEN.test(card.source.token)))
    yield ["card.token", breaks("providerCannot")];
  if (card.save === true) yield ["card.saveCard", breaks("providerCannot")];
  if (!card.capture) yield ["card.capture", breaks("providerCannot")];
  if (card.statementDescriptor !== "") yield ["card.statementDescriptor", breaks("providerCannot")];
}

/** A person by name and CPF, a company by its own name and CNPJ. */
function identityOf(payer: Payer) {
  const name = payer.name.trim();
  const document = documentOf(payer);
  return document?.type === "CNPJ"
    ? { juridical_person: { corporate_name: name, cnpj: document.number } }
    : { name, cpf: document?.number ?? "" };
}

function documentOf({ documentNumber, documentType }: Payer) {
  const declared = documentType === "CPF" || documentType === "CNPJ" ? documentType : undefined;
  return parseDocument(documentNumber, declared);
}

/** Whole, or not at all. */
function addressOf({ address }: Payer) {
  const zipcode = trimmed(address.zipCode).replaceAll(/\D/g, "");
  const parts = {
    street: trimmed(address.street),
    number: trimmed(address.streetNumber),
    neighborhood: trimmed(address.neighborhood),
    city: trimmed(address.city),
    state: trimmed(address.state).toUpperCase(),
  };
  const isWhole = CEP.test(zipcode) && Object.values(parts).every((part) => part !== "");
  if (!isWhole) return {};
  const complement = trimmed(address.complement);
  return { address: { ...parts, zipcode, ...(complement === "" ? {} : { complement }) } };
}

function trimmed(part: string | undefined): string {
  return (part ?? "").trim();
}
