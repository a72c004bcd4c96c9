import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";

/** The client certificate and its key, as PEM. */
export interface ClientCertificate {
  cert: string;
  key: string;
}

/** Sends a request, and tells the TLS version of its connection (`TLSv1.3`) where it has one. */
export type PspFetch = (
  request: Request,
  options?: { withoutCertificate?: boolean; onTls?: (version: string) => void },
) => Promise<Response>;

/** A `fetch` by node's own client, which alone takes a client certificate. Follows no redirect. */
export function nodeFetch(certificate: ClientCertificate | null): PspFetch {
  return async (request, { withoutCertificate = false, onTls } = {}) => {
    const url = new URL(request.url);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const options = {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      agent: false,
      signal: request.signal,
      ...(withoutCertificate ? {} : certificate),
    };
    const call: ClientRequest =
      url.protocol === "https:"
        ? httpsRequest(url, options, resolve)
        : httpRequest(url, options, resolve);
    call.on("error", reject);
    call.end(request.body === null ? undefined : Buffer.from(await request.arrayBuffer()));
    const answer = await promise;
    const version = (answer.socket as TLSSocket).getProtocol?.() ?? null;
    if (version !== null) onTls?.(version);
    return toResponse(answer);
  };
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = answer;
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const isBodiless = [204, 205, 304].includes(status);
  const body = isBodiless ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers: entries });
}
