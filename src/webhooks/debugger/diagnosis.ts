import { isoTime } from "../../domain/shared/clock.ts";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { sameDigest, sha256Hex } from "../../lib/hash.ts";
import { verifyAsymmetric } from "../signing/asymmetric-key.ts";
import { judgeBody } from "./body-diagnosis.ts";
import type { Fault } from "./causes.ts";
import { SECRET_PREFIX, VALID_SECRETS_MAX, type WebhookSecret } from "../signing/secrets.ts";
import { hmacOf, signedText } from "../signing/sign.ts";

/** A webhook as a merchant's code saw it. */
export interface ReceivedWebhook {
  /** A value is a text or a list of them; whatever else is there is no value. */
  headers: Record<string, unknown>;
  body: string;
  /** What the merchant's code verifies with; null where it does not say. */
  secret: string | null;
  /** Unix milliseconds by the merchant's clock; null for now. */
  receivedAt: number | null;
}

/** What the gateway knows, read when the judgement gets that far. */
export interface Known {
  nowMs: number;
  /** The bytes that were sent under a `webhook-id` of this company; null where there are none. */
  eventBody: (id: string) => Promise<string | null>;
  /** Newest first; those whose time is up among them. */
  secrets: () => Promise<WebhookSecret[]>;
  /** Of the company's Ed25519 key. */
  seed: () => Promise<Uint8Array>;
}

export interface Diagnosis {
  /** The first cause; null where the webhook verifies. */
  fault: Fault | null;
  /** The event it is about, where it is one of the company's. */
  eventId: string | null;
}

interface Headers {
  id: string;
  timestamp: string;
  signature: string;
}

const ID = "webhook-id";
const TIMESTAMP = "webhook-timestamp";
const SIGNATURE = "webhook-signature";

/** The tolerance of every Standard Webhooks library, either way. */
const TOLERANCE_SECONDS = 5 * 60;
/** Unix seconds for the next three thousand years; milliseconds are longer. */
const UNIX_SECONDS = /^\d{1,11}$/;
/** Base64 of 32 bytes (HMAC-SHA256) and of 64 (Ed25519). */
const V1 = /^v1,[A-Za-z0-9+/]{43}=$/;
const V1A = /^v1a,[A-Za-z0-9+/]{86}==$/;
/** A `v1` for each valid secret and one `v1a`. */
const SIGNATURES_MAX = VALID_SECRETS_MAX + 1;
/** Ours have one sign of padding, which some libraries do not ask for. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=?)?$/;

/** The first reason why a webhook does not verify. Reads no more of `known` than it needs. */
export async function diagnose(received: ReceivedWebhook, known: Known): Promise<Diagnosis> {
  const headers = readHeaders(received.headers);
  if ("cause" in headers) return { fault: headers, eventId: null };
  const form = malformedHeader(headers) ?? malformedSecret(received.secret);
  if (form !== null) return { fault: form, eventId: null };
  const sent = await known.eventBody(headers.id);
  if (sent === null) return { fault: UNKNOWN_EVENT, eventId: null };
  const fault =
    judgeBody(sent, received.body) ??
    (await judgeSignatures(headers, sent, received.secret, known)) ??
    judgeClock(Number(headers.timestamp), received.receivedAt, known.nowMs);
  return { fault, eventId: headers.id };
}

const UNKNOWN_EVENT: Fault = {
  cause: "unknown_event",
  detail:
    "This company has no event of that webhook-id: check that the credentials are those of the " +
    "company and environment the webhook came from, and that webhook-id is as it was received.",
};

function readHeaders(headers: ReceivedWebhook["headers"]): Headers | Fault {
  const values = (name: string) =>
    Object.entries(headers)
      .filter(([each]) => each.toLowerCase() === name)
      .flatMap(([, value]): unknown[] => (Array.isArray(value) ? value : [value]))
      .filter((value) => typeof value === "string" || typeof value === "number")
      .map(String)
      .map((value) => value.trim())
      .filter((value) => value !== "");
  const missing = [ID, TIMESTAMP, SIGNATURE].find((name) => values(name).length === 0);
  if (missing !== undefined) {
    return {
      cause: "missing_header",
      detail: `The header ${missing} is missing: hand over the request's headers as they came, and let no proxy drop them.`,
    };
  }
  const twice = [ID, TIMESTAMP].find((name) => values(name).length > 1);
  if (twice !== undefined) return malformed(twice, "it is sent once, but here several times");
  return {
    id: values(ID).join(""),
    timestamp: values(TIMESTAMP).join(""),
    signature: values(SIGNATURE).join(" "),
  };
}

function malformedHeader({ timestamp, signature }: Headers): Fault | null {
  if (!UNIX_SECONDS.test(timestamp)) {
    return malformed(TIMESTAMP, "it is a whole number of Unix seconds");
  }
  const parts = signature.split(/\s+/);
  const isWhole = parts.length <= SIGNATURES_MAX && parts.some((part) => V1.test(part));
  if (!isWhole || parts.some(isBroken)) {
    return malformed(SIGNATURE, "it is a list of v1,<base64> and v1a,<base64>, parted by spaces");
  }
  return null;
}

