import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "./wrangler.ts";

/** Seconds on an idle machine, over a minute on a loaded one. */
const READY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 10_000;
const READY = "Centavo is ready on";

export interface Service {
  base: string;
  /** Everything printed so far. */
  output(): string;
  /** Ends it by SIGTERM. */
  stop(): Promise<void>;
  /** Ends it and its child processes by SIGKILL. */
  kill(): Promise<void>;
  /** Stops the cron, as the platform might: the process that triggers it each minute. */
  stopCron(): void;
  resumeCron(): void;
}

export interface ServiceOptions {
  stateDir: string;
  port?: number;
  /** Another checkout, of which an upgrade begins; else this one. */
  root?: string;
  /** More of the environment, such as the path of another `WRANGLER_CONFIG`; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
}

/** Starts `tools/dev/start.ts` in its own process group and waits until the service is ready. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { root = ROOT } = options;
  const port = options.port ?? (await freePort());
  const child = spawn(process.execPath, [join(root, "tools/dev/start.ts")], {
    cwd: root,
    detached: true,
    env: { ...process.env, PORT: String(port), STATE_DIR: options.stateDir, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: string[] = [];
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const service: Service = {
    base: `http://localhost:${port}`,
    output: () => printed.join(""),
    stop: () => end(child, ended, "SIGTERM"),
    kill: () => end(child, ended, "SIGKILL"),
    stopCron: () => child.kill("SIGSTOP"),
    resumeCron: () => child.kill("SIGCONT"),
  };
  await new Promise<void>((resolve, reject) => {
    const giveUp = setTimeout(() => reject(notReady(printed)), READY_TIMEOUT_MS);
    const listen = (chunk: Buffer) => {
      printed.push(String(chunk));
      if (!service.output().includes(READY)) return;
      clearTimeout(giveUp);
      resolve();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", () => {
      clearTimeout(giveUp);
      reject(notReady(printed));
    });
  });
  return service;
}

/** Signals the process group, because wrangler and workerd are child processes. */
async function end(
  child: ChildProcess,
  ended: Promise<void>,
  signal: "SIGTERM" | "SIGKILL",
): Promise<void> {
  if (child.pid === undefined) return;
  // A process that is held takes no SIGTERM.
  child.kill("SIGCONT");
  signalGroup(child.pid, signal);
  const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
  signalGroup(child.pid, "SIGKILL");
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

function notReady(printed: string[]): Error {
  return new Error(`the service did not become ready:\n${printed.join("")}`);
}

/** Below the ports that a system gives by itself, to connections too: Linux begins at 32,768. */
const PORTS = { from: 20_000, to: 32_000 };

/** A port of 127.0.0.1 that nobody has, nor is given by chance while a service restarts at it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once("error", () => answer(false));
    server.listen(port, "127.0.0.1", () => server.close(() => answer(true)));
  });
}
