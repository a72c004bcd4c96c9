import { parseDocument, type DocumentType } from "../../domain/shared/document.ts";
import { endOfDay } from "../../domain/shared/business-day.ts";
import type { Adjustment, BoletoTerms } from "../../domain/charges/payment-details.ts";
import type { PagarMeSettings } from "../../domain/psp/pagarme-settings.ts";
import { PAYER_FIELDS, parsePhone, type PayerField } from "../../domain/charges/payer-fields.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { FieldErrors } from "../../domain/shared/problem.ts";
import type { Payer } from "../../domain/charges/transaction.ts";
import { breaks } from "../../lib/fields/rules.ts";
import type { ChargeOrder } from "../charge.ts";
import { walletCardOf } from "./saved-card.ts";

type BoletoOrder = Extract<ChargeOrder, { paymentMethod: "BOLETO" }>;
type CardOrder = Extract<ChargeOrder, { paymentMethod: "CREDIT_CARD" }>;
/** What Pagar.me takes of this service. */
export type PagarMeOrder = BoletoOrder | CardOrder;

const DAY_MS = 86_400_000;
const INSTRUCTIONS_MAX = 256;
const DOCUMENT_NUMBER_MAX = 16;
const ITEM_DESCRIPTION_MAX = 256;
const COUNTRY = "BR";
/** What a boleto's bank registers of its payer (FEBRABAN). */
const ADDRESS_NEEDED = ["street", "zipCode", "city", "state"] as const;

/**
 * Its models ask for e-mail and phone of every payer, and for the address of a boleto's. The house's number is asked on
 * pages only: an order without one is of a house without number.
 */
export function requirements(method: PaymentMethod): readonly PayerField[] {
  const address = method === "BOLETO" ? ([...ADDRESS_NEEDED, "streetNumber"] as const) : [];
  return ["email", "phone", ...address];
}

/**
 * What of an order Pagar.me cannot carry out, by the field of the create request. Of a saved card's customer it has what
 * it asks.
 */
export function orderFaults(
  order: PagarMeOrder,
  { termsProven }: Pick<PagarMeSettings, "termsProven">,
): FieldErrors {
  const { payer, paymentMethod: method } = order;
  if (walletCardOf(order) !== null) return {};
  const { email, phone, address } = payer;
  const given: Partial<Record<PayerField, string>> = {
    ...address,
    email,
    phone: parsePhone(phone) === null ? "" : phone,
  };
  const missing = requirements(method)
    .filter((field) => field !== "streetNumber" && (given[field] ?? "").trim() === "")
    .map((field) => [PAYER_FIELDS[field], [breaks("requiredFor", { method })]]);
  return {
    ...Object.fromEntries(missing),
    ...(method === "BOLETO" ? boletoFaults(order.boleto, termsProven) : cardFaults(order)),
  };
}

function boletoFaults(terms: BoletoTerms, termsProven: boolean): FieldErrors {
  const { fine, interest, discount, instructions, documentNumber } = terms;
  const none = [breaks("providerCannot")];
  return {
    ...(discount === null ? {} : { "boleto.discount": none }),
    ...(fine === null || termsProven ? {} : { "boleto.fine": none }),
    ...(interest === null || termsProven ? {} : { "boleto.interest": none }),
    ...tooLong("boleto.instructions", instructions, INSTRUCTIONS_MAX),
    ...tooLong("boleto.documentNumber", documentNumber, DOCUMENT_NUMBER_MAX),
  };
}

function cardFaults({ card }: CardOrder): FieldErrors {
  return "token" in card.source
    ? {}
    : { "card.token": [breaks("requiredFor", { method: "CREDIT_CARD" })] };
}

function tooLong(path: string, text: string, max: number): FieldErrors {
  return text.length > max ? { [path]: [breaks("maxLength", { max })] } : {};
}

