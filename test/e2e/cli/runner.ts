import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ROOT } from "../../../tools/lib/wrangler.ts";

/** Far longer than any command takes; a command that takes longer has failed. */
const LIMIT_MS = 60_000;

export interface Ended {
  /** Null after a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running `centavo` process. */
export interface Command {
  /** Waits until the process has printed `text` `times` times; throws on a timeout. */
  printed(text: string, times?: number): Promise<void>;
  kill(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): void;
  ended: Promise<Ended>;
}

/** Where commands start: they find Node, and its compiled code. */
const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;

/** A folder that does not exist. */
const NOWHERE = join(ROOT, "node_modules/.cache/no-config");

/** Starts `centavo` with only the given environment. */
export function startCommand(
  args: string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Command {
  const child = spawn(process.execPath, [join(ROOT, "bin/centavo.js"), ...args], {
    cwd: options.cwd ?? ROOT,
    // Whatever somebody stored by `centavo login` on this machine is none of the tests'.
    env: { PATH, NODE_COMPILE_CACHE, XDG_CONFIG_HOME: NOWHERE, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  const lookAgain = () => {
    for (const look of waiting) look();
  };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      texts[name] += String(chunk);
      lookAgain();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => {
      resolve({ code, ...texts });
      lookAgain();
    });
  });
  return {
    ended,
    kill: (signal) => child.kill(signal),
    printed: (text, times = 1) =>
      new Promise((resolve, reject) => {
        const finish = (error?: Error) => {
          clearTimeout(timer);
          waiting.delete(look);
          if (error === undefined) resolve();
          else reject(error);
        };
        const fail = () =>
          finish(new Error(`"${text}" was never printed:\n${texts.stdout}${texts.stderr}`));
        const look = () => {
          if (texts.stdout.split(text).length > times) finish();
          else if (child.exitCode !== null || child.signalCode !== null) fail();
        };
        const timer = setTimeout(fail, LIMIT_MS);
        waiting.add(look);
        look();
      }),
  };
}

/** Runs `centavo` to its end. */
export function runCommand(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return startCommand(args, { env }).ended;
}

export interface FakeAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

export interface FakeGateway {
  url: string;
  /** Method and path of each request, in order. */
  requests: string[];
  close(): Promise<void>;
}

/** A service with the given responses; any other path is a 404. */
export async function startFakeGateway(
  answer: (path: URL, nth: number) => FakeAnswer,
): Promise<FakeGateway> {
  const requests: string[] = [];
  const server: Server = createServer((request: IncomingMessage, response) => {
    requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url ?? "/", "http://localhost");
    const { status, headers, body } = answer(url, requests.length);
    request.resume();
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
