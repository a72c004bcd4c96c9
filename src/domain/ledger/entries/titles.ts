import type { PaymentMethod } from "../../charges/charge-status.ts";
import type { MovementType } from "../ledger.ts";

/** What an entry says that happened: by the payment method where people call it differently. */
type Title = string | Record<PaymentMethod | "OTHER", string>;

const PORTUGUESE: Record<MovementType, Title> = {
  charge_paid: {
    PIX: "Pix recebido",
    BOLETO: "Boleto recebido",
    CREDIT_CARD: "Cartão recebido",
    OTHER: "Pagamento recebido",
  },
  credit_released: "Liberação",
  payment_suspended: "Pagamento inesperado",
  suspense_returned: "Pagamento inesperado devolvido",
  suspense_credited: "Pagamento inesperado creditado",
  refund_requested: returned("Devolução", "Estorno"),
  refund_done: returned("Devolução feita", "Estorno feito"),
  refund_failed: returned("Devolução não feita", "Estorno não feito"),
  refund_external: returned("Devolução feita no banco", "Estorno feito na operadora"),
  dispute_opened: "Contestação: valor bloqueado",
  dispute_won: "Contestação ganha",
  dispute_lost: "Contestação perdida",
  dispute_reduced: "Contestação reduzida",
  chargeback: "Chargeback",
  chargeback_reversed: "Chargeback desfeito",
  withdraw_requested: "Saque",
  withdraw_paid: "Saque pago",
  withdraw_failed: "Saque não feito",
  withdraw_cancelled: "Saque cancelado",
  withdraw_returned: "Saque devolvido",
  correction: "Correção",
};

const ENGLISH: Record<MovementType, Title> = {
  charge_paid: {
    PIX: "Pix received",
    BOLETO: "Boleto received",
    CREDIT_CARD: "Card payment received",
    OTHER: "Payment received",
  },
  credit_released: "Release",
  payment_suspended: "Unexpected payment",
  suspense_returned: "Unexpected payment returned",
  suspense_credited: "Unexpected payment credited",
  refund_requested: "Refund",
  refund_done: "Refund done",
  refund_failed: "Refund failed",
  refund_external: "Refund made at the provider",
  dispute_opened: "Dispute: amount blocked",
  dispute_won: "Dispute won",
  dispute_lost: "Dispute lost",
  dispute_reduced: "Dispute reduced",
  chargeback: "Chargeback",
  chargeback_reversed: "Chargeback reversed",
  withdraw_requested: "Withdraw",
  withdraw_paid: "Withdraw paid",
  withdraw_failed: "Withdraw failed",
  withdraw_cancelled: "Withdraw cancelled",
  withdraw_returned: "Withdraw returned",
  correction: "Correction",
};

const TITLES = { "pt-BR": PORTUGUESE, en: ENGLISH };

/** What happened, in a person's words. */
export function entryTitle(
  { type, paymentMethod }: { type: MovementType; paymentMethod: PaymentMethod | null },
  language: keyof typeof TITLES = "pt-BR",
): string {
  const title = TITLES[language][type];
  return typeof title === "string" ? title : title[paymentMethod ?? "OTHER"];
}

/** What a Pix or boleto gives back is a devolução, what a card gives back an estorno. */
function returned(devolucao: string, estorno: string): Title {
  return { PIX: devolucao, BOLETO: devolucao, CREDIT_CARD: estorno, OTHER: devolucao };
}
