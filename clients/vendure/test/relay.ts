import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Shares no factor with a hundred. */
const LOT_STEP = 37;

/** A network between gateway and shop that loses and doubles webhooks. */
export interface Relay {
  url: string;
  /** What of a hundred webhooks is lost, and comes twice. */
  faults: { dropped: number; doubled: number };
  counts: { received: number; dropped: number; doubled: number };
  /** The statuses that the shop answered, in order. */
  answers: number[];
  /** The last webhook, to send it again. */
  last: { headers: Record<string, string>; body: string } | null;
  close(): Promise<void>;
}

/** Starts a relay to `target`. A lost webhook is answered 204: the gateway does not know, and sends it never again. */
export async function startRelay(target: string): Promise<Relay> {
  const server = createServer();
  const relay: Relay = {
    url: "",
    faults: { dropped: 0, doubled: 0 },
    counts: { received: 0, dropped: 0, doubled: 0 },
    answers: [],
    last: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  server.on("request", (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void passOn(relay, target, request, Buffer.concat(chunks).toString(), response);
    });
  });
  relay.url = `http://localhost:${await listening(server)}/`;
  return relay;
}

/** Sends a webhook to the shop; answers its status. */
export async function post(
  target: string,
  webhook: { headers: Record<string, string>; body: string },
): Promise<number> {
  const response = await fetch(target, { method: "POST", ...webhook });
  await response.arrayBuffer();
  return response.status;
}

async function passOn(
  relay: Relay,
  target: string,
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  response.statusCode = await delivered(relay, target, request, body);
  response.end();
}

async function delivered(
  relay: Relay,
  target: string,
  request: IncomingMessage,
  body: string,
): Promise<number> {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type"];
  const headers = Object.fromEntries(
    names.map((name) => [name, String(request.headers[name] ?? "")]),
  );
  const { counts, faults, answers } = relay;
  relay.last = { headers, body };
  counts.received += 1;
  // Each number below a hundred once in a hundred webhooks: the same ones in every run, and exactly so many.
  const lot = (counts.received * LOT_STEP) % 100;
  if (lot < faults.dropped) {
    counts.dropped += 1;
    return 204;
  }
  const isDoubled = lot < faults.dropped + faults.doubled;
  if (isDoubled) counts.doubled += 1;
  const deliveries = Array.from({ length: isDoubled ? 2 : 1 }, () =>
    post(target, { headers, body }),
  );
  const statuses = await Promise.all(deliveries);
  answers.push(...statuses);
  return Math.max(...statuses);
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, () => resolve((server.address() as AddressInfo).port));
  });
}
