/** Verifies the query with which a payer comes back to `returnUrl`. */
import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 5 * 60;

/** Whether the gateway made the query within five minutes. `secret` is a webhook secret, `whsec_...`. */
export function isOurs(query, secret) {
  const { transactionId, status, timestamp, signature } = query;
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) < TOLERANCE_SECONDS)) return false;
  const text = ["centavo:return-url", transactionId, status, timestamp].join("\n");
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = Buffer.from(`v1,${createHmac("sha256", key).update(text).digest("base64")}`);
  return signature
    .split(" ")
    .map((part) => Buffer.from(part))
    .some((part) => part.length === expected.length && timingSafeEqual(part, expected));
}
