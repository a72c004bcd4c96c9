import { createPublicKey, verify } from "node:crypto";
import { anchorSigningPayload, type LedgerAnchor } from "../../src/domain/ledger/anchor.ts";
import type { Account } from "../../src/domain/ledger/ledger.ts";
import { movementOfLine } from "../../src/domain/ledger/statement.ts";
import { isHash, isPositiveInteger } from "../../src/domain/ledger/statement-lines.ts";
import type { StatementVerification } from "../../src/domain/ledger/statement-verifier.ts";

type Json = Record<string, unknown>;

/** What stands before an Ed25519 public key's 32 bytes in its DER form (RFC 8410 section 4). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const DAY = /^\d{4}-\d\d-\d\d$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const PROVIDER_LINES_MISSING =
  "without the provider's lines it is not proven that each movement sums to 0; " +
  "export the statement with accounts=all";

/** What a statement is compared with, beside itself. */
export interface Evidence {
  /** The answer of `GET /api/Balance/balance` of the same moment. */
  balance: Json | null;
  /** Kept anchors: bodies of `ledger.anchored`, their `data`, or earlier balance answers. */
  anchors: Json[];
  /** The key that anchors must be signed with, base64. */
  publicKey: string | null;
}

type Anchor = LedgerAnchor & { companyId: unknown };

/** The numbers of the lines whose hashes `verdict` needs. */
export function anchoredLines(evidence: Evidence): number[] {
  return anchorsOf(evidence).flatMap((anchor) => (isReadable(anchor) ? [anchor.sequence] : []));
}

/** What does not hold of a proven statement and what it is compared with; null where all does. */
export function verifyStatement(proof: StatementVerification, evidence: Evidence): string | null {
  if (proof.error !== null) return proof.error;
  if (proof.missesProviderLines) return PROVIDER_LINES_MISSING;
  const { balance, publicKey } = evidence;
  const other = balance === null ? null : balanceError(proof, balance);
  if (other !== null) return other;
  const anchors = anchorsOf(evidence);
  if (publicKey !== null && anchors.length === 0)
    return "there is no anchor to compare with the key";
  for (const anchor of anchors) {
    const fault = anchorError(proof, anchor, publicKey);
    if (fault !== null) return fault;
  }
  return null;
}

function balanceError(proven: StatementVerification, balance: Json): string | null {
  const { ledgerSequence, ledgerHash } = balance;
  if (ledgerSequence !== proven.ledgerSequence || ledgerHash !== proven.ledgerHash) {
    return "the balance names another last line";
  }
  const of = (account: Account) => proven.balances.get(account) ?? 0;
  const held = heldOf(balance);
  const same =
    held !== null &&
    // What is held until an operator decides is the company's, and cannot be withdrawn.
    isReais(balance["accBalance"], of("available") - held) &&
    isReais(balance["accBalanceCreditAwaiting"], of("awaiting")) &&
    isReais(balance["accBalanceCredit"], of("available") + of("awaiting") + of("blocked")) &&
    isReais(balance["accBalanceDebt"], 0 - of("debt"));
  return same ? null : "the balance says other amounts";
}

/**
 * Centavos; an answer that was kept from before the field existed held nothing. Null for what cannot be
 * held: less than nothing would let another balance agree.
 */
function heldOf({ accBalanceHeld = 0 }: Json): number | null {
  return typeof accBalanceHeld === "number" && accBalanceHeld >= 0
    ? Math.round(accBalanceHeld * 100)
    : null;
}

function isReais(reais: unknown, cents: number): boolean {
  return typeof reais === "number" && Math.round(reais * 100) === cents;
}

/** The balance's own anchor first; none where the ledger was not anchored yet. */
function anchorsOf({ balance, anchors }: Evidence): Json[] {
  const own = balance?.["ledgerAnchor"] ?? null;
  return [...(own === null ? [] : [balance ?? {}]), ...anchors].map(anchorIn);
}

function anchorIn(file: Json): Json {
  const inner = file["ledgerAnchor"] ?? file["data"] ?? file;
  const anchor = isObject(inner) ? inner : {};
  return { ...anchor, companyId: anchor["companyId"] ?? file["companyId"] };
}

function anchorError(
  proven: StatementVerification,
  anchor: Json,
  publicKey: string | null,
): string | null {
  if (!isReadable(anchor)) return "an anchor cannot be read";
  const { day, sequence, hash } = anchor;
  if (publicKey !== null && anchor.publicKey !== publicKey) {
    return `the anchor of ${day} is signed with another key`;
  }
  if (!isSigned(anchor)) return `the signature of the anchor of ${day} does not hold`;
  const found = proven.hashes.get(sequence);
  if (found === undefined) return `sequence ${sequence}, anchored on ${day}, is no line`;
  return found === hash ? null : `sequence ${sequence} is not what was anchored on ${day}`;
}

function isReadable(anchor: Json): anchor is Anchor {
  const { day, sequence, hash, digest, companyId } = anchor;
  return (
    typeof day === "string" &&
    DAY.test(day) &&
    isPositiveInteger(sequence) &&
    isHash(hash) &&
    isHash(digest) &&
    isPositiveInteger(companyId) &&
    bytesOf(anchor["signature"])?.length === SIGNATURE_BYTES &&
    bytesOf(anchor["publicKey"])?.length === KEY_BYTES
  );
}

function isSigned(anchor: Anchor): boolean {
  const { day, sequence, hash, digest, companyId } = anchor;
  const head = { day, movement: movementOfLine(sequence), hash };
  const text = anchorSigningPayload(Number(companyId), head, digest);
  const key = Buffer.concat([SPKI_PREFIX, Buffer.from(anchor.publicKey, "base64")]);
  const published = createPublicKey({ key, format: "der", type: "spki" });
  return verify(null, Buffer.from(text), published, Buffer.from(anchor.signature, "base64"));
}

/** Base64 in its one canonical form. */
function bytesOf(text: unknown): Uint8Array | null {
  if (typeof text !== "string" || !BASE64.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
