import type { Problem } from "./types.ts";

/** Codes and reasons that say that the same request, with the same key, may succeed later. */
const RETRYABLE_CODES = new Set(["IDEMPOTENCY_IN_PROGRESS"]);
const RETRYABLE_REASONS = new Set(["clock_runs"]);
const RETRYABLE_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/** Any failure of the client. `retryable`: the same call may succeed later. */
export class CentavoError extends Error {
  readonly retryable: boolean;

  constructor(
    message: string,
    { retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.retryable = retryable;
  }
}

/** The API refused a request, or failed. */
export class ApiError extends CentavoError {
  readonly status: number;
  /** Stable, to branch on; null where the answer is no problem of the API. */
  readonly code: Problem["code"] | null;
  /** The whole problem: the fields' messages in `errors`, limits, `traceId`. */
  readonly problem: Partial<Problem>;
  /** What the service asks to wait; null where it says nothing. Milliseconds. */
  readonly retryAfterMs: number | null;
  /** The key of the call: a later call with it does nothing twice. Null for a call without one. */
  readonly idempotencyKey: string | null;

  constructor(response: Response, problem: Partial<Problem>, idempotencyKey: string | null) {
    const { code = null, reason = null } = problem;
    const { status } = response;
    const retryable =
      RETRYABLE_STATUSES.has(status) ||
      (code !== null && RETRYABLE_CODES.has(code)) ||
      (reason !== null && RETRYABLE_REASONS.has(reason));
    super(textOf(problem, status), { retryable });
    this.status = status;
    this.code = code;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs(response.headers.get("Retry-After"));
    this.idempotencyKey = idempotencyKey;
  }
}

/** No answer came: the request may have been done. Call again with `idempotencyKey` to learn what became of it. */
export class ConnectionError extends CentavoError {
  readonly idempotencyKey: string | null;

  constructor(message: string, idempotencyKey: string | null, cause?: unknown) {
    super(message, { retryable: true, cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {}

/** The API did what was asked, but did not know these fields. Thrown with keys of a test environment only. */
export class IgnoredFieldsError extends CentavoError {
  readonly fields: string[];
  /** What the API answered: it was done. */
  readonly answer: unknown;

  constructor(fields: string[], answer: unknown) {
    super(`The API does not know ${fields.join(", ")}: it was done without.`);
    this.fields = fields;
    this.answer = answer;
  }
}

/** A webhook that is not the gateway's, or not as it was sent. */
export class WebhookError extends CentavoError {}

/** An event is missing in the list for longer than it takes to be written. */
export class MissingEventError extends CentavoError {}

function textOf({ code, detail, title, errors = {} }: Partial<Problem>, status: number): string {
  const fields = Object.entries(errors).map(
    ([field, messages]) => `${field} ${messages.join(", ")}`,
  );
  const said = detail ?? title ?? `The API answered ${status}.`;
  const text = code === undefined ? said : `${code}: ${said}`;
  return fields.length === 0 ? text : `${text} ${fields.join("; ")}`;
}

/** `Retry-After`: seconds, or a date (RFC 9110). Milliseconds; null for none. */
export function retryAfterMs(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
