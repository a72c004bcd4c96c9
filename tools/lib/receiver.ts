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
  /** The first matching webhook, already received or not. Throws after `timeoutMs`. */
  waitFor(matches: (received: Received) => boolean, timeoutMs: number): Promise<Received>;
  /** Cuts every connection. Unread requests are lost. */
  closeConnections(): void;
  close(): Promise<void>;
}

/** Chooses the response status; null cuts the connection. `closed` aborts when the sender disconnects. */
export type Answer = (
  received: Received,
  closed: AbortSignal,
) => number | null | Promise<number | null>;

export async function startReceiver(answer: Answer = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  const waiters = new Set<() => void>();
  const server = createServer((request, response) => {
    void receive(request, response);
  });
  // Otherwise a webhook fails by chance when it uses a connection that is just closing.
  server.keepAliveTimeout = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request).catch(() => null);
    // The sender disconnected while sending: nothing was received.
    if (body === null) return;
    const one = { path: request.url ?? "/", headers: plainHeaders(request), body };
    const closed = new AbortController();
    response.once("close", () => closed.abort());
    const status = await answer(one, closed.signal);
    received.push(one);
    if (status === null) response.destroy();
    else response.writeHead(status).end();
    for (const wake of waiters) wake();
  };
  const port = await listen(server);
  return {
    url: `http://localhost:${port}/webhooks`,
    received,
    waitFor: (matches, timeoutMs) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = received.find(matches);
          if (found === undefined) return;
          clearTimeout(timer);
          waiters.delete(check);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiters.delete(check);
          reject(new Error(`no matching webhook arrived within ${timeoutMs} ms`));
        }, timeoutMs);
        waiters.add(check);
        check();
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
