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
 * The first twin after a text, in the order of bytes, in which capitals come first: an id that differs from
 * `endToEndId` at most in the case of its letters. Null after the last one. A search steps from twin to twin over
 * stored ids, so it reads one for each beginning in other case that is stored, not all of them.
 */
export function nextTwin(endToEndId: string, after: string): string | null {
  const cases = Array.from(endToEndId, (letter) => [letter.toUpperCase(), letter.toLowerCase()]);
  const restFrom = (at: number) =>
    cases
      .slice(at)
      .map(([capital]) => capital)
      .join("");
  const differs = cases.findIndex((letters, at) => !letters.includes(after.charAt(at)));
  if (differs === after.length) return after + restFrom(differs);
  const last = differs === -1 ? cases.length - 1 : differs;
  for (let at = last; at >= 0; at--) {
    const larger = cases[at]?.find((letter) => letter > after.charAt(at));
    if (larger !== undefined) return after.slice(0, at) + larger + restFrom(at + 1);
  }
  return null;
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
