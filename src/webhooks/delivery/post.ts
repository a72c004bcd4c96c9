import { parseRetryAfter } from "./retry-schedule.ts";

/** The time limit for a receiver's whole answer. */
const ANSWER_TIMEOUT_MS = 15_000;
const ANSWER_READ_MAX_BYTES = 64 * 1024;
const ANSWER_STORED_BYTES = 1024;
const USER_AGENT = "Centavo-Webhooks/1.0";

export interface PostResult {
  /** Null if no answer came. */
  httpStatus: number | null;
  fault: "timeout" | "connection" | null;
  answer: string;
  retryAfterMs: number | null;
  durationMs: number;
}

/** Posts a signed event. Follows no redirect, reads at most 64 KiB of the answer. Never rejects. */
export async function postWebhook(
  request: { url: string; headers: Record<string, string>; body: string },
  deps: { fetch: typeof fetch; now: () => number },
): Promise<PostResult> {
  const startedAt = deps.now();
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    const response = await deps.fetch(request.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        ...request.headers,
      },
      body: request.body,
      redirect: "manual",
      signal,
    });
    const answer = await firstBytes(response, signal);
    return {
      httpStatus: response.status,
      fault: null,
      answer,
      retryAfterMs: parseRetryAfter(response.headers.get("Retry-After"), deps.now()),
      durationMs: deps.now() - startedAt,
    };
  } catch {
    return {
      httpStatus: null,
      fault: signal.aborted ? "timeout" : "connection",
      answer: "",
      retryAfterMs: null,
      durationMs: deps.now() - startedAt,
    };
  }
}

/** The first kibibyte of the answer as text. Stops reading at the limit. */
async function firstBytes(response: Response, signal: AbortSignal): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const aborted = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", aborted);
  const stored = new Uint8Array(ANSWER_STORED_BYTES);
  let storedLength = 0;
  let readLength = 0;
  try {
    while (readLength < ANSWER_READ_MAX_BYTES) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      const part = value.subarray(0, ANSWER_STORED_BYTES - storedLength);
      stored.set(part, storedLength);
      storedLength += part.length;
      readLength += value.length;
    }
  } finally {
    signal.removeEventListener("abort", aborted);
    await reader.cancel().catch(() => undefined);
  }
  return new TextDecoder().decode(stored.subarray(0, storedLength)).replaceAll("\0", "");
}
