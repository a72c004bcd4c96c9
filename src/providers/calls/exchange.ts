/** A whole answer. */
export interface HttpAnswer {
  status: number;
  text: string;
}

/** Why nothing came back that could be read. */
export type HttpError = "timeout" | "connection" | "too_large";

/**
 * An isolate has 128 MB for all that goes on in it, and a text takes twice its bytes and its JSON more.
 * A payment of BACEN's longest texts with two returns takes 3 kB, so a page of 100 fits three times; a
 * charge of ours 4 kB with its payment. One that others made with 50 pieces of additional information
 * takes 27 kB, and a page of those does not fit: it is read in tens (`pages.ts`).
 */
const ANSWER_MAX_BYTES = 1024 * 1024;

/**
 * One request and its whole answer, within `timeoutMs`. Follows no redirect: what is sent carries
 * credentials. Never throws.
 */
export async function exchange(
  fetcher: (request: Request) => Promise<Response>,
  url: URL,
  init: { method: string; headers: Record<string, string>; body?: string },
  timeoutMs: number,
): Promise<HttpAnswer | HttpError> {
  const limit = new AbortController();
  const { signal } = limit;
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  try {
    const request = new Request(url, { ...init, redirect: "manual", signal });
    const response = await rejectOnAbort(fetcher(request), signal);
    const text = await readText(response, signal);
    if (text === null) return "too_large";
    return { status: response.status, text };
  } catch {
    return signal.aborted ? "timeout" : "connection";
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects at the signal, in case a stream ignores it. */
async function rejectOnAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason));
  return Promise.race([work, aborted.promise]);
}

/** The body as text; null where it is longer than the limit. Stops at the signal. */
async function readText(response: Response, signal: AbortSignal): Promise<string | null> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop);
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  try {
    while (true) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return text + decoder.decode();
      length += value.length;
      if (length > ANSWER_MAX_BYTES) return null;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
