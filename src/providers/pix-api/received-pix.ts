import type {
  ListedPayment,
  ProviderDispute,
  ProviderPayment,
  ProviderRefund,
  UnreadableRecord,
} from "../provider.ts";
import {
  describeZodError,
  idFieldsOf,
  ourChargeId,
  unreadableRecord,
} from "./unreadable-record.ts";
import { entriesOf, Pix, PixDevolucao } from "./wire.ts";

/** A received PIX with its readable returns, and its unreadable ones. */
export interface ReceivedPix {
  payment: ListedPayment;
  /** Its txid, of any layout; null where it has none. */
  txid: string | null;
  unreadable: UnreadableRecord[];
}

/** Reads a received PIX. A return that cannot be read does not hide the payment, nor the others. */
export function parsePix(
  record: unknown,
): ({ kind: "read" } & ReceivedPix) | { kind: "unreadable"; record: UnreadableRecord } {
  const pix = Pix.safeParse(record);
  if (!pix.success) {
    return {
      kind: "unreadable",
      record: unreadableRecord("payment", record, describeZodError(pix.error)),
    };
  }
  const { devolucoes, missed: unreadable } = parseDevolucoes(pix.data);
  const payment = {
    ...paymentOf(pix.data),
    chargeId: ourChargeId(pix.data.txid ?? ""),
    disputes: devolucoes.filter(isDispute).map((each) => disputeOf(pix.data.endToEndId, each)),
    refunds: devolucoes
      .filter((each) => !isDispute(each))
      .map((each) => refundOf(pix.data.endToEndId, each)),
  };
  return { kind: "read", payment, txid: pix.data.txid ?? null, unreadable };
}

/**
 * Whether a PIX came to another key of the account and for none of our charges. It is not this company's
 * then, even where another company here owns that key. A PIX without a key counts as this company's.
 */
export function isForAnotherKey(record: unknown, pixKey: string): boolean {
  const { chave, txid } = idFieldsOf(record);
  return ourChargeId(txid) === null && isOtherKey(chave, pixKey);
}

/** Whether a record names another key. PSPs write one key differently: in case and punctuation. */
export function isOtherKey(chave: string, pixKey: string): boolean {
  return chave !== "" && normalizeKey(chave) !== normalizeKey(pixKey);
}

function normalizeKey(pixKey: string): string {
  return pixKey.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
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

function paymentOf({ endToEndId, valor, horario }: Pix): ProviderPayment {
  return { paymentId: endToEndId, method: "PIX", amount: valor, paidAt: horario };
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
function disputeOf(paymentId: string, { id, valor, status }: PixDevolucao): ProviderDispute {
  return {
    id: `${paymentId}:${id}`,
    paymentId,
    kind: "DISPUTE",
    amount: valor,
    status: FINAL_DISPUTE_STATUSES.get(status) ?? "OPEN",
  };
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

/** Any other value, also a new one, is not final. */
const FINAL_DISPUTE_STATUSES = new Map<string, ProviderDispute["status"]>([
  ["DEVOLVIDO", "LOST"],
  ["NAO_REALIZADO", "WON"],
]);
