/** No answer came in time. */
export class TimedOut extends Error {
  override name = "TimedOut";
}

/** Rejects with `TimedOut` after `limitMs`. The work itself continues, so it must be safe to repeat. */
export async function withTimeout<Answer>(work: Promise<Answer>, limitMs: number): Promise<Answer> {
  const done = new AbortController();
  const limit = scheduler.wait(limitMs, { signal: done.signal }).then(
    () => {
      throw new TimedOut(`no answer within ${limitMs} ms`);
    },
    () => undefined as never,
  );
  try {
    return await Promise.race([work, limit]);
  } finally {
    done.abort();
  }
}
