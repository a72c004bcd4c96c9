import {
  ApiError,
  CentavoError,
  ConnectionError,
  IgnoredFieldsError,
  TimeoutError,
} from "./errors.ts";
import type { Answer, Input, Method, Operation, PathOf, Problem } from "./types.ts";

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
const FIRST_WAIT_MS = 500;
/** The client waits no longer for a retry: whoever called gets the error and its `retryAfterMs`. */
const LONGEST_WAIT_MS = 60_000;

export interface CentavoOptions {
  /** The address of the service, such as `https://pay.example.com`. */
  baseUrl: string;
  clientId: string;
  /** A secret: for servers only. */
  apiKey: string;
  /** Milliseconds that one attempt may take; 30 s where left out. */
  timeoutMs?: number;
  /** Attempts after the first one; 3 where left out. */
  retries?: number;
  /** Whether fields that the API ignored throw; by default with a key of a test environment (`sk_test_`). */
  throwOnIgnored?: boolean;
  /** In the place of the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface CallOptions {
  /** Yours, to call again after a crash; by default one of its own for each call, kept over its retries. */
  idempotencyKey?: string;
  /** Ends the call. It may be done all the same: give a key of your own, to call again with it. */
  signal?: AbortSignal;
}

interface Call {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An answer in another media type than JSON. */
type Media = "text/csv" | "application/pdf" | "image/svg+xml" | "image/png";

/** Sends requests with credentials, keys, deadlines and retries. */
export class Http {
  readonly #options: CentavoOptions;
  readonly #baseUrl: string;

  constructor(options: CentavoOptions) {
    const { clientId, apiKey } = options;
    for (const [name, value] of Object.entries({ clientId, apiKey })) {
      if (!/^[!-~]+$/.test(value ?? ""))
        throw new CentavoError(`The ${name} is missing, or has characters that no header takes.`);
    }
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
  }

  /** Calls an operation; throws `ApiError` where it is refused, `ConnectionError` where no answer came. */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    input: Input<Operation<M, P>> & Pick<Call, "headers">,
    options: CallOptions = {},
  ): Promise<Answer<Operation<M, P>>> {
    const key = keyOf(method, options);
    const kept = key === null ? options : { ...options, idempotencyKey: key };
    const response = await this.#send(method, path, input, "application/json", kept);
    const answer: unknown = await response.json().catch((cause: unknown) => {
      const text = `${this.#baseUrl} does not answer like a Centavo service.`;
      throw new ConnectionError(text, key, cause);
    });
    this.#refuseIgnored(response, answer);
    return answer as Answer<Operation<M, P>>;
  }

  /** Calls an operation for a file. */
  async file<P extends PathOf<"get">>(
    path: P,
    input: Input<Operation<"get", P>>,
    media: Media,
    options: CallOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#send("get", path, input, media, options);
    return new Uint8Array(await response.arrayBuffer());
  }

  /** As `file`, for text. */
  async text<M extends "get" | "post", P extends PathOf<M>>(
    method: M,
    path: P,
    input: Input<Operation<M, P>>,
    media: Media,
    options: CallOptions = {},
  ): Promise<string> {
    const response = await this.#send(method, path, input, media, options);
    return response.text();
  }

  async #send(method: Method, path: string, call: Call, accept: string, options: CallOptions) {
    const key = keyOf(method, options);
    const { retries = RETRIES } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const request = this.#requestOf(method, path, call, accept, key);
        return await this.#attempt(request, key, options.signal);
      } catch (error) {
        const waitMs = waitBefore(attempt, error);
        if (attempt >= retries || waitMs === null) throw error;
        await wait(waitMs, options.signal);
      }
    }
  }

  #requestOf(
    method: Method,
    path: string,
    call: Call,
    accept: string,
    key: string | null,
  ): Request {
    const { params = {}, query = {}, body, headers } = call;
    const url = new URL(
      this.#baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(params[name])),
    );
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return new Request(url, {
      method: method.toUpperCase(),
      // The credentials go to no other address.
      redirect: "manual",
      headers: {
        Accept: `${accept}, application/problem+json`,
        "X-Client-Id": this.#options.clientId,
        "X-API-Key": this.#options.apiKey,
        ...(key === null ? {} : { "Idempotency-Key": key }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #attempt(request: Request, key: string | null, signal?: AbortSignal): Promise<Response> {
    const { timeoutMs = TIMEOUT_MS, fetch: send = fetch } = this.#options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const signals = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    let response: Response;
    let text: ArrayBuffer;
    try {
      response = await send(new Request(request, { signal: signals }));
      // The body too must come in time.
      text = await response.arrayBuffer();
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted) throw new TimeoutError(`No answer in ${timeoutMs} ms.`, key, error);
      throw new ConnectionError(`No answer of ${new URL(request.url).origin}.`, key, error);
    }
    if (!response.ok) throw new ApiError(response, problemOf(text), key);
    return new Response(response.status === 204 ? null : text, response);
  }

  #refuseIgnored(response: Response, answer: unknown): void {
    const { apiKey, throwOnIgnored = apiKey.startsWith("sk_test_") } = this.#options;
    const ignored = response.headers.get("Centavo-Ignored");
    if (throwOnIgnored && ignored !== null)
      throw new IgnoredFieldsError(ignored.split(", "), answer);
  }
}

/** The key of a call that makes something: without one a repeated attempt could do it twice. Null for any other. */
function keyOf(method: Method, { idempotencyKey }: CallOptions): string | null {
  return method === "post" ? (idempotencyKey ?? `ts_${crypto.randomUUID()}`) : null;
}

/** A parameter as it stands in a path. Nothing, or dots, would lead to another operation: throws `CentavoError`. */
function segmentOf(value: string | number = ""): string {
  if (/^\.{0,2}$/.test(String(value))) throw new CentavoError(`"${value}" is no id.`);
  return encodeURIComponent(value);
}

/** How long to wait after a failed attempt; null where another one is no use. Milliseconds. */
function waitBefore(attempt: number, error: unknown): number | null {
  if (!(error instanceof ApiError || error instanceof ConnectionError) || !error.retryable)
    return null;
  const backoff = FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random());
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(backoff, asked);
  return waitMs > LONGEST_WAIT_MS ? null : waitMs;
}

/** Waits, unless `signal` aborts: then throws its reason. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The problem in an answer; empty for what is none, as of a proxy. */
function problemOf(text: ArrayBuffer): Partial<Problem> {
  try {
    const said: unknown = JSON.parse(new TextDecoder().decode(text));
    if (typeof said !== "object" || said === null) return {};
    // The contract's answer to a withdraw without any key has only a message.
    return "message" in said ? { detail: String(said.message) } : said;
  } catch {
    return {};
  }
}
