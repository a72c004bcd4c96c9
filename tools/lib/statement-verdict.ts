import { createPublicKey, verify } from "node:crypto";
import { anchorSigningPayload, type LedgerAnchor } from "../../src/domain/ledger/anchor.ts";
import type { Account } from "../../src/domain/ledger/ledger.ts";
import { movementOfLine } from "../../src/domain/ledger/statement.ts";
import { isHash, isPositiveInteger } from "../../src/domain/ledger/statement-lines.ts";
import type { StatementVerification } from "../../src/domain/ledger/statement-verifier.ts";
import { reaisToCents } from "../../src/domain/shared/money.ts";

type Json = Record<string, unknown>;

/** The DER prefix of an Ed25519 public key's 32 bytes (RFC 8410 section 4). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const DAY = /^\d{4}-\d\d-\d\d$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const PROVIDER_LINES_MISSING =
  "the provider's lines are missing, so the zero sums cannot be checked; " +
  "export the statement with accounts=all";

/** Files that a statement is compared with. */
export interface Evidence {
  /** The response of `GET /api/Balance/balance` at the time of the export. */
  balance: Json | null;
  /** Stored anchors: bodies of `ledger.anchored`, their `data`, or earlier balance responses. */
  anchors: Json[];
  /** The public key that all anchors must have, base64. */
  publicKey: string | null;
}

type Anchor = LedgerAnchor & { companyId: unknown };

/** The line numbers whose hashes `verifyStatement` needs. */
export function anchoredLines(evidence: Evidence): number[] {
  return anchorsOf(evidence).flatMap((anchor) => (isReadable(anchor) ? [anchor.sequence] : []));
}

/** The first error of a statement, or of its comparison with the evidence; null when everything agrees. */
export function verifyStatement(
  statement: StatementVerification,
  evidence: Evidence,
): string | null {
  if (statement.error !== null) return statement.error;
  if (statement.missesProviderLines) return PROVIDER_LINES_MISSING;
  const { balance, publicKey } = evidence;
  const mismatch = balance === null ? null : balanceError(statement, balance);
  if (mismatch !== null) return mismatch;
  const anchors = anchorsOf(evidence);
  if (publicKey !== null && anchors.length === 0)
    return "there is no anchor to compare with the public key";
  for (const anchor of anchors) {
    const error = anchorError(statement, anchor, publicKey);
    if (error !== null) return error;
  }
  return null;
}

/** How far the anchors reach whose key is pinned. */
export interface Anchoring {
  movement: number;
  day: string;
}

/** The newest anchor of a statement that `verifyStatement` accepted; null without a pinned key. */
export function anchoringOf(evidence: Evidence): Anchoring | null {
  if (evidence.publicKey === null) return null;
  const reached = anchorsOf(evidence)
    .filter(isReadable)
    .map(({ sequence, day }) => ({ movement: movementOfLine(sequence), sequence, day }));
  const [first, ...others] = reached;
  if (first === undefined) return null;
  return others.reduce((newest, each) => (each.sequence > newest.sequence ? each : newest), first);
}

function balanceError(statement: StatementVerification, balance: Json): string | null {
  const { ledgerSequence, ledgerHash } = balance;
  if (ledgerSequence !== statement.ledgerSequence || ledgerHash !== statement.ledgerHash) {
    return "the balance response names a different last line";
  }
  const of = (account: Account) => statement.balances.get(account) ?? 0;
  const held = heldOf(balance);
  const same =
    held !== null &&
    // The held amount is part of `available` but not of `accBalance`.
    isReais(balance["accBalance"], of("available") - held) &&
    isReais(balance["accBalanceCreditAwaiting"], of("awaiting")) &&
    isReais(balance["accBalanceCredit"], of("available") + of("awaiting") + of("blocked")) &&
    isReais(balance["accBalanceDebt"], 0 - of("debt"));
  return same ? null : "the balance response shows different amounts";
}

/**
 * The held amount in centavos; 0 in an older response without the field. Null for an invalid amount: a
 * negative one would let a wrong balance agree.
 */
function heldOf({ accBalanceHeld = 0 }: Json): number | null {
  return typeof accBalanceHeld === "number" && accBalanceHeld >= 0
    ? reaisToCents(accBalanceHeld)
    : null;
}

function isReais(reais: unknown, cents: number): boolean {
  return typeof reais === "number" && reaisToCents(reais) === cents;
}

/** All anchors. The balance response's own, if it has one, comes first. */
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
  statement: StatementVerification,
  anchor: Json,
  publicKey: string | null,
): string | null {
  if (!isReadable(anchor)) return "an anchor is not readable";
  const { day, sequence, hash } = anchor;
  if (publicKey !== null && anchor.publicKey !== publicKey) {
    return `the anchor of ${day} is signed with a different key`;
  }
  if (!isSigned(anchor)) return `the anchor of ${day} has an invalid signature`;
  const found = statement.hashes.get(sequence);
  if (found === undefined)
    return `sequence ${sequence}, anchored on ${day}, is not in the statement`;
  return found === hash ? null : `sequence ${sequence} differs from the anchor of ${day}`;
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
  const payload = anchorSigningPayload(Number(companyId), head, digest);
  const key = Buffer.concat([SPKI_PREFIX, Buffer.from(anchor.publicKey, "base64")]);
  const published = createPublicKey({ key, format: "der", type: "spki" });
  return verify(null, Buffer.from(payload), published, Buffer.from(anchor.signature, "base64"));
}

/** Decodes canonical base64; null for anything else. */
function bytesOf(text: unknown): Uint8Array | null {
  if (typeof text !== "string" || !BASE64.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
