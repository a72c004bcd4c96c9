import { toBase64 } from "../../../src/lib/base64.ts";
import type { Bench, Exchange } from "./bench.ts";

/** Enough to see what is wrong; a page of a list is longer. */
const BODY_MAX = 600;
const MASK = "***";

/** Replaces the client's secret, tokens and credentials of the address in a text, as they are written there. */
export function maskOf(bench: Bench): (text: string) => string {
  const { clientId, clientSecret, baseUrl } = bench.config.api;
  const basic = toBase64(new TextEncoder().encode(`${clientId}:${clientSecret}`));
  const ofAddress = [...new URL(baseUrl).searchParams.values()];
  // The last part of a callback's path authenticates it.
  const token = new URL(bench.config.webhookUrl ?? baseUrl).pathname.split("/").at(-1) ?? "";
  const ofWebhook = bench.config.webhookUrl === null ? [] : [token];
  return (text) => {
    const secrets = [clientSecret, basic, ...ofAddress, ...ofWebhook, ...bench.tokens].flatMap(
      writingsOf,
    );
    // A longer one may begin with a shorter one, of which a rest would be left.
    const masked = secrets
      .filter((secret) => secret !== "")
      .toSorted((left, right) => right.length - left.length)
      .reduce((left, secret) => left.replaceAll(secret, MASK), text);
    return masked.replaceAll(
      /("(?:access|refresh|id)_token"\s*:\s*")(?:[^"\\]|\\.)*/g,
      `$1${MASK}`,
    );
  };
}

/** A secret as it stands in a text, in a URL, in a form, and in JSON. */
function writingsOf(secret: string): string[] {
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, encodeURIComponent(secret), inForm, JSON.stringify(secret).slice(1, -1)];
}

/** A request in one line: method, URL, body. Masked before it is cut, so that no part of a secret is left. */
export function requestText(
  { method, url, sent }: Exchange,
  mask: (text: string) => string,
): string {
  return oneLine(mask(`${method} ${url.href} ${sent}`));
}

/** An answer in one line: status and body; masked likewise. */
export function answerText({ status, text }: Exchange, mask: (text: string) => string): string {
  return status === 0 ? "none" : oneLine(mask(`${status} ${text}`));
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > BODY_MAX ? `${line.slice(0, BODY_MAX)}...` : line;
}