/** The body of `POST /orders`: one item and one payment, under our id. */
export function orderRequest(order: PagarMeOrder): object {
  const { chargeId, amount, merchantName } = order;
  const description = merchantName.slice(0, ITEM_DESCRIPTION_MAX);
  const saved = walletCardOf(order);
  return {
    code: chargeId,
    closed: true,
    items: [{ amount, description, quantity: 1, code: chargeId }],
    ...(saved === null ? { customer: customerOf(order.payer) } : { customer_id: saved.customerId }),
    payments: [{ amount, ...paymentOf(order) }],
  };
}

function paymentOf(order: PagarMeOrder) {
  if (order.paymentMethod === "BOLETO") {
    return { payment_method: "boleto", boleto: boletoOf(order) };
  }
  const { card } = order;
  const saved = walletCardOf(order);
  return {
    payment_method: "credit_card",
    credit_card: {
      operation_type: card.capture ? "auth_and_capture" : "auth_only",
      installments: card.installments,
      ...("token" in card.source ? { card_token: card.source.token } : {}),
      ...(saved === null ? {} : { card_id: saved.cardId }),
      // Its words for kinds of repeats are not known; that it is one, and of which charge, has a field of its own.
      ...(saved !== null && card.initiatedBy === "merchant"
        ? { recurrence: true, payment_origin: { charge_id: saved.chargeId } }
        : {}),
      ...(card.statementDescriptor === ""
        ? {}
        : { statement_descriptor: card.statementDescriptor }),
    },
  };
}

function boletoOf({ boleto, expiresAt, payer }: BoletoOrder) {
  const { dueDate, instructions, documentNumber, fine, interest } = boleto;
  const hasTerms = fine !== null || interest !== null;
  const daysPastDue = Math.floor((expiresAt - endOfDay(dueDate)) / DAY_MS);
  return {
    // Noon in São Paulo is the same day there and in UTC, whichever the house cuts it by.
    due_at: `${dueDate}T15:00:00Z`,
    ...(instructions === "" ? {} : { instructions }),
    ...(documentNumber === "" ? {} : { document_number: documentNumber }),
    billing_address: addressOf(payer),
    ...(fine === null ? {} : { fine: { days: 1, ...chargeOf(fine) } }),
    ...(interest === null
      ? {}
      : { interest: { days: 1, ...chargeOf({ type: "PERCENTAGE", value: interest.value }) } }),
    ...(hasTerms ? { max_days_to_pay_past_due: daysPastDue } : {}),
  };
}

/** Centavos, or a percentage with decimals. Words and units are what `termsProven` says was proved. */
function chargeOf({ type, value }: Adjustment) {
  return type === "FIXED"
    ? { type: "flat", amount: value }
    : { type: "percentage", amount: value / 100 };
}

function customerOf(payer: Payer) {
  const document = parseDocument(payer.documentNumber, payer.documentType as DocumentType);
  const phone = parsePhone(payer.phone);
  const address = addressOf(payer);
  return {
    name: payer.name.trim(),
    ...(payer.email === "" ? {} : { email: payer.email }),
    type: document?.type === "CNPJ" ? "company" : "individual",
    ...(document === null ? {} : { document: document.number, document_type: document.type }),
    ...(phone === null
      ? {}
      : {
          phones: {
            mobile_phone: { country_code: "55", area_code: phone.area, number: phone.number },
          },
        }),
    ...(address === null ? {} : { address }),
  };
}

/** Null where there is too little of it. */
function addressOf({ address }: Payer) {
  const { street = "", streetNumber = "", neighborhood = "", complement = "" } = address;
  if (ADDRESS_NEEDED.some((part) => (address[part] ?? "").trim() === "")) return null;
  // Of a house without number, as Brazilian forms write it; commas part the three.
  const line = [streetNumber || "S/N", street, neighborhood]
    .map((part) => part.replaceAll(",", " ").trim())
    .filter((part) => part !== "");
  return {
    line_1: line.join(", "),
    ...(complement === "" ? {} : { line_2: complement }),
    zip_code: (address.zipCode ?? "").replaceAll(/\D/g, ""),
    city: address.city,
    state: (address.state ?? "").toUpperCase(),
    country: (address.country || COUNTRY).toUpperCase(),
  };
}
