/** A field of a peer, as its documentation names it, with ours of the same meaning. */
interface ForeignName {
  name: string;
  peer: string;
  /** Our names at the same place of the body; dots go deeper. More than one where the peer's meaning is wider. */
  ours: string[];
}

/** How a Pix of the create says when it ends, from the body's root. */
const PIX_EXPIRY = ["pix.expiresInSeconds", "pix.expiresInDays", "pix.dueDate"];

/**
 * Names that peers use for our fields. One of them in a body or a query is a 400 with our name, for an ignored reference or
 * address is found out too late. The list is closed: other unknown fields of the contract's create are ignored.
 */
export const FOREIGN_NAME_LIST: ForeignName[] = [
  { name: "externalReference", peer: "Asaas, Mercado Pago", ours: ["externalRef"] },
  { name: "external_id", peer: "Hyperswitch", ours: ["externalRef"] },
  { name: "externalId", peer: "AbacatePay", ours: ["externalRef"] },
  { name: "correlationID", peer: "Woovi", ours: ["externalRef"] },
  { name: "order_id", peer: "Pagar.me", ours: ["externalRef"] },
  { name: "webhookUrl", peer: "PSPs", ours: ["postbackUrl", "url"] },
  { name: "callbackUrl", peer: "Asaas", ours: ["postbackUrl", "url"] },
  { name: "notification_url", peer: "Mercado Pago, Efí", ours: ["postbackUrl", "url"] },
  {
    name: "description",
    peer: "Stripe, Asaas, Mercado Pago",
    ours: ["pix.payerMessage", "boleto.instructions", "metadata"],
  },
  { name: "comment", peer: "Woovi", ours: ["pix.payerMessage"] },
  { name: "value", peer: "Asaas, Woovi, and our own answers", ours: ["amount", "unitPrice"] },
  { name: "transaction_amount", peer: "Mercado Pago", ours: ["amount"] },
  { name: "valor", peer: "BACEN, Efí", ours: ["amount"] },
  { name: "payer", peer: "Mercado Pago", ours: ["customer"] },
  { name: "devedor", peer: "BACEN, Efí", ours: ["customer"] },
  { name: "billingType", peer: "Asaas", ours: ["paymentMethod"] },
  { name: "expiresIn", peer: "Woovi", ours: ["expiresInSeconds", "expiresInDays", ...PIX_EXPIRY] },
  {
    name: "expirationDate",
    peer: "our own answers",
    ours: ["expiresInSeconds", "dueDate", ...PIX_EXPIRY],
  },
  { name: "date_of_expiration", peer: "Mercado Pago", ours: PIX_EXPIRY },
  { name: "calendario", peer: "BACEN, Efí", ours: PIX_EXPIRY },
  { name: "cpf", peer: "Efí, PSPs", ours: ["document.number"] },
  { name: "cnpj", peer: "Efí, PSPs", ours: ["document.number"] },
  { name: "cpfCnpj", peer: "Asaas", ours: ["document.number"] },
  { name: "taxId", peer: "AbacatePay, Woovi", ours: ["document.number"] },
  { name: "cellphone", peer: "AbacatePay", ours: ["phone"] },
  { name: "mobilePhone", peer: "Asaas", ours: ["phone"] },
  { name: "phone_number", peer: "Efí, Pagar.me", ours: ["phone"] },
  { name: "name", peer: "Efí, AbacatePay", ours: ["title"] },
  { name: "price", peer: "AbacatePay", ours: ["unitPrice"] },
  { name: "cardToken", peer: "Pagar.me", ours: ["card.token"] },
  { name: "card_id", peer: "Pagar.me", ours: ["card.token"] },
  { name: "exp_month", peer: "Stripe, Pagar.me", ours: ["expirationMonth"] },
  { name: "exp_year", peer: "Stripe, Pagar.me", ours: ["expirationYear"] },
  { name: "expiryMonth", peer: "Asaas", ours: ["expirationMonth"] },
  { name: "expiryYear", peer: "Asaas", ours: ["expirationYear"] },
  { name: "expiry", peer: "PSPs", ours: ["expirationMonth", "expirationYear"] },
  { name: "ccv", peer: "Asaas", ours: ["cvv"] },
  { name: "security_code", peer: "Mercado Pago", ours: ["cvv"] },
  { name: "chave", peer: "BACEN, Efí", ours: ["pixKey"] },
  { name: "chavePix", peer: "PSPs", ours: ["pixKey"] },
  { name: "key", peer: "PSPs", ours: ["pixKey"] },
  { name: "pixAddressKey", peer: "Asaas", ours: ["pixKey"] },
  { name: "pixAddressKeyType", peer: "Asaas", ours: ["pixKeyType"] },
  { name: "destination", peer: "Stripe", ours: ["pixKey"] },
  { name: "endpoint", peer: "PSPs", ours: ["url"] },
  { name: "enabled_events", peer: "Stripe", ours: ["events"] },
  { name: "startDate", peer: "PSPs", ours: ["from"] },
  { name: "endDate", peer: "PSPs", ours: ["to"] },
  { name: "dateFrom", peer: "PSPs", ours: ["from"] },
  { name: "dateTo", peer: "PSPs", ours: ["to"] },
  { name: "begin_date", peer: "Mercado Pago", ours: ["from"] },
  { name: "inicio", peer: "BACEN, Efí", ours: ["from"] },
  { name: "fim", peer: "BACEN, Efí", ours: ["to"] },
  { name: "day", peer: "our own releases", ours: ["from", "to"] },
  { name: "date", peer: "PSPs", ours: ["from", "to"] },
  { name: "amount", peer: "our own create", ours: ["amountFrom", "amountTo"] },
  { name: "starting_after", peer: "Stripe", ours: ["after"] },
  { name: "page", peer: "Asaas, and the contract's own list", ours: ["after"] },
  { name: "pageSize", peer: "the contract's own list", ours: ["limit"] },
  { name: "offset", peer: "Asaas", ours: ["after"] },
  { name: "per_page", peer: "Pagar.me", ours: ["limit"] },
];

/** Fields of peers for what we do not do, at the body's root: ignored, a payment would go to another account than meant. */
export const NOT_OFFERED: ReadonlyMap<string, string> = new Map([
  ["split", "a payment is not split: all of it goes to the company"],
  ["splits", "a payment is not split: all of it goes to the company"],
]);

/** A name without case and separators, so that `payment_method` equals `paymentMethod`. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Our names by the foreign one, as `normalizedName` spells it. */
export const FOREIGN_NAMES: ReadonlyMap<string, string[]> = new Map(
  FOREIGN_NAME_LIST.map(({ name, ours }) => [normalizedName(name), ours]),
);
