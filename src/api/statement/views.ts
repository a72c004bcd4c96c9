import { isoTime } from "../../domain/shared/clock.ts";
import type { NamedEntry } from "./service.ts";

/** An entry as the API shows it. Amounts stay in centavos. */
export function entryView(entry: NamedEntry) {
  return { ...entry, createdAt: isoTime(entry.createdAt) };
}
