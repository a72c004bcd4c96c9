import { toBase64 } from "../../../src/lib/base64.ts";
import type { Bench, Exchange } from "./bench.ts";

/** Enough to see what is wrong; a page of a list is longer. */
const BODY_MAX = 600;
const MASK = "***";

/** Replaces the client's secret, tokens and credentials of the address in a text. */
export function maskOf(bench: Bench): (text: string) => string {
  const { clientId, clientSecret, baseUrl } = bench.config.api;
  const basic = toBase64(new TextEncoder().encode(`${clientId}:${clientSecret}`));
  const ofAddress = [...new URL(baseUrl).searchParams.values()];
  return (text) => {
    const secrets = [clientSecret, basic, ...ofAddress, bench.token ?? ""];
    const masked = secrets
      .filter((secret) => secret !== "")
      .reduce((left, secret) => left.replaceAll(secret, MASK), text);
    return masked.replaceAll(/("(?:access|refresh)_token"\s*:\s*")[^"]*/g, `$1${MASK}`);
  };
}

/** A request in one line: method, URL, body. */
export function requestText({ method, url, sent }: Exchange): string {
  return oneLine(`${method} ${url.href} ${sent}`);
}

/** An answer in one line: status and body. */
export function answerText({ status, text }: Exchange): string {
  return status === 0 ? "none" : oneLine(`${status} ${text}`);
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > BODY_MAX ? `${line.slice(0, BODY_MAX)}...` : line;
}