/** Signatures of another scheme are none of ours and are passed over. */
function isBroken(part: string): boolean {
  return (part.startsWith("v1,") && !V1.test(part)) || (part.startsWith("v1a,") && !V1A.test(part));
}

function malformed(name: string, form: string): Fault {
  return {
    cause: "malformed_header",
    detail: `The header ${name} is not as it was sent: ${form}; use its value as it was received.`,
  };
}

/** A secret that no library could use, before it is asked whose it is. */
function malformedSecret(secret: string | null): Fault | null {
  if (secret === null) return null;
  if (secret.trim() !== secret) {
    return wrongSecret("The secret has white space around it: remove it where your code reads it.");
  }
  if (secret.length > SECRET_PREFIX.length && BASE64.test(withoutPrefix(secret))) return null;
  return wrongSecret(
    "The secret is not whsec_ and base64: copy it whole, as it was shown when it was made.",
  );
}

async function judgeSignatures(
  headers: Headers,
  body: string,
  given: string | null,
  known: Known,
): Promise<Fault | null> {
  const text = signedText({ ...headers, body });
  const parts = headers.signature.split(/\s+/);
  const symmetric = parts.filter((part) => V1.test(part));
  const asymmetric = parts.filter((part) => V1A.test(part));
  const secrets = await known.secrets();
  const expected = await Promise.all(secrets.map(({ secret }) => hmacOf(secret, text)));
  const signing = secrets.filter((_, index) => {
    const own = `v1,${toBase64(expected[index] ?? new Uint8Array())}`;
    return symmetric.map((part) => sameDigest(part, own)).includes(true);
  });
  const isValid = ({ until }: WebhookSecret) => until === null || until > known.nowMs;
  if (!signing.some(isValid)) return foreignSignature(signing, known.nowMs);
  const seed = await known.seed();
  const verdicts = await Promise.all(
    asymmetric.map((part) => verifyAsymmetric(seed, fromBase64(part.slice("v1a,".length)), text)),
  );
  if (verdicts.length > 0 && !verdicts.includes(true)) {
    return wrongSecret(
      "The v1a signature is not of this company's key: use webhook-signature as it was received.",
    );
  }
  return given === null ? null : judgeGivenSecret(given, secrets, signing, known.nowMs);
}

function foreignSignature(signing: WebhookSecret[], nowMs: number): Fault {
  const expired = signing.find(({ until }) => until !== null && until <= nowMs);
  return wrongSecret(
    expired === undefined
      ? "No v1 signature is of a secret this company has, over this webhook-timestamp: check that the headers are of this very request and were not altered."
      : `It was signed with a secret that was rotated out and ended at ${endOf(expired)}: have the event sent again, and verify with the present secret.`,
  );
}

async function judgeGivenSecret(
  given: string,
  secrets: WebhookSecret[],
  signing: WebhookSecret[],
  nowMs: number,
): Promise<Fault | null> {
  const digest = await secretDigest(given);
  const digests = await Promise.all(secrets.map(({ secret }) => secretDigest(secret)));
  const own = secrets.find((_, index) => sameDigest(digests[index] ?? "", digest));
  if (own === undefined) {
    return wrongSecret(
      "The secret your code uses is unknown: it is no secret of this company; use the present one, or rotate to be shown a new one.",
    );
  }
  if (own.until !== null && own.until <= nowMs) {
    return wrongSecret(
      `The secret your code uses was rotated out and ended at ${endOf(own)}: use the present one.`,
    );
  }
  if (signing.includes(own)) return null;
  return wrongSecret(
    "The secret your code uses is newer than this attempt, which was signed before the rotation: accept the replaced secret too until its time is up.",
  );
}

function judgeClock(timestamp: number, receivedAt: number | null, nowMs: number): Fault | null {
  const behind = Math.floor((receivedAt ?? nowMs) / 1_000) - timestamp;
  if (Math.abs(behind) <= TOLERANCE_SECONDS) return null;
  const [seconds, direction] = behind > 0 ? [behind, "after"] : [-behind, "before"];
  const remedy =
    receivedAt === null
      ? "give receivedAt, the time your server took it in, or have the event sent again"
      : `set the server's clock (NTP)${behind > 0 ? ", and verify when a webhook comes, not later" : ""}`;
  return {
    cause: "clock_skew",
    detail: `It was received ${seconds} s ${direction} its webhook-timestamp, and ${TOLERANCE_SECONDS} s are allowed: ${remedy}.`,
  };
}

function wrongSecret(detail: string): Fault {
  return { cause: "wrong_secret", detail };
}

function endOf({ until }: WebhookSecret): string {
  return until === null ? "never" : isoTime(until);
}

function withoutPrefix(secret: string): string {
  return secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
}

/** Of the key and not of its spelling: libraries take a secret without its prefix or padding too. */
function secretDigest(secret: string): Promise<string> {
  return sha256Hex(withoutPrefix(secret).replace(/=+$/, ""));
}
