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

/** A received PIX: what can be read of it, and what of the returns cannot. */
export interface ReceivedPix {
  payment: ListedPayment;
  /** The txid that it came with, of whatever layout; null where it came with none. */
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
 * Whether a PIX came to another key of the account and for none of our charges: then it is somebody
 * else's, also where both keys are companies' here. One that does not say its key is not.
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
 * payer's bank asks, the receiver's gives. `ORIGINAL`, `RETIRADA`, which the receiver asked for, and a
 * missing word, which BACEN reads as `ORIGINAL`, are none.
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

/** What goes back at the receiver's wish, whoever asked for it: this service or others. */
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

/** Any other word, also one that is new, is not the end. */
const FINAL_DISPUTE_STATUSES = new Map<string, ProviderDispute["status"]>([
  ["DEVOLVIDO", "LOST"],
  ["NAO_REALIZADO", "WON"],
]);
