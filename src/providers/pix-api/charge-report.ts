import { encodeBrCode } from "../../domain/br-code.ts";
import { parseBrCode } from "../../domain/br-code-parser.ts";
import { endOfDay } from "../../domain/business-day.ts";
import type {
  ChargeOutcome,
  KnownCharge,
  ListedPayment,
  ProviderDispute,
  ProviderPayment,
} from "../provider.ts";
import type { PixOrder } from "./charge-request.ts";
import type { Cob, Pix } from "./wire.ts";

/** BACEN's defaults, where the PSP's answer leaves them out. */
const EXPIRACAO_DEFAULT_S = 86_400;
const VALIDADE_DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
/** The code must name a city; the payer's app shows the one behind the location. */
const MERCHANT_CITY = "SAO PAULO";
const PIX_CODE_MAX = 512;
/** What `providerChargeId` makes: any other txid is of a charge that was made elsewhere. */
const OUR_TXID = /^[0-9a-f]{32}$/;

/** A registered charge, or `unknown` where the answer is not of this order or cannot be paid. */
export function registration(cob: Cob, order: PixOrder, pixKey: string): ChargeOutcome {
  const ours =
    cob.txid === order.chargeId &&
    cob.valor.original === order.amount &&
    cob.chave.toLowerCase() === pixKey.toLowerCase();
  const qrcode = ours ? codeOf(cob, order) : null;
  if (qrcode === null) return { kind: "unknown" };
  return { kind: "registered", pix: { qrcode, url: null, expirationDate: expiryOf(cob) } };
}

/** The state of a charge with all its money; null where the answer contradicts itself or the id. */
export function chargeReport(cob: Cob, chargeId: string, nowMs: number): KnownCharge | null {
  const received = cob.pix ?? [];
  const ours = received.every(({ txid }) => (txid ?? chargeId) === chargeId);
  if (cob.txid !== chargeId || !ours) return null;
  if (cob.status === "CONCLUIDA" && received.length === 0) return null;
  return {
    status: statusOf(cob, nowMs),
    payments: received.map(paymentOf),
    disputes: received.flatMap(disputesOf),
  };
}

/** A received PIX, and the charge it is for where that is one of ours. */
export function listedPayment(pix: Pix): ListedPayment {
  const chargeId = pix.txid ?? "";
  return { ...paymentOf(pix), chargeId: OUR_TXID.test(chargeId) ? chargeId : null };
}

/**
 * Whether a PIX came to another key of the account and for none of our charges: then it is somebody
 * else's, also where both keys are companies' here. One that does not say its key is not.
 */
export function isForAnother(pix: Pix, pixKey: string): boolean {
  const chave = pix.chave ?? "";
  if (chave === "" || listedPayment(pix).chargeId !== null) return false;
  return barely(chave) !== barely(pixKey);
}

/** A key without what PSPs write differently: case and punctuation. */
function barely(pixKey: string): string {
  return pixKey.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The API has no word for it: a charge that nobody paid in its time is still `ATIVA`. */
function statusOf(cob: Cob, nowMs: number): KnownCharge["status"] {
  switch (cob.status) {
    case "ATIVA":
      return (cob.pix ?? []).length === 0 && expiryOf(cob) < nowMs ? "expired" : "open";
    case "CONCLUIDA":
      return "open";
    case "REMOVIDA_PELO_USUARIO_RECEBEDOR":
      return "cancelled";
    case "REMOVIDA_PELO_PSP":
      return "failed";
  }
}

/** A `cobv` may be paid through its whole last day. */
function expiryOf({ calendario }: Cob): number {
  const { criacao, expiracao, dataDeVencimento, validadeAposVencimento } = calendario;
  if (dataDeVencimento === null || dataDeVencimento === undefined) {
    return criacao + (expiracao ?? EXPIRACAO_DEFAULT_S) * 1_000;
  }
  const daysAfter = validadeAposVencimento ?? VALIDADE_DEFAULT_DAYS;
  return endOfDay(dataDeVencimento) + daysAfter * DAY_MS;
}

/** The PSP's own code, or one for its location; null where neither can be paid as this one charge. */
function codeOf(cob: Cob, order: PixOrder): string | null {
  const given = cob.pixCopiaECola ?? "";
  if (isOfOneCharge(given)) return given;
  const location = (cob.location ?? cob.loc?.location ?? "").replace(/^https?:\/\//i, "");
  const made = encodeBrCode({
    target: { location },
    merchantName: order.merchantName,
    merchantCity: MERCHANT_CITY,
    amount: order.amount,
  });
  return isOfOneCharge(made) ? made : null;
}

/** A static code could be paid again and again, and by nobody's charge. */
function isOfOneCharge(code: string): boolean {
  if (code.length > PIX_CODE_MAX) return false;
  const verdict = parseBrCode(code);
  return verdict.valid && verdict.content.kind === "dynamic";
}

function paymentOf({ endToEndId, valor, horario }: Pix): ProviderPayment {
  return { paymentId: endToEndId, method: "PIX", amount: valor, paidAt: horario };
}

/** BACEN's Mecanismo Especial de Devolução: the payer's bank asks, the receiver's gives. */
function disputesOf(pix: Pix): ProviderDispute[] {
  return (pix.devolucoes ?? [])
    .filter(({ natureza }) => natureza?.startsWith("MED_") === true)
    .map(({ id, valor, status }) => ({
      // `rtrId` may come only with the money; `id` is there from the first.
      id: `${pix.endToEndId}:${id}`,
      paymentId: pix.endToEndId,
      kind: "DISPUTE" as const,
      amount: valor,
      status: DISPUTE_ENDS.get(status) ?? "OPEN",
    }));
}

/** Any other word, also one that is new, is not the end. */
const DISPUTE_ENDS = new Map<string, ProviderDispute["status"]>([
  ["DEVOLVIDO", "LOST"],
  ["NAO_REALIZADO", "WON"],
]);
