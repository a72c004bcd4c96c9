import { parseRetryAfter } from "../../src/webhooks/delivery/schedule.ts";
import { Redirected, type ApiClient, type MerchantAnswer } from "../lib/merchant.ts";
import { Failure, ServiceAway } from "./failure.ts";

/* oxlint-disable typescript/no-explicit-any -- a client reads whatever JSON comes */

/** Longer than any answer takes, waiting included; a connection that hangs ends here. */
const ANSWER_TIMEOUT_MS = 30_000;

export interface Wish {
  method: "GET" | "POST";
  path: string;
  body?: Record<string, unknown>;
  key?: string;
  /** Ends the call early; it then throws the signal's reason. */
  signal?: AbortSignal;
}

/** The answer's body. Throws `ServiceAway` where it may work later, `Failure` where it will not. */
export async function ask(client: ApiClient, wish: Wish): Promise<any> {
  const answer = await send(client, wish);
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw refusal(client, wish, answer);
}

async function send(client: ApiClient, wish: Wish): Promise<MerchantAnswer> {
  const { method, path, body, key, signal } = wish;
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
    if (error instanceof Redirected) throw new Failure(`${error.message} Is it CENTAVO_URL?`);
    if (error instanceof SyntaxError) {
      throw new ServiceAway(`${client.base} does not answer as Centavo does.`);
    }
    throw new ServiceAway(`${client.base} does not answer; is the service running?`);
  }
}

function refusal(client: ApiClient, { method, path }: Wish, answer: MerchantAnswer): Failure {
  const { status, headers, body } = answer;
  const reason = String(body?.detail ?? body?.message ?? body?.title ?? "no reason given");
  const said = `${method} ${path} was answered ${status}: ${reason}`;
  if (status === 429 || status >= 500) {
    return new ServiceAway(said, parseRetryAfter(headers.get("Retry-After"), Date.now()));
  }
  if (status === 401) {
    return new Failure(
      `${client.base} refuses the credentials: check CENTAVO_CLIENT_ID and CENTAVO_API_KEY.`,
    );
  }
  return new Failure(said);
}
