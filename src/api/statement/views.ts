import { isoTime } from "../../domain/shared/clock.ts";
import type { NamedEntry, NamedRelease } from "./service.ts";

/** An entry as the API shows it. Amounts stay in centavos. */
export function entryView(entry: NamedEntry) {
  return { ...entry, createdAt: isoTime(entry.createdAt) };
}

/** What awaits release as the API shows it. Amounts stay in centavos. */
export function releaseView({ dueAt, ...release }: NamedRelease) {
  return { ...release, releasesAt: isoTime(dueAt) };
}
