import { parseDocument } from "../../domain/shared/document.ts";
import { isSameRefundId, ourPayoutId } from "../../domain/psp/psp-ids.ts";
import type { PayoutOrder } from "../../domain/withdraws/withdraw.ts";
import { log } from "../../lib/log.ts";
import { decimalReais } from "../../domain/shared/money.ts";
import type { PayoutOutcome, RefundOrder, RefundOutcome } from "../provider.ts";
import type { UnreadableRecord } from "../charge.ts";
import { failureCodeOf } from "./failure-codes.ts";
import { describeZodError, unreadableRecord } from "./unreadable-record.ts";
import { toSentence } from "../calls/sentence.ts";
import { EnvioDevolucao, entriesOf, type Devolucao, type Envio } from "./wire.ts";

/** The payer's app shows as much of a payout's description (Efí). */
const INFO_MAX = 140;

/** A PSP's report of a refund; `unknown` where it is of another refund. */
export function refundOutcome(devolucao: Devolucao, order: RefundOrder): RefundOutcome {
  const asked = isSameRefundId(devolucao.id, order.refundId) && devolucao.valor === order.amount;
  if (!asked) return { kind: "unknown" };
  switch (devolucao.status) {
    case "EM_PROCESSAMENTO":
      return { kind: "processing" };
    case "DEVOLVIDO":
      return { kind: "done" };
    case "NAO_REALIZADO":
      return { kind: "failed", reason: toSentence([devolucao.motivo ?? ""]) };
  }
}

/** The id that Efí knows a payout by: its UUID without hyphens (`^[a-zA-Z0-9]{1,35}$`). */
export function idEnvioOf(payoutId: string): string {
  return payoutId.replaceAll("-", "");
}

/** The body of Efí's `PUT /v3/gn/pix/{idEnvio}`, which checks that the key is the creditor's. */
export function payoutRequest(order: PayoutOrder, pixKey: string): unknown {
  const infoPagador = order.description.trim().slice(0, INFO_MAX);
  const document = parseDocument(order.creditorDocument);
  const owner =
    document === null
      ? {}
      : document.type === "CPF"
        ? { cpf: document.number }
        : { cnpj: document.number };
  return {
    valor: decimalReais(order.amount),
    pagador: { chave: pixKey, ...(infoPagador === "" ? {} : { infoPagador }) },
    favorecido: { chave: order.pixKey, ...owner },
  };
}

/** Efí's report of a payout; `unknown` where it is of another one. */
export function payoutReport(envio: Envio, payoutId: string): PayoutOutcome {
  const { idEnvio, valor } = envio;
  if (ourPayoutId(idEnvio ?? "") !== payoutId && idEnvio !== idEnvioOf(payoutId))
    return { kind: "unknown" };
  const { outcome } = payoutOutcome(envio);
  const isPaid = outcome.kind === "paid" || outcome.kind === "returned";
  return isPaid ? { ...outcome, amount: valor } : outcome;
}

/** Efí's report of a payout by this service or others, with its unreadable returns. */
export function payoutOutcome(envio: Envio): {
  outcome: PayoutOutcome;
  unreadable: UnreadableRecord[];
} {
  switch (envio.status) {
    case "EM_PROCESSAMENTO":
      return { outcome: { kind: "processing" }, unreadable: [] };
    case "NAO_REALIZADO": {
      const error = envio.gnExtras?.erro;
      const motivo = error?.motivo ?? envio.motivo ?? "";
      const reason = toSentence([motivo]);
      const code = failureCodeOf([error?.codigo, motivo], "REFUSED_BY_BANK");
      return { outcome: { kind: "failed", reason, code }, unreadable: [] };
    }
    case "REALIZADO":
    case "DEVOLVIDO": {
      const returns = parseReturns(envio);
      return { outcome: finalPayoutOutcome(envio, returns), unreadable: returns.unreadable };
    }
  }
}

interface Returns {
  /** Returns that can be read, done or not. */
  parsed: EnvioDevolucao[];
  unreadable: UnreadableRecord[];
}

/**
 * Paid, with what has come back so far, or wholly returned. The returns decide, which Efí tells one by
 * one. Its word `DEVOLVIDO` does where it tells none of them, and is unknown where none is done.
 */
function finalPayoutOutcome(envio: Envio, { parsed }: Returns): PayoutOutcome {
  const { idEnvio, status, valor } = envio;
  const endToEndId = envio.endToEndId ?? envio.e2eId ?? null;
  const returned = parsed
    .filter((each) => each.status === "DEVOLVIDO")
    .reduce((sum, each) => sum + each.valor, 0);
  if (returned > valor) log("error", "payout_over_returned", { idEnvio, valor, returned });
  if (returned > valor) return { kind: "returned", endToEndId, returnedAmount: returned };
  if (returned === valor) return { kind: "returned", endToEndId };
  if (returned > 0) return { kind: "paid", endToEndId, returnedAmount: returned };
  if (status === "REALIZADO") return { kind: "paid", endToEndId };
  return parsed.length === 0 ? { kind: "returned", endToEndId } : { kind: "unknown" };
}

function parseReturns({ idEnvio, endToEndId, devolucoes }: Envio): Returns {
  const parsed: EnvioDevolucao[] = [];
  const unreadable: UnreadableRecord[] = [];
  for (const entry of entriesOf(devolucoes)) {
    const read = EnvioDevolucao.safeParse(entry);
    if (read.success) parsed.push(read.data);
    else {
      const alone = { idEnvio, endToEndId, devolucoes: [entry] };
      unreadable.push(
        unreadableRecord("payout", alone, `devolucoes.${describeZodError(read.error)}`),
      );
    }
  }
  return { parsed, unreadable };
}
