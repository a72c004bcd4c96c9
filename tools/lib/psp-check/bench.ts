import { systemClock } from "../../../src/domain/shared/clock.ts";
import { ownHeaders } from "../../../src/providers/pix-api/config.ts";
import { exchange as fetchWhole, type HttpError } from "../../../src/providers/calls/exchange.ts";
import { PixApiProvider } from "../../../src/providers/pix-api/provider.ts";
import { TokenCache } from "../../../src/providers/calls/token-cache.ts";
import type { PspPoint } from "../../../src/domain/psp/profiles/psp-points.ts";
import { TokenAnswer } from "../../../src/providers/pix-api/wire.ts";
import type { PixOrder } from "../../../src/providers/pix-api/charge-request.ts";
import type { PspCheckConfig } from "./config.ts";
import { randomTxid } from "./ids.ts";
import type { PspFetch } from "./transport.ts";

/** A whole check takes about 60 calls; more means that something goes round in circles. */
const CALLS_MAX = 120;

/** One call and what came of it. */
export interface Exchange {
  point: PspPoint;
  method: string;
  url: URL;
  sent: string;
  /** 0 before an answer, and where none came. */
  status: number;
  headers: Headers;
  text: string;
  /** When it was sent and answered, epoch milliseconds. */
  sentAt: number;
  answeredAt: number;
}

/** A point that does not hold; `exchange` is the call that shows it. */
export class Deviates extends Error {
  readonly exchange: Exchange | null;

  constructor(what: string, exchange: Exchange | null) {
    super(what);
    this.exchange = exchange;
  }
}

/** A call that a point makes by itself, as the gateway's client would. */
export interface RawCall {
  method?: "GET" | "PUT" | "PATCH" | "DELETE";
  /** Parts of the path, unescaped. */
  path: string[];
  /** Where the path begins; by default the API's `baseUrl`. */
  base?: string;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Instead of the token that the gateway has. */
  bearer?: string;
}

/** What an answer says: its JSON, if it is some, and its status. */
export interface RawAnswer {
  status: number;
  body: unknown;
  exchange: Exchange | null;
}

/** What the points of a check work with: the gateway's own adapter, calls of their own, and a record of all. */
export class Bench {
  readonly config: PspCheckConfig;
  readonly exchanges: Exchange[] = [];
  /** The adapter under test. */
  readonly provider: PixApiProvider;
  /** The charges that the check made, oldest first; all are cancelled at its end. */
  readonly made: PixOrder[] = [];
  /** The one devolução that the check asks for. */
  readonly refundId = randomTxid();
  /** The TLS version of the first connection; null without TLS. */
  tlsVersion: string | null = null;
  readonly #send: PspFetch;
  readonly #timeoutMs: number;
  #point: PspPoint = "token";

  constructor(config: PspCheckConfig, send: PspFetch, timeoutMs: number) {
    this.config = config;
    this.#send = send;
    this.#timeoutMs = timeoutMs;
    this.provider = this.adapter(config.api);
  }

  /** Another adapter, of another configuration, whose calls are recorded alike. */
  adapter(config: PspCheckConfig["api"]): PixApiProvider {
    return new PixApiProvider({
      account: "psp-check",
      createdAt: 0,
      config,
      fetch: this.fetch,
      clock: systemClock,
      tokens: new TokenCache(),
      allowHttpLoopback: true,
      timeoutMs: this.#timeoutMs,
    });
  }

  /** Names the point that the next calls are of. */
  begin(point: PspPoint): void {
    this.#point = point;
  }

  /** The last call; null before the first one. */
  get last(): Exchange | null {
    return this.exchanges.at(-1) ?? null;
  }

  /** The access token that the gateway got last; null before. */
  get token(): string | null {
    const asked = this.exchanges.findLast(
      ({ point, url, status }) =>
        this.isToken(url) && status === 200 && point !== "token_wrong_secret",
    );
    return tokenIn(asked?.text ?? "");
  }

  /** All access tokens that were answered. */
  get tokens(): string[] {
    return this.exchanges.flatMap(({ text }) => tokenIn(text) ?? []);
  }

  isToken(url: URL): boolean {
    return url.href === new URL(this.config.api.tokenUrl).href;
  }

  /** Throws unless a demand holds. */
  demand(holds: boolean, what: string, exchange = this.last): asserts holds {
    if (!holds) throw new Deviates(what, exchange);
  }

  /** Makes one call and reads its answer, whatever it is. */
  async call({
    method = "GET",
    path,
    base,
    query,
    body,
    headers,
    bearer,
  }: RawCall): Promise<RawAnswer> {
    const url = new URL(base ?? this.config.api.baseUrl);
    url.pathname = [url.pathname.replace(/\/+$/, ""), ...path.map(encodeURIComponent)].join("/");
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    return this.exchange(url, {
      method,
      headers: {
        Accept: "application/json, application/problem+json",
        Authorization: `Bearer ${bearer ?? this.token ?? ""}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...ownHeaders(this.config.api),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends anything to anywhere; throws what the point deviates by where no readable answer came. */
  async exchange(
    url: URL,
    init: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<RawAnswer> {
    const answer = await fetchWhole(this.fetch, url, init, this.#timeoutMs);
    if (typeof answer === "string") throw new Deviates(FAULTS[answer], this.last);
    return { status: answer.status, body: jsonOf(answer.text), exchange: this.last };
  }

  /** The `fetch` of the adapter and of the points, which records every call. */
  readonly fetch = async (request: Request): Promise<Response> => {
    if (this.exchanges.length >= CALLS_MAX) throw new Error("The check makes too many calls.");
    const sent = request.body === null ? "" : await request.clone().text();
    const recorded: Exchange = {
      point: this.#point,
      method: request.method,
      url: new URL(request.url),
      sent,
      status: 0,
      headers: new Headers(),
      text: "",
      sentAt: Date.now(),
      answeredAt: Date.now(),
    };
    this.exchanges.push(recorded);
    const onTls = (version: string) => {
      this.tlsVersion ??= version;
    };
    const response = await this.#send(request, { onTls });
    Object.assign(recorded, {
      status: response.status,
      headers: response.headers,
      answeredAt: Date.now(),
    });
    const { status, headers } = response;
    const body = response.body?.pipeThrough(recorder(recorded)) ?? null;
    return new Response(body, { status, headers });
  };

  /** One connection without the client certificate. */
  async withoutCertificate(request: Request): Promise<Response | null> {
    return this.#send(request, { withoutCertificate: true }).catch(() => null);
  }
}

function tokenIn(text: string): string | null {
  return TokenAnswer.safeParse(jsonOf(text)).data?.access_token ?? null;
}

const FAULTS: Record<HttpError, string> = {
  timeout: "no answer within the time that the gateway waits",
  connection: "no whole answer: the connection failed",
  too_large: "the answer is longer than the gateway reads (1 MiB)",
};

/** Writes what passes through it into the record. */
function recorder(recorded: Exchange): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  return new TransformStream({
    transform(chunk, controller) {
      recorded.text += decoder.decode(chunk, { stream: true });
      controller.enqueue(chunk);
    },
  });
}

/** The JSON of a text; `undefined` for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
