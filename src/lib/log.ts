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

/** What an operator needs of an exception. Stays in the log, never reaches a client. */
export function errorFields(error: unknown): Fields {
  return error instanceof Error
    ? { error: `${error.name}: ${error.message}`, stack: error.stack }
    : { error: String(error) };
}
