import { Webhook } from "standardwebhooks";
import { vi } from "vitest";
import { parseEventId } from "../../src/domain/events/delivery.ts";
import type { ReceivedWebhook } from "../support/fakes/webhook-sink.ts";
import { randomFraction, randomChoice } from "./seeded-random.ts";
import type { VirtualTime } from "./virtual-time.ts";

const SECOND = 1_000;
const KIB = 1_024;

/** Responses to requests, in percent: 30 % are failures. */
const RESPONSE_WEIGHTS = {
  at_once: 25,
  late: 25,
  slow_bytes: 14,
  long_body: 6,
  error: 9,
  retry_after_seconds: 3,
  retry_after_date: 2,
  hangs: 4,
  bytes_for_ever: 2,
  reset: 5,
  reset_in_body: 2,
  redirect: 2.5,
  gone: 0.5,
} as const;
type ResponseKind = keyof typeof RESPONSE_WEIGHTS;
/** Share of objects that a target always rejects: only these exhaust their attempts. */
const PERSISTENTLY_FAILING_SHARE = 0.01;
const LATE_MS = 9 * SECOND;
const RETRY_AFTER_SECONDS = [1, 40, 900, 30_000, 200_000];
const LONG_BODY_CHUNKS = 100;

/** One request as the receiver observed it, with its response. */
export interface ObservedRequest {
  url: string;
  /** Value of the `webhook-id` header. */
  id: string;
  rawBody: string;
  /** The object's kind and id from the body. */
  object: string;
  sequence: number;
  kind: ResponseKind;
  startedAt: number;
  endedAt: number;
  /** The part of the response that the sender can know. */
  httpStatus: number | null;
  fault: "timeout" | "connection" | null;
  answer: string;
  /** Why the signature is invalid; null if it is valid. */
  signatureError: string | null;
}

/** A merchant's servers: each response depends on the seed, the event and the attempt number. */
export class FlakyReceiver {
  readonly requests: ObservedRequest[] = [];
  /** Attempts that ran during another one of the same object and target. */
  readonly overlaps: string[] = [];
  /** The most concurrent requests to each company's host. */
  readonly maxConcurrentByHost = new Map<string, number>();
  readonly #inFlight = new Map<string, number>();
  readonly #requestCounts = new Map<string, number>();

  constructor(
    readonly seed: number,
    readonly time: VirtualTime,
    readonly secret: string,
  ) {}

  readonly respond = async (request: ReceivedWebhook): Promise<Response> => {
    const seen = this.#record(request);
    const signal = request.init.signal!;
    const leave = this.#enter(seen);
    const over = (httpStatus: number | null, fault: ObservedRequest["fault"]) => {
      if (seen.endedAt !== 0) return;
      this.time.removeLimit(signal);
      leave();
      Object.assign(seen, { httpStatus, fault, endedAt: this.time.clock.now() });
    };
    try {
      return await this.#respond(seen, signal, over);
    } catch (error) {
      over(null, signal.aborted ? "timeout" : "connection");
      throw error;
    }
  };

