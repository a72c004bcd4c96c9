import type { ZodType } from "zod";
import type { Clock } from "../../domain/shared/clock.ts";
import { toBase64 } from "../../lib/base64.ts";
import { log } from "../../lib/log.ts";
import { traceHeaders } from "../../lib/trace/trace.ts";
import { ownHeaders, pspUrlError, scopesOf, type PixApiConfig } from "./config.ts";
import { isOrderRefused, type HouseCall } from "../calls/ended-call.ts";
import { exchange, type HttpAnswer, type HttpError } from "../calls/exchange.ts";
import type { Token, TokenCache } from "../calls/token-cache.ts";
import { PixApiProblem, TokenAnswer, type ApiError } from "./wire.ts";

/** Two calls, and a token between them, fit into the time that a provider has to answer. */
const CALL_TIMEOUT_MS = 6_000;
/** A token is renewed after this long, even where its PSP allows longer. */
const TOKEN_LIFE_MAX_MS = 24 * 60 * 60_000;

/**
 * What the API said. Only `ok` and what it names in its own words is an answer; all else, from a
 * time-out to a proxy's page, is `unknown`.
 */
export type ApiAnswer =
  | { kind: "ok"; body: unknown }
  /** Named by the API itself: it has no such thing. */
  | { kind: "not_found" }
  /** Named by the API itself: it does not do this. */
  | { kind: "refused"; name: string; message: string }
  /** Named by the API itself: it has this id already. */
  | { kind: "conflict" }
  /** `fault` where not even an HTTP answer came, whole. */
  | { kind: "unknown"; error?: HttpError };

export interface ApiCall {
  method: "GET" | "POST" | "PUT" | "PATCH";
  /** Where the path begins: the config's `baseUrl`, or the one of its payouts. */
  base: string;
  /** Its parts, unescaped. */
  path: string[];
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The options of a client of one company's PSP. */
export interface PixApiClientOptions {
  config: PixApiConfig;
  /** Opens the sealed `clientSecret`, only to request a token. */
  openSecret?: (sealed: string) => Promise<string>;
  /** The `fetch` of the config's certificate binding, else the global one. */
  fetch: (request: Request) => Promise<Response>;
  clock: Clock;
  /** One for the whole isolate. */
  tokens: TokenCache;
  /** Of tests and local development only. */
  allowHttpLoopback?: boolean;
  /** Hears of each call. */
  ended?: (call: HouseCall) => void;
  /** The limit of one call to the PSP; by default `CALL_TIMEOUT_MS`. */
  timeoutMs?: number;
}

/** Speaks HTTP with a PSP: its token, its JSON and its words for errors (BACEN Pix API 2.9.0). */
export class PixApiClient {
  readonly #options: PixApiClientOptions;
  readonly #timeoutMs: number;
  /** Identifies the token's account and the URL it may be sent to. */
  readonly #tokenKey: string;

  constructor(options: PixApiClientOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
    this.#tokenKey = JSON.stringify(options.config);
  }

  /**
   * One call, and once more with a new token where the old one was refused: a call without access has
   * done nothing.
   */
  async call(call: ApiCall): Promise<ApiAnswer> {
    const first = await this.#token();
    if (first === null) return { kind: "unknown" };
    const startedAt = this.#options.clock.now();
    let answer = await this.#send(call, first);
    if (typeof answer !== "string" && answer.status === 401) {
      this.#options.tokens.invalidate(this.#tokenKey, first);
      const second = await this.#token();
      if (second === null) return { kind: "unknown" };
      answer = await this.#send(call, second);
    }
    const read = parseAnswer(answer);
    const fault = read.kind === "unknown" ? faultOf(answer) : null;
    if (fault !== null) logUnparseable(call.method, answer);
    const name = `${call.method} ${call.path[0] ?? ""}`;
    const isRefused = isOrderRefused(call.method, read.kind, fault);
    this.#ended(new URL(call.base), startedAt, { call: name, fault, isRefused });
    return read;
  }

