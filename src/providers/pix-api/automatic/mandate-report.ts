import { saoPauloDay } from "../../../domain/shared/business-day.ts";
import {
  mandateEndReason,
  type MandateEndReason,
} from "../../../domain/subscriptions/debit-codes.ts";
import { isAsAgreed, type ToldTerms } from "../../../domain/subscriptions/mandate-terms.ts";
import type { SubscriptionJourney } from "../../../domain/subscriptions/subscription.ts";
import { log } from "../../../lib/log.ts";
import { parseBrCode } from "../../../methods/pix/br-code-parser.ts";
import type {
  ApprovalRequest,
  MandateDetails,
  MandateEnd,
  MandateOrder,
} from "../../mandate-provider.ts";
import { PERIODS, RETRY_POLICIES } from "./requests.ts";
import { solicitacoesOf, type Encerramento, type Rec } from "./wire.ts";

const SUBSCRIPTION_ID = /^[0-9a-f]{32}$/;
const CITY = /^\d{7}$/;
/** The second letter of an `idRec` that allows retries. */
const WITH_RETRIES = "R";
const PIX_CODE_MAX = 512;

const STATUSES = {
  CRIADA: "created",
  APROVADA: "approved",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "cancelled",
} as const satisfies Record<Rec["status"], MandateDetails["status"]>;

const JOURNEYS = new Map<string, SubscriptionJourney>([
  ["JORNADA_1", "REQUEST"],
  ["JORNADA_2", "QR"],
  ["JORNADA_3", "QR_AND_PAY"],
  ["JORNADA_4", "QR_ON_DUE"],
]);

/** A state that is not known is open. */
const REQUEST_STATUSES = new Map<string, ApprovalRequest["status"]>([
  ["ACEITA", "accepted"],
  ["REJEITADA", "rejected"],
  ["EXPIRADA", "expired"],
  ["CANCELADA", "cancelled"],
]);

const ENDED_BY = new Map<string, MandateEnd["by"]>([
  ["USUARIO_PAGADOR", "payer"],
  ["PSP_PAGADOR", "payer_bank"],
  ["USUARIO_RECEBEDOR", "receiver"],
  ["PSP_RECEBEDOR", "receiver_bank"],
]);

/** A mandate as the port tells it. */
export function mandateDetails(rec: Rec, nowMs: number): MandateDetails {
  const status = statusOf(rec, nowMs);
  const journey = JOURNEYS.get(rec.ativacao?.tipoJornada ?? "") ?? null;
  return {
    mandateId: rec.idRec,
    subscriptionId: subscriptionIdOf(rec.vinculo.contrato),
    status,
    // Before he approves it may name the journey that was asked for.
    journey: status === "created" ? null : journey,
    allowsRetries: allowsRetries(rec),
    payer: payerOf(rec),
    code: codeOf(rec),
    request: newestRequest(rec),
    terms: termsOf(rec),
    end: endOf(rec.encerramento),
  };
}

/** Our subscription's id in a `contrato`; null for another text. */
export function subscriptionIdOf(contrato: string | null): string | null {
  const id = contrato?.toLowerCase() ?? "";
  return SUBSCRIPTION_ID.test(id) ? id : null;
}

/** Whether a mandate is the ordered one. */
export function isOrdered(rec: Rec, order: MandateOrder): boolean {
  const isOfOrder = subscriptionIdOf(rec.vinculo.contrato) === order.subscriptionId;
  return isOfOrder && isAsAgreed(termsOf(rec), order);
}

function termsOf({ calendario, valor }: Rec): ToldTerms {
  const { dataInicial, dataFinal, periodicidade } = calendario ?? {};
  return {
    firstDueDate: dataInicial ?? null,
    endDate: dataFinal ?? null,
    period: periodicidade == null ? null : (PERIODS.get(periodicidade) ?? "OTHER"),
    amount: valor?.valorRec ?? null,
    minimum: valor?.valorMinimoRecebedor ?? null,
  };
}

/** BACEN's API calls a mandate expired only when it is asked after `dataFinal`: so its end counts. */
function statusOf({ status, calendario }: Rec, nowMs: number): MandateDetails["status"] {
  const end = calendario?.dataFinal ?? null;
  const isOver = end !== null && end < saoPauloDay(nowMs);
  return isOver && (status === "CRIADA" || status === "APROVADA") ? "expired" : STATUSES[status];
}

/** Its id and its policy both say so: where they differ, no retry is ordered. */
function allowsRetries({ idRec, politicaRetentativa }: Rec): boolean {
  const byId = idRec[1] === WITH_RETRIES;
  const byPolicy = politicaRetentativa === RETRY_POLICIES.allowed;
  if (byId !== byPolicy) log("warn", "pix_api_unparseable", { field: "politicaRetentativa" });
  return byId && byPolicy;
}

function payerOf({ pagador }: Rec): MandateDetails["payer"] {
  if (pagador === null || pagador === undefined) return null;
  const city = pagador.codMun ?? "";
  return { ispb: pagador.ispbParticipante, city: CITY.test(city) ? city : null };
}

/** The code to approve with: one that names a recurrence, alone or beside a charge. */
function codeOf({ dadosQR }: Rec): string | null {
  const code = dadosQR?.pixCopiaECola ?? "";
  if (code === "" || code.length > PIX_CODE_MAX) return null;
  const verdict = parseBrCode(code);
  if (verdict.valid && verdict.content.recurrenceLocation !== null) return code;
  log("warn", "pix_api_unparseable", { field: "dadosQR.pixCopiaECola" });
  return null;
}

/** The open request, else the last one. */
function newestRequest({ solicitacao }: Rec): ApprovalRequest | null {
  const requests = solicitacoesOf(solicitacao).map(({ idSolicRec, status }) => ({
    id: idSolicRec,
    status: REQUEST_STATUSES.get(status ?? "") ?? ("open" as const),
  }));
  return requests.find(({ status }) => status === "open") ?? requests.at(-1) ?? null;
}

function endOf(encerramento: Encerramento): MandateEnd | null {
  const { rejeicao, cancelamento } = encerramento ?? {};
  const ending = rejeicao ?? cancelamento ?? null;
  if (ending === null) return null;
  const providerCode = ending.codigo ?? null;
  const by = rejeicao === ending ? "payer" : endedBy(cancelamento?.solicitante);
  return { by, reason: reasonOf(providerCode, by), providerCode, message: ending.descricao };
}

/** Who asked to end a mandate or a debit (BACEN `solicitante`). */
export function endedBy(solicitante: string | null | undefined): MandateEnd["by"] {
  return ENDED_BY.get(solicitante ?? "") ?? null;
}

/** By its code; where that says nothing, by who ended it. */
function reasonOf(providerCode: string | null, by: MandateEnd["by"]): MandateEndReason {
  const reason = mandateEndReason(providerCode);
  if (reason !== "OTHER") return reason;
  if (by === "payer") return "PAYER_CANCELLED";
  return by === "receiver" ? "RECEIVER_CANCELLED" : "OTHER";
}
