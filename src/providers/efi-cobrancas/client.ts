import type { ZodType, output } from "zod";
import type { Clock } from "../../domain/shared/clock.ts";
import type { EfiCobrancasSettings } from "../../domain/psp/efi-cobrancas-settings.ts";
import type { DayQuota } from "../../domain/reconciliation/provider-calls.ts";
import { startOfNextDay } from "../../domain/shared/business-day.ts";
import { toBase64 } from "../../lib/base64.ts";
import { log } from "../../lib/log.ts";
import { traceHeaders } from "../../lib/trace/trace.ts";
import { pspUrlError } from "../pix-api/config.ts";
import { isOrderRefused, type HouseCall } from "../calls/ended-call.ts";
import { exchange, type HttpAnswer, type HttpError } from "../calls/exchange.ts";
import type { Token, TokenCache } from "../calls/token-cache.ts";
import { meaningOf } from "./problems.ts";
import { EfiProblem, Success, TokenAnswer } from "./wire.ts";

/** Two calls, and a token between them, fit into the time that a provider has to answer. */
const CALL_TIMEOUT_MS = 6_000;
/** Efí's tokens last this long. */
const TOKEN_LIFE_MAX_MS = 600_000;

/** What the API said. Only `ok`, and a problem in its own words, is an answer; all else is `unknown`. */
export type ApiAnswer =
  | { kind: "ok"; body: unknown }
  | ({ kind: "problem" } & EfiProblem)
  | { kind: "unknown" };

export interface ApiCall {
  method: "GET" | "POST" | "PUT";
  /** Its parts after `/v1`, unescaped. */
  path: (string | number)[];
  query?: Record<string, string>;
  body?: unknown;
}

/** The options of a client of one company's account. */
export interface EfiClientOptions {
  config: EfiCobrancasSettings;
  /** Opens the sealed client secret, only to request a token. */
  openSecret: () => Promise<string>;
  fetch: (request: Request) => Promise<Response>;
  clock: Clock;
  /** One for the whole isolate. */
  tokens: TokenCache;
  /** Hears of each call. */
  ended?: ((call: HouseCall) => void) | undefined;
  /** Of tests and local development only. */
  allowHttpLoopback?: boolean | undefined;
  /** The limit of one call; by default `CALL_TIMEOUT_MS`. */
  timeoutMs?: number | undefined;
}

/** Calls that Efí takes in a day of an endpoint from an application, and of the one that reads a notice. */
const DAY_QUOTA = 15_000;
const NOTICE_QUOTA = 30_000;
const NOTICE = "GET notification/:id";
/** Its manual names no quota of these. */
const WITHOUT_QUOTA = new Set([
  "GET charges",
  "POST charge/card/:id/refund",
  "POST charge/:id/retry",
]);

/** Endpoints of accounts whose daily quota is used up, and until when (epoch ms), in this isolate. */
const exhausted = new Map<string, number>();

/** Speaks HTTP with Efí's API Cobranças: its token, its JSON and its words for errors. */
export class EfiClient {
  readonly #options: EfiClientOptions;
  readonly #timeoutMs: number;
  /** Identifies the token's account and the URL it may be sent to. */
  readonly #account: string;

  constructor(options: EfiClientOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
    const { baseUrl, clientId } = options.config;
    this.#account = JSON.stringify(["efi", baseUrl, clientId]);
  }

