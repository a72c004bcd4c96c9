import type { Schemas } from "centavo";
import type { Refusal } from "./rules.ts";

type Texts = Record<Refusal | "notArranging" | "noStock" | "paidAlready" | "noMethod", string>;

/** What a shopper reads. */
const SHOPPER: Record<"pt" | "en", Texts> = {
  pt: {
    currency: "Esta forma de pagamento aceita só reais (BRL).",
    unknown: "Não encontramos este pagamento.",
    otherOrder: "Este pagamento é de outro pedido.",
    used: "Este pagamento já foi usado.",
    notPaid: "O pagamento ainda não chegou.",
    refunded: "Este pagamento já foi devolvido.",
    partlyPaid: "O valor pago é menor que o do pedido. Fale com a loja.",
    wrongAmount: "O valor pago é diferente do valor do pedido. Fale com a loja.",
    cardRefused: "O cartão foi recusado. Tente outro cartão ou pague com Pix.",
    cardPending: "O banco ainda não respondeu. Não pague de novo: avisaremos quando ele confirmar.",
    unavailable: "Não foi possível confirmar o pagamento agora. Tente de novo em instantes.",
    notArranging: "Conclua o endereço e o frete antes de pagar.",
    noStock: "Um item do pedido acabou de esgotar.",
    paidAlready: "Este pedido já foi pago.",
    badData: "Confira nome, e-mail, CPF ou CNPJ e endereço.",
    noMethod: "Esta forma de pagamento não está ativa na loja.",
  },
  en: {
    currency: "This payment method takes Brazilian reais (BRL) only.",
    unknown: "We do not find this payment.",
    otherOrder: "This payment is for another order.",
    used: "This payment was used already.",
    notPaid: "The payment has not arrived yet.",
    refunded: "This payment was given back already.",
    partlyPaid: "Less was paid than the order costs. Please ask the shop.",
    wrongAmount: "The amount paid is not the order's. Please ask the shop.",
    cardRefused: "The card was refused. Try another card, or pay by Pix.",
    cardPending: "The bank has not answered yet. Do not pay again: we tell you once it has.",
    unavailable: "The payment cannot be confirmed now. Please try again in a moment.",
    notArranging: "Complete address and shipping before you pay.",
    noStock: "An item of the order has just sold out.",
    paidAlready: "This order is paid already.",
    badData: "Check name, e-mail, CPF or CNPJ, and address.",
    noMethod: "This payment method is not active in the shop.",
  },
};

/** A sentence in the shopper's language: Portuguese where it is Portuguese, else English. */
export function sayToShopper(languageCode: string, text: keyof Texts): string {
  return SHOPPER[languageCode.startsWith("pt") ? "pt" : "en"][text];
}

/** Why money came besides what was charged, for the owner. */
export const EXTRA_REASONS: Record<Schemas["PaymentEventData"]["reason"], string> = {
  SECOND_PAYMENT: "pago de novo",
  LATE: "pago tarde demais",
  NO_CHARGE: "sem cobrança",
  WRONG_AMOUNT: "valor diferente",
};

/** What became of a dispute, for the owner. */
export const DISPUTES: Record<Schemas["DisputeStatus"], string> = {
  OPEN: "aberta",
  WON: "ganha",
  LOST: "perdida",
};

/** Centavos as `R$ 1.234,56`. */
export function reais(cents: number): string {
  const format = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });
  // Intl puts a no-break space, which few search boxes find.
  return format.format(cents / 100).replace("\u00a0", " ");
}
