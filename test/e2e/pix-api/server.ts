import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { FakePsp } from "../../support/fakes/fake-psp/psp.ts";

/** A server on its own port. */
export interface Served {
  url: string;
  close: () => Promise<void>;
}

/**
 * Serves a fake PSP, or what stands in front of it, on a loopback socket: at any free port, and over TLS where it is told
 * how.
 */
export async function servePsp(
  psp: Pick<FakePsp, "answer">,
  { port = 0, tls }: { port?: number; tls?: ServerOptions } = {},
): Promise<Served> {
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    void pass(psp, incoming, outgoing);
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(port, "127.0.0.1", resolve);
  await promise;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function pass(
  psp: Pick<FakePsp, "answer">,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) {
  const body = await buffer(incoming);
  const answer = await psp.answer(
    new Request(`http://psp.test${incoming.url ?? "/"}`, {
      method: incoming.method ?? "GET",
      headers: incoming.headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    }),
  );
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    outgoing.end();
    return;
  }
  const stream = Readable.fromWeb(answer.body as NodeStream);
  stream.on("error", () => outgoing.destroy()).pipe(outgoing);
}
