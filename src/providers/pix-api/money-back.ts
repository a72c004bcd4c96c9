import { parseDocument } from "../../domain/document.ts";
import type { PayoutOrder } from "../../domain/withdraw.ts";
import { log } from "../../lib/log.ts";
import type { PayoutOutcome, RefundOrder, RefundOutcome } from "../provider.ts";
import { sentenceOf, valorOf, type Devolucao, type Envio } from "./wire.ts";

/** The payer's app shows as much of a payout's description (Efí). */
const INFO_MAX = 140;

/** What a PSP says of a refund; `unknown` where it is not the one that was asked. */
export function refundOutcome(devolucao: Devolucao, order: RefundOrder): RefundOutcome {
  const asked = devolucao.id === order.refundId && devolucao.valor === order.amount;
  if (!asked) return { kind: "unknown" };
  switch (devolucao.status) {
    case "EM_PROCESSAMENTO":
      return { kind: "processing" };
    case "DEVOLVIDO":
      return { kind: "done" };
    case "NAO_REALIZADO":
      return { kind: "failed", reason: sentenceOf([devolucao.motivo ?? ""]) };
  }
}

/** The id that Efí knows a payout by: its UUID without hyphens (`^[a-zA-Z0-9]{1,35}$`). */
export function idEnvioOf(payoutId: string): string {
  return payoutId.replaceAll("-", "");
}

/** What is sent to Efí's `PUT /v3/gn/pix/{idEnvio}`: it checks that the key is the creditor's. */
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
    valor: valorOf(order.amount),
    pagador: { chave: pixKey, ...(infoPagador === "" ? {} : { infoPagador }) },
    favorecido: { chave: order.pixKey, ...owner },
  };
}

/** What Efí says of a payout; `unknown` where it is another one. */
export function payoutOutcome(envio: Envio, payoutId: string): PayoutOutcome {
  if (envio.idEnvio !== idEnvioOf(payoutId)) return { kind: "unknown" };
  const endToEndId = envio.endToEndId ?? envio.e2eId ?? null;
  switch (envio.status) {
    case "EM_PROCESSAMENTO":
      return { kind: "processing" };
    case "NAO_REALIZADO": {
      const reason = envio.gnExtras?.erro?.motivo ?? envio.motivo ?? "";
      return { kind: "failed", reason: sentenceOf([reason]) };
    }
    case "DEVOLVIDO":
      return { kind: "returned", endToEndId };
    case "REALIZADO":
      return { kind: cameBack(envio) ? "returned" : "paid", endToEndId };
  }
}

/** Whether all of it came back; that a part of it did is for people to settle. */
function cameBack({ idEnvio, valor, devolucoes }: Envio): boolean {
  const back = (devolucoes ?? [])
    .filter(({ status }) => status === "DEVOLVIDO")
    .reduce((sum, devolucao) => sum + devolucao.valor, 0);
  if (back > 0 && back < valor) log("warn", "payout_partly_returned", { idEnvio, valor, back });
  return back >= valor;
}
