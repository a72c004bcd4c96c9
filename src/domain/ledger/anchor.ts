/** The head of a company's ledger on a day, as it is kept outside the company's object. */
export interface AnchoredHead {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** The newest movement then, and its hash (64 hexadecimal digits). */
  movement: number;
  hash: string;
}

/** A head with the digest over all companies' heads of its day, and the gateway's word for both. */
export interface SignedAnchor extends AnchoredHead {
  digest: string;
  /** Ed25519 (RFC 8032) in base64 over `anchorSigningPayload`. */
  signature: string;
  /** Ed25519, 32 bytes in base64. */
  publicKey: string;
}

/** What is signed for all heads of a day: the digest of its last line. */
export function daySigningPayload(day: string, digest: string): string {
  return `centavo-ledger-anchor ${day} ${digest}`;
}

/**
 * What is signed for one company, so that it can prove its own head to anybody, without those of the
 * others: its head, and the digest of the day that they are all part of.
 */
export function anchorSigningPayload(
  companyId: number,
  head: AnchoredHead,
  digest: string,
): string {
  return `${daySigningPayload(head.day, digest)} ${companyId} ${head.movement} ${head.hash}`;
}

/** What a line of a day's digests is the SHA-256 of: the line before, and a company's head. */
export function digestPreimage(previous: string, companyId: number, head: AnchoredHead): string {
  return JSON.stringify([previous, head.day, companyId, head.movement, head.hash]);
}

/** An anchor as the balance and its event show it; `sequence` is the statement's line. */
export function anchorView(
  { day, hash, digest, signature, publicKey }: SignedAnchor,
  sequence: number,
) {
  return { day, sequence, hash, digest, signature, publicKey };
}

export type LedgerAnchor = ReturnType<typeof anchorView>;