  /**
   * One call, and once more with a new token where the old one was refused: such a call was not carried out. An
   * endpoint whose daily quota is used up is not called again that day.
   */
  async call(call: ApiCall): Promise<ApiAnswer> {
    const { clock } = this.#options;
    const name = endpointOf(call);
    const endpoint = JSON.stringify([this.#account, name]);
    if ((exhausted.get(endpoint) ?? 0) > clock.now()) return { kind: "unknown" };
    const startedAt = clock.now();
    const answer = await this.#withToken((token) => this.#send(call, token));
    if (answer === null) return { kind: "unknown" };
    const read = parseAnswer(answer);
    const meaning = read.kind === "problem" ? meaningOf(read.code) : null;
    if (meaning === "quota") {
      exhausted.set(endpoint, startOfNextDay(clock.now()));
      log("error", "efi_quota_used_up", { call: name });
    }
    const fault = faultOf(answer, read);
    if (fault !== null) log("warn", "efi_unusable_answer", { call: name, fault });
    const isRefused = isOrderRefused(call.method, read.kind, fault);
    const quota = quotaOf(name, meaning === "quota");
    this.#ended({ call: name, fault, isRefused, quota }, startedAt);
    return read;
  }

  async #withToken(
    send: (token: string) => Promise<HttpAnswer | HttpError>,
  ): Promise<HttpAnswer | HttpError | null> {
    const first = await this.#token();
    if (first === null) return null;
    const answer = await send(first);
    if (!isTokenRefused(answer)) return answer;
    this.#options.tokens.invalidate(this.#account, first);
    const second = await this.#token();
    return second === null ? null : send(second);
  }

  #send(call: ApiCall, token: string): Promise<HttpAnswer | HttpError> {
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    return this.#exchange(urlOf(this.#options.config.baseUrl, call), {
      method: call.method,
      headers: {
        Accept: "application/json",
        Authorization: `Bearer ${token}`,
        ...(body === null ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === null ? {} : { body }),
    });
  }

  #token(): Promise<string | null> {
    const { tokens, clock } = this.#options;
    return tokens.get(this.#account, clock.now(), () => this.#requestToken());
  }

  /** RFC 6749 section 4.4 at `/v1/authorize`; null where no token came. */
  async #requestToken(): Promise<Token | null> {
    const { config, clock, openSecret } = this.#options;
    const credentials = new TextEncoder().encode(`${config.clientId}:${await openSecret()}`);
    const askedAt = clock.now();
    const call: ApiCall = { method: "POST", path: ["authorize"] };
    const answer = await this.#exchange(urlOf(config.baseUrl, call), {
      method: "POST",
      headers: {
        Accept: "application/json",
        Authorization: `Basic ${toBase64(credentials)}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ grant_type: "client_credentials" }),
    });
    const body = typeof answer === "string" ? undefined : parseJson(answer.text);
    const isOk = typeof answer !== "string" && answer.status === 200;
    const token = TokenAnswer.safeParse(isOk ? body : null);
    if (!token.success) {
      const fault = typeof answer === "string" ? answer : `HTTP ${answer.status}`;
      log("warn", "efi_unusable_answer", { call: "token", fault });
      this.#ended({ call: "token", fault, isRefused: false }, askedAt);
      return null;
    }
    const lifeMs = Math.min(token.data.expires_in * 1_000, TOKEN_LIFE_MAX_MS);
    return { value: token.data.access_token, expiresAt: askedAt + lifeMs };
  }

  #ended(call: Omit<HouseCall, "host" | "durationMs">, startedAt: number): void {
    const { clock, ended, config } = this.#options;
    const { host } = new URL(config.baseUrl);
    ended?.({ ...call, host, durationMs: clock.now() - startedAt });
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

/** As Efí counts calls: `PUT charge/:id/cancel`. */
function endpointOf({ method, path }: ApiCall): string {
  const [first, ...rest] = path;
  const named = rest.map((part) => (isWord(part) ? part : ":id"));
  return `${method} ${[first, ...named].join("/")}`;
}

function quotaOf(endpoint: string, isUsedUp: boolean): DayQuota {
  const limit = endpoint === NOTICE ? NOTICE_QUOTA : DAY_QUOTA;
  return {
    ...(WITHOUT_QUOTA.has(endpoint) ? {} : { limit }),
    ...(isUsedUp ? { isUsedUp } : {}),
  };
}

function isWord(part: string | number): boolean {
  return typeof part === "string" && /^[a-z]+$/.test(part);
}

function urlOf(baseUrl: string, { path, query = {} }: ApiCall): URL {
  const url = new URL(baseUrl);
  const end = ["v1", ...path].map((part) => encodeURIComponent(part)).join("/");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${end}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function isTokenRefused(answer: HttpAnswer | HttpError): boolean {
  if (typeof answer === "string") return false;
  if (answer.status === 401) return true;
  const read = parseAnswer(answer);
  return read.kind === "problem" && meaningOf(read.code) === "token_refused";
}

/** An error may come with HTTP 200, so the body decides; a page of a proxy says nothing with any status. */
function parseAnswer(answer: HttpAnswer | HttpError): ApiAnswer {
  if (typeof answer === "string") return { kind: "unknown" };
  const body = parseJson(answer.text);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess && Success.safeParse(body).success) return { kind: "ok", body };
  const problem = EfiProblem.safeParse(body);
  return problem.success ? { kind: "problem", ...problem.data } : { kind: "unknown" };
}

/** Why an answer is of no use; null where it says what was asked, be it a refusal. */
function faultOf(answer: HttpAnswer | HttpError, read: ApiAnswer): string | null {
  if (read.kind === "ok") return null;
  if (typeof answer === "string") return answer;
  if (read.kind === "unknown") return `HTTP ${answer.status}`;
  const meaning = meaningOf(read.code);
  const isAnswer = ["refused", "not_found", "wrong_state", "token_used"].includes(meaning);
  return isAnswer ? null : `Efí ${read.code}`;
}

/** `undefined` for a body that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses an answer; null where it is none, or of another shape, which is logged. */
export function parseAs<Shape extends ZodType>(
  shape: Shape,
  answer: ApiAnswer,
): output<Shape> | null {
  if (answer.kind !== "ok") return null;
  const read = shape.safeParse(answer.body);
  if (!read.success) {
    log("warn", "efi_unusable_answer", { field: read.error.issues[0]?.path.join(".") });
  }
  return read.data ?? null;
}
