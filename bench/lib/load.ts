import { Agent, request as open } from "node:http";
import { median, percentile } from "./stats.ts";

/** One request of a load. */
export interface Request {
  method: "GET" | "POST" | "PUT";
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Load {
  port: number;
  /** Number of keep-alive connections; each has one request in flight. */
  connections: number;
  /** No request starts after this time, or after `count` requests. */
  durationMs: number;
  count?: number;
  /** Builds the request with a number that rises by one. */
  request: (number: number) => Request;
}

export interface LoadResult {
  /** Requests answered 2xx per second. */
  perSecond: number;
  done: number;
  /** Number of answers by status. */
  statuses: Record<number, number>;
  /** Number of answers with `Retry-After`. */
  retryAfters: number;
  medianMs: number;
  p99Ms: number;
}

const TIMEOUT_MS = 30_000;

/** A closed loop: each connection sends its next request after the previous answer. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const startedAt = performance.now();
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  let [next, done, retryAfters] = [0, 0, 0];
  const connection = async () => {
    while (next < (load.count ?? Infinity) && performance.now() - startedAt < load.durationMs) {
      const sentAt = performance.now();
      const { status, retryAfter } = await send(agent, load.port, load.request((next += 1)));
      times.push(performance.now() - sentAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 200 && status < 300) done += 1;
      if (retryAfter) retryAfters += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: load.connections }, connection));
  } finally {
    agent.destroy();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    perSecond: done / seconds,
    done,
    statuses,
    retryAfters,
    medianMs: median(times),
    p99Ms: percentile(times, 0.99),
  };
}

function send(
  agent: Agent,
  port: number,
  { method, path, headers, body }: Request,
): Promise<{ status: number; retryAfter: boolean }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const sent = open(
      { agent, host: "127.0.0.1", port, method, path, headers: { ...headers, ...length } },
      (answer) => {
        const retryAfter = answer.headers["retry-after"] !== undefined;
        answer.resume();
        answer.once("end", () => resolve({ status: answer.statusCode ?? 0, retryAfter }));
        answer.once("error", reject);
      },
    );
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    sent.once("error", reject);
    sent.end(body);
  });
}
