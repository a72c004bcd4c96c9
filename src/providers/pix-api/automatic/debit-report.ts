import { isSameTxid } from "../../../domain/psp/psp-ids.ts";
import { debitReason, unpaidByEndOfDay } from "../../../domain/subscriptions/debit-codes.ts";
import type {
  AttemptKind,
  AttemptStatus,
  DebitAttempt,
} from "../../../domain/subscriptions/subscription.ts";
import type { DebitDetails, DebitOrder } from "../../mandate-provider.ts";
import type { UnreadableRecord } from "../../charge.ts";
import type { TimeBounds } from "../../calls/told-time.ts";
import { toPayment, paymentsOf } from "../charge-report.ts";
import { endedBy } from "./mandate-report.ts";
import type { Cobr, Encerramento, Tentativa } from "./wire.ts";

const STATUSES = {
  CRIADA: { debit: "created", charge: "open" },
  ATIVA: { debit: "active", charge: "open" },
  // Its payments say whether money came.
  CONCLUIDA: { debit: "paid", charge: "open" },
  EXPIRADA: { debit: "expired", charge: "expired" },
  REJEITADA: { debit: "rejected", charge: "failed" },
  CANCELADA: { debit: "cancelled", charge: "cancelled" },
} as const satisfies Record<
  Cobr["status"],
  { debit: DebitDetails["status"]; charge: DebitDetails["charge"]["status"] }
>;

/** One of another kind counts as a retry, of which few are allowed. */
const ATTEMPT_KINDS = new Map<string, AttemptKind>([
  ["AGND", "due"],
  ["NTAG", "retry"],
  ["RIFL", "resend"],
]);

const ATTEMPT_STATUSES = {
  SOLICITADA: "requested",
  AGENDADA: "scheduled",
  PAGA: "paid",
  REJEITADA: "failed",
  EXPIRADA: "failed",
  CANCELADA: "cancelled",
} as const satisfies Record<Tentativa["status"], AttemptStatus>;

/** A debit with all of its money that can be read. The end-to-end id of an attempt is none of it. */
export function debitDetails(
  cobr: Cobr,
  chargeId: string,
  bounds: TimeBounds,
): { debit: DebitDetails; unreadable: UnreadableRecord[] } {
  const { payments, missed: unreadable } = paymentsOf(cobr, bounds);
  const { debit: status, charge } = STATUSES[cobr.status];
  const debit = {
    chargeId,
    mandateId: cobr.idRec,
    status,
    dueDate: cobr.calendario.dataDeVencimento,
    amount: cobr.valor.original,
    attempts: (cobr.tentativas ?? []).map(toAttempt),
    end: endOf(cobr.encerramento),
    charge: {
      status: charge,
      payments: payments.map(toPayment),
      disputes: payments.flatMap(({ disputes }) => disputes),
      refunds: payments.flatMap(({ refunds }) => refunds),
    },
  };
  return { debit, unreadable };
}

/** Whether a debit is the ordered one. */
export function isOrderedDebit(cobr: Cobr, order: DebitOrder): boolean {
  return (
    isSameTxid(cobr.txid, order.chargeId) &&
    cobr.idRec === order.mandateId &&
    cobr.valor.original === order.amount &&
    cobr.calendario.dataDeVencimento === order.dueDate
  );
}

function toAttempt(tentativa: Tentativa): DebitAttempt {
  const { dataLiquidacao, tipo, status, rejeicao, endToEndId } = tentativa;
  return {
    day: dataLiquidacao,
    kind: ATTEMPT_KINDS.get(tipo ?? "") ?? "retry",
    status: ATTEMPT_STATUSES[status],
    reason: reasonOf(status, rejeicao?.codigo ?? null),
    endToEndId: endToEndId ?? null,
  };
}

function reasonOf(status: Tentativa["status"], codigo: string | null): DebitAttempt["reason"] {
  if (status === "REJEITADA") return debitReason(codigo);
  return status === "EXPIRADA" ? unpaidByEndOfDay(codigo) : null;
}

function endOf(encerramento: Encerramento): DebitDetails["end"] {
  const { rejeicao, cancelamento } = encerramento ?? {};
  if (rejeicao !== null && rejeicao !== undefined) {
    const { codigo, descricao } = rejeicao;
    return { kind: "rejected", by: "payer_bank", providerCode: codigo ?? null, message: descricao };
  }
  if (cancelamento === null || cancelamento === undefined) return null;
  const { codigo, descricao, solicitante } = cancelamento;
  const by = endedBy(solicitante);
  return { kind: "cancelled", by, providerCode: codigo ?? null, message: descricao };
}
