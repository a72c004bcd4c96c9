const MAX_CAUSES = 5;
/** Errors after which D1 may or may not have run the statement. */
const CONNECTION_LOST =
  /network connection lost|connection reset|internal error|object to be reset|db reset because|timed out|exceeded timeout/i;
const OVERLOADED = /overloaded|too many requests|queued/i;
/** Errors of the statement itself, which a retry cannot cure. Disk errors are not among them. */
const STATEMENT_ERROR =
  /SQLITE_(?!BUSY|FULL|IOERR)|D1_TYPE_ERROR|D1_COLUMN_NOTFOUND|constraint|syntax error|no such (table|column)/i;
const DISK_ERROR = /SQLITE_(BUSY|FULL|IOERR)/;

/** Errors of a row's values. A missing table or column is an error of the schema, not of the row. */
const ROW_REJECTED =
  /constraint failed|SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)|D1_TYPE_ERROR|datatype mismatch|too big/i;
/** An object or a database has a newer schema than the code, during a deploy or after a rollback. */
const STORAGE_NEWER = /STORAGE_NEWER/;
/** An object runs older code than its Worker, for some minutes after a deploy, and has not the call yet. Nothing was done. */
const CALL_UNKNOWN = /CALL_UNKNOWN|does not implement/;
/** A company move's fence refused the write, which belongs in another database. */
const FENCED = /fence_holds|D1_FENCED/;

/** Whether it is unknown if D1 ran the statement: the answer is lost, the write may not be. */
export function isAmbiguous(error: unknown): boolean {
  const text = fullMessage(error);
  return CONNECTION_LOST.test(text) && !OVERLOADED.test(text) && !STATEMENT_ERROR.test(text);
}

/**
 * Whether D1 rejected the rows for their values, so that a retry fails too. A database that is
 * unreachable, overloaded, full, fenced or without a table says nothing about the rows.
 */
export function isRowRejected(error: unknown): boolean {
  const text = fullMessage(error);
  const isInconclusive = [CONNECTION_LOST, OVERLOADED, DISK_ERROR, FENCED].some((each) =>
    each.test(text),
  );
  return !isInconclusive && ROW_REJECTED.test(text);
}

/** Whether storage is overloaded or unreachable, so that a client may retry (503). */
export function isStorageUnavailable(error: unknown): boolean {
  const flags = error as { overloaded?: boolean; retryable?: boolean } | null;
  if (flags?.overloaded === true || flags?.retryable === true) return true;
  const text = fullMessage(error);
  if (STATEMENT_ERROR.test(text)) return false;
  return [CONNECTION_LOST, OVERLOADED, DISK_ERROR, STORAGE_NEWER, CALL_UNKNOWN, /D1_/].some(
    (fault) => fault.test(text),
  );
}

/** Whether an object is of the release before, which has not the call yet. */
export function isCallUnknown(error: unknown): boolean {
  return CALL_UNKNOWN.test(fullMessage(error));
}

/** Whether newer code has migrated what this code would write. */
export function isStorageNewer(error: unknown): boolean {
  return STORAGE_NEWER.test(fullMessage(error));
}

/**
 * Runs an idempotent batch, and runs it once more if the answer is lost. Never retries an overloaded
 * database.
 */
export async function runIdempotent<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    return run();
  }
}

/** The messages of an error and its causes: drizzle wraps D1's error. */
function fullMessage(error: unknown): string {
  const messages: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth++) {
    messages.push(depth === 0 && isQueryWrapper(current) ? "" : current.message);
    current = current.cause;
  }
  return messages.join(" | ");
}

/** drizzle's message repeats the SQL text, whose words must not match the patterns above. */
function isQueryWrapper(error: Error): boolean {
  return error.cause instanceof Error && error.message.startsWith("Failed query");
}
