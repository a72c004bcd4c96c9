const MAX_CAUSES = 5;
/** What Cloudflare says of a database that may or may not have done what it was asked. */
const CONNECTION_LOST =
  /network connection lost|connection reset|internal error|object to be reset|db reset because|timed out|exceeded timeout/i;
const OVERLOADED = /overloaded|too many requests|queued/i;
/** Our own mistakes: asking again cannot help. A busy or failing disk is none of them. */
const STATEMENT_ERROR =
  /SQLITE_(?!BUSY|FULL|IOERR)|D1_TYPE_ERROR|D1_COLUMN_NOTFOUND|constraint|syntax error|no such (table|column)/i;
const DISK_ERROR = /SQLITE_(BUSY|FULL|IOERR)/;

/** What D1 says of a row that it does not take as it is. A missing table or column is the schema's fault. */
const ROW_REJECTED =
  /constraint failed|SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)|D1_TYPE_ERROR|datatype mismatch|too big/i;
/** An object whose tables are of newer code than it runs: a deploy is under way, or was taken back. */
const STORAGE_NEWER = /STORAGE_NEWER/;
/** What stands for the fence of a company that is being moved; the write belongs elsewhere. */
const FENCED = /fence_holds|D1_FENCED/;

/** Whether D1 may or may not have done what was asked: the answer is lost, not the write. */
export function isAmbiguous(error: unknown): boolean {
  const text = fullMessage(error);
  return CONNECTION_LOST.test(text) && !OVERLOADED.test(text) && !STATEMENT_ERROR.test(text);
}

/**
 * Whether D1 has answered that it does not take these rows, which it will not take the next time either.
 * A database that is away, overloaded, full, fenced or without a table has said nothing about them.
 */
export function isRowRejected(error: unknown): boolean {
  const text = fullMessage(error);
  const isInconclusive = [CONNECTION_LOST, OVERLOADED, DISK_ERROR, FENCED].some((each) =>
    each.test(text),
  );
  return !isInconclusive && ROW_REJECTED.test(text);
}

/** Whether storage is overloaded or out of reach, which a client may try again (503). */
export function isStorageUnavailable(error: unknown): boolean {
  const flags = error as { overloaded?: boolean; retryable?: boolean } | null;
  if (flags?.overloaded === true || flags?.retryable === true) return true;
  const text = fullMessage(error);
  if (STATEMENT_ERROR.test(text)) return false;
  return [CONNECTION_LOST, OVERLOADED, DISK_ERROR, STORAGE_NEWER, /D1_/].some((fault) =>
    fault.test(text),
  );
}

/**
 * Runs a batch that may be run twice without effect. When its answer is lost on the way, the
 * identical batch is run once more; an overloaded database is never hot-retried.
 */
export async function runIdempotent<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    return run();
  }
}

/** The messages of an error and its causes: drizzle wraps what D1 threw. */
function fullMessage(error: unknown): string {
  const messages: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    messages.push(depth === 0 && isQueryWrapper(current) ? "" : current.message);
    current = current.cause;
  }
  return messages.join(" | ");
}

/** drizzle's own message repeats the whole SQL text, whose words say nothing of the fault. */
function isQueryWrapper(error: Error): boolean {
  return error.cause instanceof Error && error.message.startsWith("Failed query");
}
