type Fields = Record<string, string | number | boolean | null | undefined>;

/**
 * One JSON line. Callers pass ids, codes and counts; credentials, payers and bodies are never
 * fields, so nothing here needs masking.
 */
export function log(level: "info" | "warn" | "error", event: string, fields: Fields = {}): void {
  const line = JSON.stringify({ level, event, ...fields });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/**
 * What an operator needs of an exception. Stays in the log, never reaches a client. drizzle's own
 * message repeats the statement with its values, a payer's among them: its cause says what went wrong.
 */
export function errorFields(error: unknown): Fields {
  if (error instanceof Error && error.message.startsWith("Failed query")) {
    return error.cause instanceof Error ? errorFields(error.cause) : { error: "Failed query" };
  }
  return error instanceof Error
    ? { error: `${error.name}: ${error.message}`, stack: error.stack }
    : { error: String(error) };
}
