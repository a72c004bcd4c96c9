import * as z from "zod";
import type { Clock } from "../../domain/shared/clock.ts";
import { toBase64 } from "../../lib/base64.ts";
import { log } from "../../lib/log.ts";
import { traceHeaders } from "../../lib/trace/trace.ts";
import { pspUrlError } from "../pix-api/config.ts";
import { exchange, type HttpAnswer, type HttpError } from "../calls/exchange.ts";
import { toSentence } from "../calls/sentence.ts";

/** A create and the look-up after its refusal fit into the time that a provider has to answer. */
const CALL_TIMEOUT_MS = 6_000;

/**
 * What the API said. Only `ok` and what it says in its own words is an answer; all else, from a time-out to a
 * proxy's page, is `unknown`.
 */
export type ApiAnswer =
  | { kind: "ok"; body: unknown }
  | { kind: "not_found" }
  /** It does not do this. An earlier call, or even this one, may have made something all the same. */
  | { kind: "refused"; message: string; status: number }
  | { kind: "unknown" };

export interface ApiCall {
  method: "GET" | "POST" | "DELETE";
  /** Its parts, unescaped. */
  path: string[];
  query?: Record<string, string>;
  body?: object;
  /** The same key gives the first outcome for 24 hours, whatever that was. */
  idempotencyKey?: string;
}

/** What a client of one account is made of. */
export interface PagarMeClientOptions {
  config: { baseUrl: string };
  /** Gives the secret key (`sk_`), only to send a call. */
  openSecret: () => Promise<string>;
  fetch: (request: Request) => Promise<Response>;
  clock: Clock;
  /** Of tests and local development only. */
  allowHttpLoopback?: boolean;
  /** Hears of each call: its name, how long it took, and why no readable answer came (null for one that came). */
  ended?: (call: { call: string; host: string; fault: string | null; durationMs: number }) => void;
  /** The limit of one call; by default `CALL_TIMEOUT_MS`. */
  timeoutMs?: number;
}

/** An error in the API's own words. Its echo of the request may hold a card or a payer, and is not read. */
const ApiProblem = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.unknown()).nullish().catch(null),
});
const REFUSALS = new Set([400, 412, 422]);

/** Speaks HTTP with Pagar.me's API v5: its key, its JSON and its errors. Logs no body. */
export class PagarMeClient {
  readonly #options: PagarMeClientOptions;

  constructor(options: PagarMeClientOptions) {
    this.#options = options;
  }

  /** One call, never repeated. */
  async call(call: ApiCall): Promise<ApiAnswer> {
    const { config, clock, ended } = this.#options;
    const startedAt = clock.now();
    const answer = await this.#exchange(call);
    const read = parseAnswer(answer);
    const why = typeof answer === "string" ? answer : `HTTP ${answer.status}`;
    const fault = read.kind === "unknown" ? why : null;
    const name = `${call.method} ${call.path[0] ?? ""}`;
    if (fault !== null) log("warn", "pagarme_unparseable", { call: name, fault });
    const { host } = new URL(config.baseUrl);
    ended?.({ call: name, host, fault, durationMs: clock.now() - startedAt });
    return read;
  }

  async #exchange(call: ApiCall): Promise<HttpAnswer | HttpError> {
    const { config, allowHttpLoopback = false, timeoutMs = CALL_TIMEOUT_MS } = this.#options;
    if (pspUrlError(config.baseUrl, allowHttpLoopback) !== null) return "connection";
    const { body, idempotencyKey } = call;
    const credentials = new TextEncoder().encode(`${await this.#options.openSecret()}:`);
    const init = {
      method: call.method,
      headers: {
        Accept: "application/json",
        Authorization: `Basic ${toBase64(credentials)}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        ...traceHeaders(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    return exchange(this.#options.fetch, urlOf(config.baseUrl, call), init, timeoutMs);
  }
}

function urlOf(baseUrl: string, call: ApiCall): URL {
  const url = new URL(baseUrl);
  const path = call.path.map(encodeURIComponent).join("/");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  return url;
}

/** A refused key, a rate limit or an outage says nothing about the object of the call. */
function parseAnswer(answer: HttpAnswer | HttpError): ApiAnswer {
  if (typeof answer === "string") return { kind: "unknown" };
  const { status } = answer;
  const body = parseJson(answer.text);
  if (status >= 200 && status < 300) {
    return body === undefined ? { kind: "unknown" } : { kind: "ok", body };
  }
  const problem = ApiProblem.safeParse(body);
  if (!problem.success) return { kind: "unknown" };
  if (status === 404) return { kind: "not_found" };
  if (!REFUSALS.has(status)) return { kind: "unknown" };
  const { message, errors } = problem.data;
  return { kind: "refused", message: toSentence([message, ...Object.keys(errors ?? {})]), status };
}

/** `undefined` for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
