import { hyphenateUuid } from "../shared/ids.ts";

/**
 * Ids at a PSP, and when two of them are one. BACEN's Pix API 2.9.0 gives patterns only: `txid` and refund id
 * `[a-zA-Z0-9]{1,35}`, `endToEndId` `[a-zA-Z0-9]{32}`, Efí's `idEnvio` `[a-zA-Z0-9]{1,35}`; and it says of
 * `idRec` and `idSolicRec` that case counts. So case counts in ids of others, which are kept as the PSP writes
 * them. Our own ids are hexadecimal, so case cannot tell two of them apart, and a PSP may change it.
 */

/** A UUID without hyphens: the layout of our ids of charges, refunds and payouts at a PSP. */
const OUR_ID = /^[0-9a-f]{32}$/;
/** BACEN asks 32; Efí's tests give shorter ones. */
const END_TO_END_ID = /^[a-zA-Z0-9]{1,64}$/;
/** `E`, the payer's bank (ISPB), the minute, and eleven letters and digits in which case may differ (BACEN). */
const FULL_END_TO_END_ID = /^([eE][0-9a-zA-Z]{8}\d{12})[a-zA-Z0-9]{11}$/;

/** Our charge's id at the PSP (`providerChargeId`) in a txid; null for a txid of another layout. */
export function ourChargeId(txid: string): string | null {
  return ourId(txid);
}

/** Whether two txids name one charge. */
export function isSameTxid(one: string, other: string): boolean {
  return isSameId(one, other);
}

/** Our refund's id at the PSP (its UUID without hyphens) in the id of a `devolucao`; null for a refund of others. */
export function ourRefundId(id: string): string | null {
  return ourId(id);
}

/** Whether two ids of one payment's `devolucoes` name one refund. */
export function isSameRefundId(one: string, other: string): boolean {
  return isSameId(one, other);
}

/** Our payout's id, a UUID, in an `idEnvio`; null for a payout of others. */
export function ourPayoutId(idEnvio: string): string | null {
  const own = ourId(idEnvio);
  return own === null ? null : hyphenateUuid(own);
}

/** Whether a text may be the end-to-end id of a PIX. */
export function isEndToEndId(text: string): boolean {
  return END_TO_END_ID.test(text);
}

/**
 * The key under which a PIX is claimed: two ids that differ in case only share it. BACEN does not say whether
 * case counts, so such a twin is neither the same payment nor a second one: a person decides.
 */
export function endToEndKey(endToEndId: string): string {
  return endToEndId.toLowerCase();
}

/**
 * The beginnings under which twins of an end-to-end id are stored, in every case that a PSP writes them; null
 * for an id without BACEN's layout. All payments of one bank in one minute share a beginning.
 */
export function twinPrefixes(endToEndId: string): string[] | null {
  const prefix = FULL_END_TO_END_ID.exec(endToEndId)?.[1];
  if (prefix === undefined) return null;
  return [...new Set([prefix, prefix.toUpperCase(), prefix.toLowerCase()])];
}

/** Whether a record names another PIX key. PSPs write one key differently: in case and punctuation. */
export function isOtherPixKey(named: string, pixKey: string): boolean {
  return named !== "" && normalizePixKey(named) !== normalizePixKey(pixKey);
}

function normalizePixKey(pixKey: string): string {
  return pixKey.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function ourId(text: string): string | null {
  const id = text.toLowerCase();
  return OUR_ID.test(id) ? id : null;
}

function isSameId(one: string, other: string): boolean {
  return one === other || (ourId(one) !== null && ourId(one) === ourId(other));
}
