import type { TaxDocument } from "../../../domain/shared/document.ts";
import { decimalReais } from "../../../domain/shared/money.ts";
import type { PixReceiver } from "../../../domain/psp/psp-settings.ts";
import type { Schedule } from "../../../domain/subscriptions/schedule.ts";
import type { PayerAccount, Period } from "../../../domain/subscriptions/subscription.ts";
import type { DebitOrder, MandateOrder } from "../../mandate-provider.ts";

/** BACEN's limits of texts. */
const OBJETO_MAX = 35;
const NOME_MAX = 140;
const INFO_MAX = 140;
/** Efí demands a branch, the standard does not; accounts of payment institutions are in this one. */
const ONLY_BRANCH = "0001";

const PERIODICIDADES: Record<Period, string> = {
  WEEKLY: "SEMANAL",
  MONTHLY: "MENSAL",
  QUARTERLY: "TRIMESTRAL",
  SEMIANNUAL: "SEMESTRAL",
  ANNUAL: "ANUAL",
};

/** What BACEN's names of periods mean. */
export const PERIODS: ReadonlyMap<string, Period> = new Map(
  Object.entries(PERIODICIDADES).map(([period, name]) => [name, period as Period]),
);

/** The retry policy of a mandate. */
export const RETRY_POLICIES = { allowed: "PERMITE_3R_7D", forbidden: "NAO_PERMITE" } as const;

/** The body of `POST /rec`. `loc`: the id of its location; null for a mandate without a code. */
export function mandateRequest(order: MandateOrder, loc: number | null) {
  const { payer, amount } = order;
  const objeto = order.description.trim().slice(0, OBJETO_MAX);
  const devedor = { ...documentOf(payer.document), nome: payer.name.trim().slice(0, NOME_MAX) };
  return {
    vinculo: { contrato: order.subscriptionId, devedor, ...(objeto === "" ? {} : { objeto }) },
    calendario: calendarOf(order.schedule),
    valor:
      amount.kind === "fixed"
        ? { valorRec: decimalReais(amount.amount) }
        : { valorMinimoRecebedor: decimalReais(amount.minimum) },
    politicaRetentativa: order.allowsRetries ? RETRY_POLICIES.allowed : RETRY_POLICIES.forbidden,
    ...(loc === null ? {} : { loc }),
    ...(order.journey === "QR_AND_PAY" && order.firstChargeId !== null
      ? { ativacao: { dadosJornada: { txid: order.firstChargeId } } }
      : {}),
  };
}

function calendarOf({ firstDueDate, endDate, period }: Schedule) {
  const dataFinal = endDate === null ? {} : { dataFinal: endDate };
  return { dataInicial: firstDueDate, ...dataFinal, periodicidade: PERIODICIDADES[period] };
}

/** The body of `POST /solicrec`: the payer's bank asks him until then (epoch milliseconds). */
export function approvalRequest(
  mandateId: string,
  { account, expiresAt }: { account: PayerAccount & { document: TaxDocument }; expiresAt: number },
) {
  return {
    idRec: mandateId,
    calendario: { dataExpiracaoSolicitacao: new Date(expiresAt).toISOString() },
    destinatario: {
      agencia: account.branch ?? ONLY_BRANCH,
      conta: account.account,
      ...documentOf(account.document),
      ispbParticipante: account.ispb,
    },
  };
}

/** The body of `PUT /cobr/{txid}`. The PSP moves the due date over holidays of the payer's town. */
export function debitRequest(order: DebitOrder, receiver: PixReceiver) {
  const infoAdicional = order.info.trim().slice(0, INFO_MAX);
  return {
    idRec: order.mandateId,
    ...(infoAdicional === "" ? {} : { infoAdicional }),
    calendario: { dataDeVencimento: order.dueDate },
    valor: { original: decimalReais(order.amount) },
    ajusteDiaUtil: true,
    recebedor: {
      agencia: receiver.branch ?? ONLY_BRANCH,
      conta: receiver.account,
      tipoConta: TIPOS_DE_CONTA[receiver.accountType],
    },
  };
}

const TIPOS_DE_CONTA: Record<PixReceiver["accountType"], string> = {
  CHECKING: "CORRENTE",
  SAVINGS: "POUPANCA",
  PAYMENT: "PAGAMENTO",
};

/** `cpf` or `cnpj`, as the API's queries and bodies name a person. */
export function documentOf({ type, number }: TaxDocument): { cpf: string } | { cnpj: string } {
  return type === "CPF" ? { cpf: number } : { cnpj: number };
}