  #send(call: ApiCall, token: string): Promise<HttpAnswer | HttpError> {
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    return this.#exchange(urlOf(call), {
      method: call.method,
      headers: {
        Accept: "application/json, application/problem+json",
        Authorization: `Bearer ${token}`,
        ...(body === null ? {} : { "Content-Type": "application/json" }),
        ...ownHeaders(this.#options.config),
        ...call.headers,
      },
      ...(body === null ? {} : { body }),
    });
  }

  #ended(url: URL, startedAt: number, call: Omit<HouseCall, "host" | "durationMs">): void {
    const { clock, ended } = this.#options;
    ended?.({ ...call, host: url.host, durationMs: clock.now() - startedAt });
  }

  #token(): Promise<string | null> {
    const { tokens, clock } = this.#options;
    return tokens.get(this.#tokenKey, clock.now(), () => this.#requestToken());
  }

  /**
   * What a token request of its own says of certificate and credentials. `refused`: an answer of the 4xx kind, but for a
   * time-out and a limit. `no_answer`: all else without a token.
   */
  async tryToken(): Promise<"works" | "refused" | "no_answer"> {
    const answer = await this.#askForToken();
    if (typeof answer === "string") return "no_answer";
    const { status } = answer;
    if (tokenIn(answer) !== null) return "works";
    const isRefusal = status >= 400 && status < 500 && !PASSING.has(status);
    return isRefusal ? "refused" : "no_answer";
  }

  async #askForToken(): Promise<HttpAnswer | HttpError> {
    const { config, openSecret } = this.#options;
    const secret = (await openSecret?.(config.clientSecret)) ?? config.clientSecret;
    return this.#exchange(new URL(config.tokenUrl), tokenRequest(config, secret));
  }

  /** RFC 6749 section 4.4; null where no token came. */
  async #requestToken(): Promise<Token | null> {
    const { config, clock } = this.#options;
    const askedAt = clock.now();
    const answer = await this.#askForToken();
    const token = tokenIn(answer);
    if (token === null) {
      logUnparseable("token", answer);
      // Under the API's host: who reads the status looks for the PSP.
      const fault = faultOf(answer);
      this.#ended(new URL(config.baseUrl), askedAt, { call: "token", fault, isRefused: false });
      return null;
    }
    const lifeMs = Math.min(token.expires_in * 1_000, TOKEN_LIFE_MAX_MS);
    return { value: token.access_token, expiresAt: askedAt + lifeMs };
  }

  async #exchange(
    url: URL,
    init: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<HttpAnswer | HttpError> {
    const { allowHttpLoopback = false, fetch: fetcher } = this.#options;
    if (pspUrlError(url.href, allowHttpLoopback) !== null) return "connection";
    const headers = { ...init.headers, ...traceHeaders() };
    return exchange(fetcher, url, { ...init, headers }, this.#timeoutMs);
  }
}

/** The request for a token (RFC 6749 section 4.4), as the PSP wants the client named. */
export function tokenRequest(config: PixApiConfig, secret: string) {
  const { tokenClient = "basic", clientId } = config;
  const scope = scopesOf(config);
  const named = tokenClient === "basic" ? {} : { client_id: clientId };
  const fields = {
    grant_type: "client_credentials",
    ...(scope === "" ? {} : { scope }),
    ...named,
    ...(tokenClient === "body" ? { client_secret: secret } : {}),
  };
  const credentials = new TextEncoder().encode(`${clientId}:${secret}`);
  const form = config.tokenBody === "form";
  return {
    method: "POST",
    headers: {
      Accept: "application/json",
      ...(tokenClient === "basic" ? { Authorization: `Basic ${toBase64(credentials)}` } : {}),
      "Content-Type": form ? "application/x-www-form-urlencoded" : "application/json",
    },
    body: form ? new URLSearchParams(fields).toString() : JSON.stringify(fields),
  };
}

function urlOf(call: ApiCall): URL {
  const url = new URL(call.base);
  const path = call.path.map(encodeURIComponent).join("/");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  return url;
}

/** Parses an answer; one of another shape is logged. */
export function parseAs<Shape extends ZodType>(shape: Shape, answer: ApiAnswer) {
  const read = shape.safeParse(answer.kind === "ok" ? answer.body : null);
  if (answer.kind === "ok" && !read.success) {
    const [first] = read.error.issues;
    log("warn", "pix_api_unparseable", { field: first?.path.join(".") });
  }
  return read;
}

/** A time-out and a limit pass by themselves. */
const PASSING = new Set([408, 429]);
const NOT_FOUND = 404;
const CONFLICT = 409;
const REFUSALS = new Set([400, 422]);

function parseAnswer(answer: HttpAnswer | HttpError): ApiAnswer {
  if (typeof answer === "string") return { kind: "unknown", error: answer };
  const { status } = answer;
  const body = parseJson(answer.text);
  if (status >= 200 && status < 300) {
    return body === undefined ? { kind: "unknown" } : { kind: "ok", body };
  }
  const problem = PixApiProblem.safeParse(body);
  return problem.success ? parseProblem(status, problem.data) : { kind: "unknown" };
}

/** The token that an answer brings; null without one. */
function tokenIn(answer: HttpAnswer | HttpError) {
  const read = parseAnswer(answer);
  const token = TokenAnswer.safeParse(read.kind === "ok" ? read.body : null);
  return token.success ? token.data : null;
}

/** A refused access, a rate limit or an outage says nothing about the object of the call. */
function parseProblem(status: number, { name, message }: ApiError): ApiAnswer {
  if (status === NOT_FOUND && isNotFound(name)) return { kind: "not_found" };
  if (status === CONFLICT || isDuplicate(name)) return { kind: "conflict" };
  return REFUSALS.has(status) ? { kind: "refused", name, message } : { kind: "unknown" };
}

/** `CobNaoEncontrado`, `PixDevolucaoNaoEncontrada` (BACEN), `cobranca_nao_encontrada` (Efí). */
function isNotFound(name: string): boolean {
  return /nao_?encontrad[oa]$/i.test(name);
}

/** `txid_duplicado` (Efí): whatever the status, an earlier call got there. */
function isDuplicate(name: string): boolean {
  return /duplicad[oa]$/i.test(name);
}

/** Null for an empty body, `undefined` for one that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return text.trim() === "" ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why an answer is of no use. */
function faultOf(answer: HttpAnswer | HttpError): string {
  return typeof answer === "string" ? answer : `HTTP ${answer.status}`;
}

function logUnparseable(call: string, answer: HttpAnswer | HttpError): void {
  const seen = typeof answer === "string" ? { fault: answer } : { status: answer.status };
  log("warn", "pix_api_unparseable", { call, ...seen });
}
