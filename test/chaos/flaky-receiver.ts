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
    /** By its URL: of an endpoint with its own secret, else the company's. */
    readonly secretOf: (url: string) => string,
  ) {}

  readonly respond = async (request: ReceivedWebhook): Promise<Response> => {
    const observed = this.#record(request);
    const signal = request.init.signal!;
    const endRequest = this.#enter(observed);
    const end = (httpStatus: number | null, fault: ObservedRequest["fault"]) => {
      if (observed.endedAt !== 0) return;
      this.time.removeLimit(signal);
      endRequest();
      Object.assign(observed, { httpStatus, fault, endedAt: this.time.clock.now() });
    };
    try {
      return await this.#respond(observed, signal, end);
    } catch (error) {
      end(null, signal.aborted ? "timeout" : "connection");
      throw error;
    }
  };

  async #respond(
    observed: ObservedRequest,
    signal: AbortSignal,
    end: (httpStatus: number | null, fault: ObservedRequest["fault"]) => void,
  ): Promise<Response> {
    const draw = (what: string) =>
      randomFraction(this.seed, what, ...identity(observed), this.#attemptOf(observed));
    const withoutBody = (status: number, headers: Record<string, string> = {}) => {
      end(status, null);
      return new Response(null, { status, headers });
    };
    const streamed = (status: number, chunks: () => AsyncGenerator<string>) => {
      observed.answer = "";
      const stop = (fault: ObservedRequest["fault"]) => end(fault === null ? status : null, fault);
      return new Response(streamOf(chunks(), observed, signal, stop), { status });
    };
    const sleep = (ms: number) => this.time.sleepWithin(signal, ms);
    switch (observed.kind) {
      case "at_once":
        return withoutBody(204);
      case "late":
        await sleep(draw("late") * LATE_MS);
        return withoutBody(200);
      case "error":
        if (draw("slow error") < 0.3) await sleep(draw("late") * LATE_MS);
        return streamed([500, 502, 503, 404][Math.floor(draw("status") * 4)]!, async function* () {
          yield "não agora";
        });
      case "retry_after_seconds": {
        const seconds = RETRY_AFTER_SECONDS[Math.floor(draw("wait") * RETRY_AFTER_SECONDS.length)]!;
        return withoutBody(draw("status") < 0.5 ? 429 : 503, { "Retry-After": String(seconds) });
      }
      case "retry_after_date": {
        const at = this.time.clock.now() + draw("wait") * 3_600 * SECOND;
        return withoutBody(503, { "Retry-After": new Date(at).toUTCString() });
      }
      case "redirect":
        return withoutBody(draw("status") < 0.5 ? 302 : 307, {
          Location: "https://other.example.com/",
        });
      case "gone":
        return withoutBody(410);
      case "hangs":
        await sleep(Infinity);
        throw new Error("the limit has ended it");
      case "reset":
        if (draw("slow reset") < 0.3) await sleep(draw("late") * LATE_MS);
        throw new TypeError("connection reset");
      case "long_body":
        return streamed(200, async function* () {
          for (let chunk = 0; chunk < LONG_BODY_CHUNKS; chunk++) yield "a".repeat(KIB);
        });
      case "slow_bytes":
        return streamed(201, async function* () {
          for (const char of "obrigado") {
            await sleep(draw("byte") * SECOND);
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
    const observed: ObservedRequest = {
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
      signatureError: signatureErrorOf(request, this.secretOf(url), now),
    };
    const attempt = this.#attemptOf(observed) + 1;
    this.#requestCounts.set(identity(observed).join(" "), attempt);
    const [lifecycle, , path] = identity(observed);
    const isFailing =
      randomFraction(this.seed, "stubborn", lifecycle, path) < PERSISTENTLY_FAILING_SHARE;
    const kind = randomChoice(
      RESPONSE_WEIGHTS,
      randomFraction(this.seed, "answer", ...identity(observed), attempt),
    );
    observed.kind = isFailing ? "error" : kind;
    this.requests.push(observed);
    return observed;
  }

  /** Counts a request as in flight; returns the function that ends it. */
  #enter(observed: ObservedRequest): () => void {
    const group = `${observed.object} ${observed.url}`;
    const host = `${parseEventId(observed.id)?.companyId} ${new URL(observed.url).hostname}`;
    if (this.#count(group, 1) > 1) this.overlaps.push(`${group} ${observed.id}`);
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

  #attemptOf(observed: ObservedRequest): number {
    return this.#requestCounts.get(identity(observed).join(" ")) ?? 0;
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
  observed: ObservedRequest,
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
      observed.answer = (observed.answer + value).slice(0, KIB);
      controller.enqueue(new TextEncoder().encode(value));
    } catch (error) {
      stop(signal.aborted ? "timeout" : "connection");
      observed.answer = "";
      if (!signal.aborted) controller.error(error);
    }
  };
  return new ReadableStream(
    { pull, cancel: () => stop(signal.aborted ? "timeout" : null) },
    { highWaterMark: 0 },
  );
}
