import type { ReportedPayer } from "../../domain/charges/payer-match.ts";
import { isOtherPixKey, ourChargeId } from "../../domain/psp/psp-ids.ts";
import type { ListedPayment } from "../provider.ts";
import type {
  ProviderDispute,
  ProviderPayment,
  ProviderRefund,
  UnreadableRecord,
} from "../charge.ts";
import { isPossibleTime, type TimeBounds } from "../calls/told-time.ts";
import { describeZodError, idFieldsOf, unreadableRecord } from "./unreadable-record.ts";
import { entriesOf, GnExtras, Pagador, Pix, PixDevolucao } from "./wire.ts";

/** A received PIX with its readable returns, and its unreadable ones. */
export interface ReceivedPix {
  payment: ListedPayment;
  unreadable: UnreadableRecord[];
}

/** Reads a received PIX. A return that cannot be read does not hide the payment, nor the others. */
export function parsePix(
  record: unknown,
  bounds: TimeBounds,
): ({ kind: "read" } & ReceivedPix) | { kind: "unreadable"; record: UnreadableRecord } {
  const pix = Pix.safeParse(record);
  if (!pix.success) {
    return {
      kind: "unreadable",
      record: unreadableRecord("payment", record, describeZodError(pix.error)),
    };
  }
  const chargeId = ourChargeId(pix.data.txid ?? "");
  if (!isPossibleTime(pix.data.horario, bounds, chargeId)) {
    return {
      kind: "unreadable",
      record: unreadableRecord("payment", record, "horario: Impossible"),
    };
  }
  const { devolucoes, missed: unreadable } = parseDevolucoes(pix.data);
  const payment = {
    ...paymentOf(pix.data),
    chargeId,
    txid: pix.data.txid ?? null,
    pixKey: pix.data.chave ?? null,
    disputes: devolucoes.filter(isDispute).map((each) => disputeOf(pix.data.endToEndId, each)),
    refunds: devolucoes
      .filter((each) => !isDispute(each))
      .map((each) => refundOf(pix.data.endToEndId, each)),
  };
  return { kind: "read", payment, unreadable };
}

/**
 * Whether a PIX came to another key of the account and for none of our charges. It is not this company's
 * then, even where another company here owns that key. A PIX without a key counts as this company's.
 */
export function isForAnotherKey(record: unknown, pixKey: string): boolean {
  const { chave, txid } = idFieldsOf(record);
  return ourChargeId(txid) === null && isOtherPixKey(chave, pixKey);
}

function parseDevolucoes(pix: Pix): { devolucoes: PixDevolucao[]; missed: UnreadableRecord[] } {
  const devolucoes: PixDevolucao[] = [];
  const missed: UnreadableRecord[] = [];
  for (const entry of entriesOf(pix.devolucoes)) {
    const read = PixDevolucao.safeParse(entry);
    if (read.success) devolucoes.push(read.data);
    else {
      // Its id is one only within its payment.
      const { endToEndId, txid } = pix;
      const alone = { endToEndId, txid, devolucoes: [entry] };
      missed.push(unreadableRecord("payment", alone, `devolucoes.${describeZodError(read.error)}`));
    }
  }
  return { devolucoes, missed };
}

function paymentOf(pix: Pix): ProviderPayment {
  const { endToEndId, valor, horario } = pix;
  const payer = payerOf(pix);
  return {
    paymentId: endToEndId,
    method: "PIX",
    amount: valor,
    paidAt: horario,
    ...(payer === null ? {} : { payer }),
  };
}

/** Who paid, where the PSP tells it: the standard has no such field. */
function payerOf({ pagador, gnExtras }: Pix): ReportedPayer | null {
  const extras = GnExtras.safeParse(gnExtras);
  const read = Pagador.safeParse(pagador ?? extras.data?.pagador);
  return read.success && (read.data.name ?? read.data.document) !== null ? read.data : null;
}

/**
 * BACEN's Mecanismo Especial de Devolução (`MED_OPERACIONAL`, `MED_FRAUDE`, `MED_PIX_AUTOMATICO`): the
 * payer's bank claims the money and the receiver's bank gives it. `ORIGINAL` and `RETIRADA` are refunds
 * that the receiver ordered; BACEN reads a missing value as `ORIGINAL`.
 */
function isDispute({ natureza }: PixDevolucao): boolean {
  return natureza?.startsWith("MED_") === true;
}

/** Known by `id`, for `rtrId` may come only with the money; it is one only within its payment. */
function disputeOf(
  paymentId: string,
  { id, valor, status, natureza }: PixDevolucao,
): ProviderDispute {
  return {
    id: `${paymentId}:${id}`,
    paymentId,
    kind: "DISPUTE",
    amount: valor,
    status: FINAL_DISPUTE_STATUSES.get(status) ?? "OPEN",
    reason: DISPUTE_REASONS.get(natureza ?? "") ?? "OTHER",
  };
}

/** The end-to-end id in a dispute's id. */
export function paymentOfDispute(disputeId: string): string {
  return disputeId.split(":")[0] ?? "";
}

/** A refund that the receiver ordered, by this service or by others. */
function refundOf(paymentId: string, { id, valor, status }: PixDevolucao): ProviderRefund {
  return {
    id,
    paymentId,
    amount: valor,
    status: FINAL_REFUND_STATUSES.get(status) ?? "PROCESSING",
  };
}

const FINAL_REFUND_STATUSES = new Map<string, ProviderRefund["status"]>([
  ["DEVOLVIDO", "DONE"],
  ["NAO_REALIZADO", "FAILED"],
]);

/** BACEN's `natureza` of a return in the MED. A new one is shown as another reason. */
const DISPUTE_REASONS = new Map<string, ProviderDispute["reason"]>([
  ["MED_FRAUDE", "MED_FRAUD"],
  ["MED_OPERACIONAL", "MED_OPERATIONAL_FAILURE"],
  ["MED_PIX_AUTOMATICO", "MED_AUTOMATIC_PIX"],
]);

/** Any other value, also a new one, is not final. */
const FINAL_DISPUTE_STATUSES = new Map<string, ProviderDispute["status"]>([
  ["DEVOLVIDO", "LOST"],
  ["NAO_REALIZADO", "WON"],
]);
