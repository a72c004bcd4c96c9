import { FULL_REQUEST } from "../requests/full-request.ts";

/** A document that no other test uses, bare and as it is written. */
export const MARKED_DOCUMENT = "39053344705";

/** A create request whose payer has a mark in each field, and the marks by field. */
export const MARKED_PAYER = {
  customer: {
    id: "marked-customer-id",
    name: "Marcada Pessoa",
    email: "marked-email@example.com",
    document: { number: MARKED_DOCUMENT, type: "CPF" },
    phone: "+5511955667788",
  },
  shipping: {
    fee: 1_500,
    address: {
      street: "Rua Marcada",
      streetNumber: "98765-X",
      complement: "Complemento Marcado",
      zipCode: "69999-123",
      neighborhood: "Bairro Marcado",
      city: "Cidade Marcada",
      state: "AM",
      country: "BR",
    },
  },
  ip: "203.0.113.77",
};

/** What masking hides of the marked payer. The name, state and country stay. */
export const HIDDEN_MARKS = [
  MARKED_DOCUMENT,
  MARKED_PAYER.customer.email,
  MARKED_PAYER.customer.phone,
  "Rua Marcada",
  "98765-X",
  "Complemento Marcado",
  "69999-123",
  "Bairro Marcado",
  "Cidade Marcada",
  MARKED_PAYER.ip,
];

/** What erasing removes of the marked payer: all, also the name on the card. */
export const ERASED_MARKS = [
  ...HIDDEN_MARKS,
  MARKED_PAYER.customer.id,
  MARKED_PAYER.customer.name,
  "MARKED HOLDER",
];

/** The marked payer's charges by each method; none has an `externalRef`, which is the merchant's own. */
export const MARKED_PIX = { ...FULL_REQUEST, ...MARKED_PAYER };
export const MARKED_BOLETO = { amount: 5_000, paymentMethod: "BOLETO", ...MARKED_PAYER };
export const MARKED_CARD = {
  amount: 5_000,
  paymentMethod: "CREDIT_CARD",
  ...MARKED_PAYER,
  card: {
    number: "4242424242424242",
    holderName: "MARKED HOLDER",
    expirationMonth: 12,
    expirationYear: 2030,
    cvv: "123",
  },
};
