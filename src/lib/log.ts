import { currentTrace } from "./trace/trace.ts";

type Fields = Record<string, string | number | boolean | null | undefined>;

/**
 * Writes one JSON line, with the trace id of the work that runs. Callers pass only ids, codes and counts, never credentials, payers or
 * bodies.
 */
export function log(level: "info" | "warn" | "error", event: string, fields: Fields = {}): void {
  const traceId = currentTrace();
  const trace = traceId === undefined ? {} : { traceId };
  const line = JSON.stringify({ level, event, ...trace, ...fields });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/**
 * The log fields of an exception; never sent to a client. drizzle's message contains the SQL values, a
 * payer's data among them, so only its cause is logged.
 */
export function errorFields(error: unknown): Fields {
  if (error instanceof Error && error.message.startsWith("Failed query")) {
    return error.cause instanceof Error ? errorFields(error.cause) : { error: "Failed query" };
  }
  return error instanceof Error
    ? { error: `${error.name}: ${error.message}`, stack: error.stack }
    : { error: String(error) };
}