  async #respond(
    seen: ObservedRequest,
    signal: AbortSignal,
    over: (httpStatus: number | null, fault: ObservedRequest["fault"]) => void,
  ): Promise<Response> {
    const luck = (what: string) =>
      randomFraction(this.seed, what, ...identity(seen), this.#timesOf(seen));
    const bare = (status: number, headers: Record<string, string> = {}) => {
      over(status, null);
      return new Response(null, { status, headers });
    };
    const streamed = (status: number, chunks: () => AsyncGenerator<string>) => {
      seen.answer = "";
      const stop = (fault: ObservedRequest["fault"]) => over(fault === null ? status : null, fault);
      return new Response(streamOf(chunks(), seen, signal, stop), { status });
    };
    const sleep = (ms: number) => this.time.sleepWithin(signal, ms);
    switch (seen.kind) {
      case "at_once":
        return bare(204);
      case "late":
        await sleep(luck("late") * LATE_MS);
        return bare(200);
      case "error":
        if (luck("slow error") < 0.3) await sleep(luck("late") * LATE_MS);
        return streamed([500, 502, 503, 404][Math.floor(luck("status") * 4)]!, async function* () {
          yield "não agora";
        });
      case "retry_after_seconds": {
        const seconds = RETRY_AFTER_SECONDS[Math.floor(luck("wait") * RETRY_AFTER_SECONDS.length)]!;
        return bare(luck("status") < 0.5 ? 429 : 503, { "Retry-After": String(seconds) });
      }
      case "retry_after_date": {
        const at = this.time.clock.now() + luck("wait") * 3_600 * SECOND;
        return bare(503, { "Retry-After": new Date(at).toUTCString() });
      }
      case "redirect":
        return bare(luck("status") < 0.5 ? 302 : 307, { Location: "https://other.example.com/" });
      case "gone":
        return bare(410);
      case "hangs":
        await sleep(Infinity);
        throw new Error("the limit has ended it");
      case "reset":
        if (luck("slow reset") < 0.3) await sleep(luck("late") * LATE_MS);
        throw new TypeError("connection reset");
      case "long_body":
        return streamed(200, async function* () {
          for (let chunk = 0; chunk < LONG_BODY_CHUNKS; chunk++) yield "a".repeat(KIB);
        });
      case "slow_bytes":
        return streamed(201, async function* () {
          for (const char of "obrigado") {
            await sleep(luck("byte") * SECOND);
            yield char;
          }
        });
      case "bytes_for_ever":
        return streamed(200, async function* () {
          for (;;) {
            await sleep(SECOND);
            yield ".";
          }
        });
      case "reset_in_body":
        return streamed(200, async function* () {
          yield "obri";
          throw new TypeError("connection reset");
        });
    }
  }

  #record(request: ReceivedWebhook): ObservedRequest {
    const { url, id, rawBody, body } = request;
    const object = `${String(body.type).split(".")[0]}:${body.data.id}`;
    const now = this.time.clock.now();
    const seen: ObservedRequest = {
      url,
      id,
      rawBody,
      object,
      sequence: body.sequence,
      kind: "at_once",
      startedAt: now,
      endedAt: 0,
      httpStatus: null,
      fault: null,
      answer: "",
      signatureError: signatureErrorOf(request, this.secret, now),
    };
    const times = this.#timesOf(seen) + 1;
    this.#requestCounts.set(identity(seen).join(" "), times);
    const [life, , path] = identity(seen);
    const stubborn = randomFraction(this.seed, "stubborn", life, path) < PERSISTENTLY_FAILING_SHARE;
    const drawn = randomChoice(
      RESPONSE_WEIGHTS,
      randomFraction(this.seed, "answer", ...identity(seen), times),
    );
    seen.kind = stubborn ? "error" : drawn;
    this.requests.push(seen);
    return seen;
  }

  /** Counts a request as in flight; returns the function that ends it. */
  #enter(seen: ObservedRequest): () => void {
    const group = `${seen.object} ${seen.url}`;
    const host = `${parseEventId(seen.id)?.companyId} ${new URL(seen.url).hostname}`;
    if (this.#count(group, 1) > 1) this.overlaps.push(`${group} ${seen.id}`);
    this.maxConcurrentByHost.set(
      host,
      Math.max(this.maxConcurrentByHost.get(host) ?? 0, this.#count(host, 1)),
    );
    return () => {
      this.#count(group, -1);
      this.#count(host, -1);
    };
  }

  #count(name: string, more: number): number {
    const count = (this.#inFlight.get(name) ?? 0) + more;
    this.#inFlight.set(name, count);
    return count;
  }

  #timesOf(seen: ObservedRequest): number {
    return this.#requestCounts.get(identity(seen).join(" ")) ?? 0;
  }
}

/** Identifies a request across runs of a seed: lifecycle number, state and target path. */
function identity({ rawBody, sequence, url }: ObservedRequest): [string, number, string] {
  return [JSON.parse(rawBody).data.metadata, sequence, new URL(url).pathname];
}

/** The result of the Standard Webhooks library at the time of the request. */
function signatureErrorOf(request: ReceivedWebhook, secret: string, nowMs: number): string | null {
  const date = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  try {
    new Webhook(secret).verify(request.rawBody, request.headers);
    const timestamp = request.headers["webhook-timestamp"];
    return timestamp === String(Math.floor(nowMs / SECOND)) ? null : `timestamp ${timestamp}`;
  } catch (error) {
    return String(error);
  } finally {
    date.mockRestore();
  }
}

/** A body that produces bytes when they are read; `stop` receives the way it ended. */
function streamOf(
  chunks: AsyncGenerator<string>,
  seen: ObservedRequest,
  signal: AbortSignal,
  stop: (fault: ObservedRequest["fault"]) => void,
): ReadableStream<Uint8Array> {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const { done, value } = await chunks.next();
      if (done === true) {
        stop(null);
        controller.close();
        return;
      }
      seen.answer = (seen.answer + value).slice(0, KIB);
      controller.enqueue(new TextEncoder().encode(value));
    } catch (error) {
      stop(signal.aborted ? "timeout" : "connection");
      seen.answer = "";
      if (!signal.aborted) controller.error(error);
    }
  };
  return new ReadableStream(
    { pull, cancel: () => stop(signal.aborted ? "timeout" : null) },
    { highWaterMark: 0 },
  );
}
