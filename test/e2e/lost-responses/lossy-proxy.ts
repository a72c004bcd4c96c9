import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";

/* The proxy forwards JSON of any shape. */
export interface LostAnswer {
  status: number;
  replayed: boolean;
  body: any;
}

/** Forwards requests between a client and the service, and drops responses on demand. */
export interface LossyProxy {
  base: string;
  /** Drops the next response and resolves with it. */
  loseNextResponse(): Promise<LostAnswer>;
  /** The number of forwarded requests. */
  forwardedCount(): number;
  close(): Promise<void>;
}

export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(target);
  let lose: ((answer: LostAnswer) => void) | null = null;
  let passedOn = 0;

  const server = createServer((request, response) => {
    void handle(request, response);
  });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { answer, body } = await pass(request);
    if (lose === null) {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: "close" });
      response.end(body);
      return;
    }
    const replayed = answer.headers["idempotent-replayed"] === "true";
    lose({ status: answer.statusCode ?? 0, replayed, body: parsed(body) });
    lose = null;
    request.socket.destroy();
  };

  const pass = async (request: IncomingMessage) => {
    const sent = await readBody(request);
    passedOn += 1;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const { method, url: path } = request;
      // Disables compression, so that a dropped response can be read.
      const { "accept-encoding": _, ...headers } = request.headers;
      const passed = httpRequest({ hostname, port, method, path, headers }, resolve);
      passed.once("error", reject);
      passed.end(sent);
    });
    return { answer, body: await readBody(answer) };
  };

  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    base: `http://localhost:${address.port}`,
    loseNextResponse: () =>
      new Promise((resolve) => {
        lose = resolve;
      }),
    forwardedCount: () => passedOn,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Sends a request's head and the first half of its body, then closes the connection. */
export async function sendHalf(
  base: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<void> {
  const { hostname, port, host } = new URL(base);
  const lines = Object.entries({ Host: host, "Content-Length": String(body.length), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const half = body.slice(0, Math.floor(body.length / 2));
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once("error", reject);
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${half}`, () => {
      socket.destroy();
      resolve();
    });
  });
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parsed(body: Buffer): any {
  const text = body.toString("utf8");
  return text === "" ? null : JSON.parse(text);
}
