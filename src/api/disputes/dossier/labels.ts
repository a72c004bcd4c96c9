import type { DisputeReason, DisputeStatusWord } from "../../../domain/disputes/dispute.ts";
import type { CreateStatus } from "../../../domain/charges/charge-status.ts";
import type { OperationKind } from "../../../domain/charges/operation.ts";
import type { Account, TransactionMovementType } from "../../../domain/ledger/ledger.ts";

/** The labels of the PDF, in Portuguese: a Brazilian bank reads it. */

export const REASON_WORDS: Record<DisputeReason, string> = {
  MED_FRAUD: "MED: fundada suspeita de fraude",
  MED_OPERATIONAL_FAILURE: "MED: falha operacional",
  MED_AUTOMATIC_PIX: "MED: Pix Automático",
  CHARGEBACK: "Chargeback",
  OTHER: "Outro motivo",
};

export const DISPUTE_WORDS: Record<DisputeStatusWord, string> = {
  open: "aberta",
  won: "encerrada a favor do recebedor",
  lost: "encerrada a favor do pagador",
};

export const CREATE_STATUS_WORDS: Record<CreateStatus, string> = {
  WAITING_PAYMENT: "aguardando pagamento",
  AUTHORIZED: "autorizada",
  PAID: "paga",
  REFUSED: "recusada",
  FAILED: "falhou",
  CANCELLED: "cancelada",
  REFUNDED: "devolvida",
};

export const OPERATION_WORDS: Record<OperationKind, string> = {
  refund: "Devolução ou estorno",
  cancel: "Cancelamento",
  capture: "Captura",
  return: "Devolução de pagamento inesperado",
  due_date: "Mudança de vencimento",
};

export const OUTCOME_WORDS = {
  PENDING: "pedido",
  DONE: "feito",
  FAILED: "recusado",
  OPEN: "aberta",
  WON: "encerrada a favor do recebedor",
  LOST: "encerrada a favor do pagador",
} as const;

export const MOVEMENT_WORDS: Record<TransactionMovementType, string> = {
  charge_paid: "pagamento creditado",
  credit_released: "crédito liberado",
  payment_suspended: "pagamento inesperado recebido",
  suspense_returned: "pagamento inesperado devolvido",
  suspense_credited: "pagamento inesperado creditado",
  refund_requested: "reserva para devolução ou estorno",
  refund_done: "devolução ou estorno feito",
  refund_failed: "reserva de devolução ou estorno desfeita",
  refund_external: "devolução feita no PSP",
  dispute_opened: "bloqueio por contestação",
  dispute_won: "bloqueio desfeito",
  dispute_lost: "valor devolvido por contestação",
  dispute_reduced: "bloqueio reduzido",
  chargeback: "chargeback",
  chargeback_reversed: "chargeback revertido",
};

export const ACCOUNT_LABELS: Record<Account, string> = {
  available: "disponível",
  awaiting: "a liberar",
  blocked: "bloqueado",
  payout: "em saque",
  debt: "dívida",
  suspense: "pagamentos inesperados",
  fees: "taxas",
  provider: "provedor",
};

export const DELIVERY_WORDS = {
  pending: "pendente",
  delivered: "entregue",
  superseded: "substituída por outra mais nova",
  stopped: "encerrada pelo recebedor",
  exhausted: "sem resposta após todas as tentativas",
} as const;
