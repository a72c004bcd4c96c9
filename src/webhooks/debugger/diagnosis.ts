import type { EndpointId } from "../../domain/events/webhook-endpoint.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { timingSafeEqual, sha256Hex } from "../../lib/hash.ts";
import { verifyAsymmetric } from "../signing/asymmetric-key.ts";
import { checkBody } from "./body-diagnosis.ts";
import type { VerificationError } from "./causes.ts";
import { SECRET_PREFIX, VALID_SECRETS_MAX, type WebhookSecret } from "../signing/secrets.ts";
import { hmacOf, signedText } from "../signing/sign.ts";

/** A webhook as the merchant's code received it. */
export interface ReceivedWebhook {
  /** Each value is a text or a list of texts; anything else counts as absent. */
  headers: Record<string, unknown>;
  body: string;
  /** The secret that the merchant's code verifies with; null if not sent. */
  secret: string | null;
  /** Unix milliseconds by the merchant's clock; null for now. */
  receivedAt: number | null;
}

/** A secret of one of the company's endpoints. */
export interface EndpointSecret extends WebhookSecret {
  endpoint: EndpointId;
}

/** The gateway's data, read only by the checks that need it. */
export interface VerificationContext {
  nowMs: number;
  /** The body sent under a `webhook-id` of this company; null if there is none. */
  eventBody: (id: string) => Promise<string | null>;
  /** Of each endpoint, newest first, with the expired ones. */
  secrets: () => Promise<EndpointSecret[]>;
  /** The seeds of the company's Ed25519 keys. */
  seeds: () => Promise<Uint8Array[]>;
}

export interface Diagnosis {
  /** The first failed check; null if the webhook verifies. */
  error: VerificationError | null;
  /** The event of the webhook; null if the company has no such event. */
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
/** Base64 whose last padding character may be missing, as some libraries accept. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=?)?$/;

/** Finds the first reason why a webhook does not verify. Reads only the context that it needs. */
export async function diagnose(
  received: ReceivedWebhook,
  context: VerificationContext,
): Promise<Diagnosis> {
  const headers = readHeaders(received.headers);
  if ("cause" in headers) return { error: headers, eventId: null };
  const formatError = malformedHeader(headers) ?? malformedSecret(received.secret);
  if (formatError !== null) return { error: formatError, eventId: null };
  const sent = await context.eventBody(headers.id);
  if (sent === null) return { error: UNKNOWN_EVENT, eventId: null };
  const error =
    checkBody(sent, received.body) ??
    (await checkSignatures(headers, sent, received.secret, context)) ??
    checkTimestamp(Number(headers.timestamp), received.receivedAt, context.nowMs);
  return { error, eventId: headers.id };
}

const UNKNOWN_EVENT: VerificationError = {
  cause: "unknown_event",
  detail:
    "This company has no event with this webhook-id. Use the credentials of the " +
    "company and environment that sent the webhook, and pass webhook-id unchanged.",
};

function readHeaders(headers: ReceivedWebhook["headers"]): Headers | VerificationError {
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
      detail: `The header ${missing} is missing. Pass all headers of the request unchanged, and check that no proxy removes it.`,
    };
  }
  const repeated = [ID, TIMESTAMP].find((name) => values(name).length > 1);
  if (repeated !== undefined)
    return malformedHeaderError(repeated, "it must occur once, but it occurs several times");
  return {
    id: values(ID).join(""),
    timestamp: values(TIMESTAMP).join(""),
    signature: values(SIGNATURE).join(" "),
  };
}

function malformedHeader({ timestamp, signature }: Headers): VerificationError | null {
  if (!UNIX_SECONDS.test(timestamp)) {
    return malformedHeaderError(TIMESTAMP, "it must be a whole number of Unix seconds");
  }
  const parts = signature.split(/\s+/);
  const isWellFormed = parts.length <= SIGNATURES_MAX && parts.some((part) => V1.test(part));
  if (!isWellFormed || parts.some(isMalformedSignature)) {
    return malformedHeaderError(
      SIGNATURE,
      "it must be a list of v1,<base64> and v1a,<base64> separated by spaces",
    );
  }
  return null;
}

/** Signatures of other schemes are ignored. */
function isMalformedSignature(part: string): boolean {
  return (part.startsWith("v1,") && !V1.test(part)) || (part.startsWith("v1a,") && !V1A.test(part));
}

function malformedHeaderError(name: string, form: string): VerificationError {
  return {
    cause: "malformed_header",
    detail: `The header ${name} is malformed: ${form}. Use its value exactly as received.`,
  };
}

/** The error of a secret that no library could use; null if it is well formed. */
function malformedSecret(secret: string | null): VerificationError | null {
  if (secret === null) return null;
  if (secret.trim() !== secret) {
    return wrongSecret("The secret has white space around it: trim it where your code reads it.");
  }
  if (secret.length > SECRET_PREFIX.length && BASE64.test(withoutPrefix(secret))) return null;
  return wrongSecret(
    "The secret is not whsec_ followed by base64. Copy all of it, exactly as the gateway showed it.",
  );
}

