/** A field of a peer, as its documentation names it, with ours of the same meaning. */
interface ForeignName {
  name: string;
  peer: string;
  /** Our names at the same place of the body; dots go deeper. More than one where the peer's meaning is wider. */
  ours: string[];
}

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
  { name: "webhookUrl", peer: "PSPs", ours: ["postbackUrl"] },
  { name: "callbackUrl", peer: "Asaas", ours: ["postbackUrl"] },
  { name: "notification_url", peer: "Mercado Pago, Efí", ours: ["postbackUrl"] },
  {
    name: "description",
    peer: "Stripe, Asaas, Mercado Pago",
    ours: ["pix.payerMessage", "boleto.instructions", "metadata"],
  },
  { name: "comment", peer: "Woovi", ours: ["pix.payerMessage"] },
  { name: "value", peer: "Asaas, Woovi, and our own answers", ours: ["amount", "unitPrice"] },
  { name: "expiresIn", peer: "Woovi", ours: ["expiresInSeconds", "expiresInDays"] },
  { name: "expirationDate", peer: "our own answers", ours: ["expiresInSeconds", "dueDate"] },
  { name: "cpf", peer: "Efí, PSPs", ours: ["document.number"] },
  { name: "cnpj", peer: "Efí, PSPs", ours: ["document.number"] },
  { name: "cpfCnpj", peer: "Asaas", ours: ["document.number"] },
  { name: "taxId", peer: "AbacatePay, Woovi", ours: ["document.number"] },
  { name: "name", peer: "Efí, AbacatePay", ours: ["title"] },
  { name: "price", peer: "AbacatePay", ours: ["unitPrice"] },
  { name: "cardToken", peer: "Pagar.me", ours: ["card.token"] },
  { name: "card_id", peer: "Pagar.me", ours: ["card.token"] },
  { name: "page", peer: "Asaas, and the contract's own list", ours: ["after"] },
  { name: "pageSize", peer: "the contract's own list", ours: ["limit"] },
  { name: "offset", peer: "Asaas", ours: ["after"] },
  { name: "per_page", peer: "Pagar.me", ours: ["limit"] },
];

/** A name without case and separators, so that `payment_method` equals `paymentMethod`. */
export function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Our names by the foreign one, as `normalizedName` spells it. */
export const FOREIGN_NAMES: ReadonlyMap<string, string[]> = new Map(
  FOREIGN_NAME_LIST.map(({ name, ours }) => [normalizedName(name), ours]),
);
