import { parseRetryAfter } from "../../src/webhooks/delivery/retry-schedule.ts";
import { Redirected, type ApiClient, type MerchantAnswer } from "../lib/merchant.ts";
import { CliError, ServiceUnavailable } from "./failure.ts";

/* oxlint-disable typescript/no-explicit-any -- a client reads whatever JSON comes */

/** Longer than any response takes. Ends a hanging connection. */
const ANSWER_TIMEOUT_MS = 30_000;

export interface ApiRequest {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: Record<string, unknown>;
  key?: string;
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal;
}

/** The response body. Throws `ServiceUnavailable` when a retry may succeed, `CliError` when it will not. */
export async function requestJson(client: ApiClient, request: ApiRequest): Promise<any> {
  const answer = await send(client, request);
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw apiError(client, request, answer);
}

async function send(client: ApiClient, request: ApiRequest): Promise<MerchantAnswer> {
  const { method, path, body, key, signal } = request;
  const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    return await client.call(
      method,
      path,
      body,
      key === undefined ? {} : { "Idempotency-Key": key },
      signal === undefined ? limit : AbortSignal.any([limit, signal]),
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Redirected) throw new CliError(`${error.message} Check CENTAVO_URL.`);
    if (error instanceof SyntaxError) {
      throw new ServiceUnavailable(`${client.base} does not respond like a Centavo service.`);
    }
    throw new ServiceUnavailable(`${client.base} does not respond; is the service running?`);
  }
}

function apiError(
  client: ApiClient,
  { method, path }: ApiRequest,
  answer: MerchantAnswer,
): CliError {
  const { status, headers, body } = answer;
  const reason = String(body?.detail ?? body?.message ?? body?.title ?? "no reason given");
  const message = `${method} ${path} returned ${status}: ${reason}`;
  if (status === 429 || status >= 500) {
    return new ServiceUnavailable(message, parseRetryAfter(headers.get("Retry-After"), Date.now()));
  }
  if (status === 401) {
    return new CliError(
      `${client.base} refuses the credentials: check CENTAVO_CLIENT_ID and CENTAVO_API_KEY.`,
    );
  }
  return new CliError(message);
}
