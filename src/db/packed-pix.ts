import { crc16 } from "../domain/br-code.ts";
import { timeOfTransactionId } from "../domain/ids.ts";
import type { Cents } from "../domain/money.ts";
import { providerChargeId, type PixCharge } from "../domain/transaction.ts";
import { unpack } from "../lib/packed.ts";
import { deflatePrimed, inflatePrimed } from "../lib/primed.ts";

/** What a row says beside its PIX, and never says otherwise. */
export interface PixFacts {
  id: string;
  amount: Cents;
}

/** First byte of what was packed beside the row; before, a PIX was packed by itself. */
const BESIDE_ROW = 3;
/** Announces the CRC, the last four characters of a BR Code. */
const CRC_TAG = "6304";
const CRC_LENGTH = 4;
const DAY_MS = 86_400_000;

/**
 * A PIX as few bytes: what its BR Code (EMV QRCPS-MPM) says of the row, and its CRC, which follows of
 * the rest, take next to none; what only its provider knows stays.
 */
export function packPix(pix: PixCharge, facts: PixFacts): Uint8Array<ArrayBuffer> {
  const { qrcode, url, expirationDate } = pix;
  const body = qrcode.slice(0, -CRC_LENGTH);
  const isOrdinary = url === null && body.endsWith(CRC_TAG) && qrcode === body + crc16(body);
  const livesMs = expirationDate - timeOfTransactionId(facts.id);
  const deflated = deflatePrimed(
    isOrdinary ? `${livesMs} ${body}` : JSON.stringify(pix),
    alikeOf(facts),
  );
  return Uint8Array.of(BESIDE_ROW, ...deflated);
}

/** The PIX of the row that it was packed beside. Throws where it was of another. */
export function unpackPix(packed: Uint8Array, facts: PixFacts): PixCharge {
  if (packed[0] !== BESIDE_ROW) return JSON.parse(unpack(packed)) as PixCharge;
  const text = inflatePrimed(packed.subarray(1), alikeOf(facts));
  if (text.startsWith("{")) return JSON.parse(text) as PixCharge;
  const space = text.indexOf(" ");
  const body = text.slice(space + 1);
  return {
    qrcode: body + crc16(body),
    url: null,
    expirationDate: timeOfTransactionId(facts.id) + Number(text.slice(0, space)),
  };
}

/** A PIX of the row as it may be. Rows are unreadable without it: it is never changed. */
function alikeOf({ id, amount }: PixFacts): string {
  const value = (amount / 100).toFixed(2);
  const length = String(value.length).padStart(2, "0");
  return (
    '{"qrcode":"","url":"https://","expirationDate":com.br/pix/qr/cobv/6009SAO PAULO62070503***6304' +
    `${DAY_MS} 00020101021226770014br.gov.bcb.pix2555pix.sandbox.example/v2/${providerChargeId(id)}` +
    `52040000530398654${length}${value}5802BR59`
  );
}
