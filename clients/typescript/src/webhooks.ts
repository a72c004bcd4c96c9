import { WebhookError } from "./errors.ts";
import type { Webhook } from "./types.ts";

/** The headers of a request: of `fetch`, or of Node's `http`. */
type HeadersLike = Headers | Record<string, string | string[] | undefined>;

const SECRET_PREFIX = "whsec_";
/** How far a webhook's timestamp may be from the clock (Standard Webhooks). */
const TOLERANCE_SECONDS = 300;

/**
 * A webhook's event, once its signature holds (Standard Webhooks 1.0, HMAC-SHA256). `body` is the raw body as it came,
 * before any parser; `secret` is the endpoint's (`whsec_...`). Throws `WebhookError` for anything else.
 */
export async function verify(
  body: string | Uint8Array<ArrayBuffer>,
  headers: HeadersLike,
  secret: string,
): Promise<Webhook> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(ageSeconds) > TOLERANCE_SECONDS)
    throw new WebhookError("The webhook's timestamp is too far from this clock.");
  const raw = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (!ArrayBuffer.isView(raw))
    throw new WebhookError("The body must be raw, as it came: a parsed one does not verify.");
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array([...head, ...raw]);
  const key = await keyOf(secret);
  const verdicts = signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map(async (signature) => {
      const given = fromBase64(signature.slice(3));
      return given !== null && crypto.subtle.verify("HMAC", key, given, signed);
    });
  if (!(await Promise.all(verdicts)).includes(true))
    throw new WebhookError("No signature of the webhook is of this secret and this raw body.");
  try {
    return JSON.parse(new TextDecoder().decode(raw)) as Webhook;
  } catch (cause) {
    throw new WebhookError("The webhook's body is no JSON.", { cause });
  }
}

function headerOf(headers: HeadersLike, name: string): string {
  const given = headers instanceof Headers ? headers.get(name) : namedAlike(headers, name);
  const [value, ...others] = [given].flat();
  if (typeof value !== "string" || others.length > 0)
    throw new WebhookError(`The webhook has no header ${name}.`);
  return value;
}

function namedAlike(headers: Record<string, string | string[] | undefined>, name: string) {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

function keyOf(secret: string): Promise<CryptoKey> {
  if (!secret.startsWith(SECRET_PREFIX))
    throw new WebhookError(`The secret does not begin with ${SECRET_PREFIX}.`);
  const raw = fromBase64(secret.slice(SECRET_PREFIX.length));
  // By an empty key anybody signs.
  if (raw === null || raw.byteLength === 0)
    throw new WebhookError("The secret is empty, or not base64.");
  return crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
