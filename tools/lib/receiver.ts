import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A merchant's webhook receiver on loopback, for the demo and the end-to-end tests. */
export interface Receiver {
  url: string;
  received: Received[];
  /** The first webhook, come or still to come, that fits; throws after `timeoutMs`. */
  waitFor(fits: (received: Received) => boolean, timeoutMs: number): Promise<Received>;
  /** Cuts every connection: what was not read by now never comes. */
  closeConnections(): void;
  close(): Promise<void>;
}

/**
 * The status to answer with, as soon as it is known; null cuts the connection instead. `gone` is
 * aborted where the sender did not wait for it.
 */
export type Answer = (
  received: Received,
  gone: AbortSignal,
) => number | null | Promise<number | null>;

export async function startReceiver(answer: Answer = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    void receive(request, response);
  });
  // Else a webhook that sets out on a connection just as it is given up fails by chance.
  server.keepAliveTimeout = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request).catch(() => null);
    // Its sender died in the middle of it: nothing came.
    if (body === null) return;
    const one = { path: request.url ?? "/", headers: plainHeaders(request), body };
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const status = await answer(one, gone.signal);
    received.push(one);
    if (status === null) response.destroy();
    else response.writeHead(status).end();
    for (const wake of waiting) wake();
  };
  const port = await listen(server);
  return {
    url: `http://localhost:${port}/webhooks`,
    received,
    waitFor: (fits, timeoutMs) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = received.find(fits);
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`no matching webhook arrived within ${timeoutMs} ms`));
        }, timeoutMs);
        waiting.add(look);
        look();
      }),
    closeConnections: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function plainHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
}

async function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port"));
      else resolve(address.port);
    });
  });
}
