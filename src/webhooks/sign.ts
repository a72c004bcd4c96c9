const SECRET_PREFIX = "whsec_";

/**
 * `webhook-signature` of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body` under the
 * base64 secret. `timestamp` in Unix seconds, of this attempt.
 */
export async function signWebhook(
  secret: string,
  id: string,
  timestampSeconds: number,
  body: string,
): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    Uint8Array.from(atob(secret.slice(SECRET_PREFIX.length)), (char) => char.charCodeAt(0)),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const signed = await crypto.subtle.sign(
    "HMAC",
    key,
    new TextEncoder().encode(`${id}.${timestampSeconds}.${body}`),
  );
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`;
}