async function checkSignatures(
  headers: Headers,
  body: string,
  clientSecret: string | null,
  context: VerificationContext,
): Promise<VerificationError | null> {
  const text = signedText({ ...headers, body });
  const parts = headers.signature.split(/\s+/);
  const symmetric = parts.filter((part) => V1.test(part));
  const asymmetric = parts.filter((part) => V1A.test(part));
  const secrets = await context.secrets();
  const expected = await Promise.all(secrets.map(({ secret }) => hmacOf(secret, text)));
  const signing = secrets.filter((_, index) => {
    const own = `v1,${toBase64(expected[index] ?? new Uint8Array())}`;
    return symmetric.map((part) => timingSafeEqual(part, own)).includes(true);
  });
  const isValid = ({ until }: WebhookSecret) => until === null || until > context.nowMs;
  if (!signing.some(isValid)) return unknownSignature(signing, context.nowMs);
  const seeds = await context.seeds();
  const verifications = await Promise.all(
    asymmetric.flatMap((part) => {
      const signature = fromBase64(part.slice("v1a,".length));
      return seeds.map((seed) => verifyAsymmetric(seed, signature, text));
    }),
  );
  if (verifications.length > 0 && !verifications.includes(true)) {
    return wrongSecret(
      "The v1a signature was not made with this company's key. Pass webhook-signature unchanged.",
    );
  }
  return clientSecret === null
    ? null
    : checkClientSecret(clientSecret, secrets, signing, context.nowMs);
}

function unknownSignature(signing: WebhookSecret[], nowMs: number): VerificationError {
  const expired = signing.find(({ until }) => until !== null && until <= nowMs);
  return wrongSecret(
    expired === undefined
      ? "No v1 signature matches a secret of this company for this webhook-timestamp. Check that the headers belong to this request and were not changed."
      : `The webhook was signed with a secret that was rotated out and ended at ${expiryOf(expired)}. Resend the event, then verify with the current secret.`,
  );
}

async function checkClientSecret(
  clientSecret: string,
  secrets: EndpointSecret[],
  signing: EndpointSecret[],
  nowMs: number,
): Promise<VerificationError | null> {
  const digest = await secretDigest(clientSecret);
  const digests = await Promise.all(secrets.map(({ secret }) => secretDigest(secret)));
  const own = secrets.find((_, index) => timingSafeEqual(digests[index] ?? "", digest));
  if (own === undefined) {
    return wrongSecret(
      "The secret in your code is unknown: it is not a secret of this company. Use the current secret, or rotate to get a new one.",
    );
  }
  if (own.until !== null && own.until <= nowMs) {
    return wrongSecret(
      `The secret in your code was rotated out and ended at ${expiryOf(own)}. Use the current secret.`,
    );
  }
  if (signing.includes(own)) return null;
  const signer = signing[0]?.endpoint;
  if (signer !== undefined && signer !== own.endpoint) {
    return wrongSecret(
      `The secret in your code is that of ${own.endpoint}, and the webhook was signed with that of ${signer}: each endpoint has its own.`,
    );
  }
  return wrongSecret(
    "The secret in your code is newer than this attempt, which was signed before the rotation. Accept the previous secret too until it expires.",
  );
}

function checkTimestamp(
  timestamp: number,
  receivedAt: number | null,
  nowMs: number,
): VerificationError | null {
  const skewSeconds = Math.floor((receivedAt ?? nowMs) / 1_000) - timestamp;
  if (Math.abs(skewSeconds) <= TOLERANCE_SECONDS) return null;
  const [seconds, direction] = skewSeconds > 0 ? [skewSeconds, "after"] : [-skewSeconds, "before"];
  const remedy =
    receivedAt === null
      ? "send receivedAt, the time at which your server received the webhook, or resend the event"
      : `set the server's clock (NTP)${skewSeconds > 0 ? ", and verify each webhook as soon as it arrives" : ""}`;
  return {
    cause: "clock_skew",
    detail: `The webhook was received ${seconds} s ${direction} its webhook-timestamp, and ${TOLERANCE_SECONDS} s are allowed: ${remedy}.`,
  };
}

function wrongSecret(detail: string): VerificationError {
  return { cause: "wrong_secret", detail };
}

function expiryOf({ until }: WebhookSecret): string {
  return until === null ? "never" : isoTime(until);
}

function withoutPrefix(secret: string): string {
  return secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
}

/** Digest of the key bytes' base64: libraries also accept a secret without its prefix or padding. */
function secretDigest(secret: string): Promise<string> {
  return sha256Hex(withoutPrefix(secret).replace(/=+$/, ""));
}
