/** The head of a company's ledger on a day, stored outside the company's object. */
export interface AnchoredHead {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** The newest movement of that day. `hash` is its hash, 64 hexadecimal digits. */
  movement: number;
  hash: string;
}

/** A head with the digest over the heads of all companies of its day, signed by the gateway. */
export interface SignedAnchor extends AnchoredHead {
  digest: string;
  /** Ed25519 (RFC 8032) in base64 over `anchorSigningPayload`. */
  signature: string;
  /** Ed25519, 32 bytes in base64. */
  publicKey: string;
}

/** The text signed for all heads of a day: the digest of the day's last line. */
export function daySigningPayload(day: string, digest: string): string {
  return `centavo-ledger-anchor ${day} ${digest}`;
}

/**
 * The text signed for one company: its head and the digest of the day. The company can prove its own head
 * with it, without the heads of the others.
 */
export function anchorSigningPayload(
  companyId: number,
  head: AnchoredHead,
  digest: string,
): string {
  return `${daySigningPayload(head.day, digest)} ${companyId} ${head.movement} ${head.hash}`;
}

/** The text whose SHA-256 is one line of a day's digests: the previous line and a company's head. */
export function digestPreimage(previous: string, companyId: number, head: AnchoredHead): string {
  return JSON.stringify([previous, head.day, companyId, head.movement, head.hash]);
}

/** An anchor as the balance and its event show it. `sequence` is a line number of the statement. */
export function anchorView(
  { day, hash, digest, signature, publicKey }: SignedAnchor,
  sequence: number,
) {
  return { day, sequence, hash, digest, signature, publicKey };
}

export type LedgerAnchor = ReturnType<typeof anchorView>;
