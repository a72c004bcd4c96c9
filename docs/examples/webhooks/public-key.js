/** Verifies the `v1a` signature of a webhook by the company's public keys. */
import { createPublicKey, verify } from "node:crypto";

const TOLERANCE_SECONDS = 5 * 60;

/** The public keys of a company, such as 1 for `evt_1_42`. `api` is the gateway's address. */
export async function publicKeysOf(api, company) {
  const answer = await fetch(`${api}/.well-known/webhook-keys.json?company=${company}`);
  const { keys } = await answer.json();
  return keys.map(({ kty, crv, x }) => createPublicKey({ key: { kty, crv, x }, format: "jwk" }));
}

/** Whether one of the keys signed the request. `headers` with lower-case names. */
export function isOurs(rawBody, headers, publicKeys) {
  const timestamp = headers["webhook-timestamp"];
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const signed = Buffer.from(`${headers["webhook-id"]}.${timestamp}.${rawBody}`);
  return headers["webhook-signature"]
    .split(" ")
    .filter((part) => part.startsWith("v1a,"))
    .map((part) => Buffer.from(part.slice("v1a,".length), "base64"))
    .some((signature) => publicKeys.some((key) => verify(null, signed, key, signature)));
}
