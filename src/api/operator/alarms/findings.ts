import {
  daysUntilStopped,
  isFilling,
  percentFull,
} from "../../../domain/storage/storage-limits.ts";
import type { ServiceFigures } from "../status/figures.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Rewritten copies of a company that an alarm names. */
const NAMED_MAX = 3;
/** A month ahead there is time to bind another database and to move companies. */
const FULL_WITHIN_DAYS = 30;

/** One thing that is wrong now. */
export interface Finding {
  /** What it is about, the same while it lasts, such as `company:17`. */
  about: string;
  /** A sentence for people, which may change while it lasts. */
  text: string;
}

/** A database that is filling, or will stop new charges within a month if it grows on as in the last week. */
export function filling(
  { name, bytes }: ServiceFigures["databases"][number],
  { at, weekAgo }: ServiceFigures,
): Finding[] {
  if (bytes === null) return [];
  const before = weekAgo?.databases[name];
  const days =
    weekAgo === null || before === undefined
      ? null
      : daysUntilStopped(bytes, { bytes: before, days: (at - weekAgo.at) / DAY_MS });
  const stopsSoon = days !== null && days <= FULL_WITHIN_DAYS;
  if (!isFilling(bytes) && !stopsSoon) return [];
  const growth = stopsSoon ? ` At last week's growth it takes no new charges in ${days} days.` : "";
  const text = `${name} is ${percentFull(bytes)} % full.${growth}`;
  return [{ about: `database:${name}`, text }];
}

/** The first few of a list, and how many others there are. */
export function firstOf(texts: string[]): string {
  const others = texts.length - NAMED_MAX;
  const shown = texts.slice(0, NAMED_MAX);
  return [...shown, ...(others > 0 ? [`and ${others} more`] : [])].join("; ");
}

/** A database that answers no query. */
export function databaseSilent(name: string): Finding {
  return { about: `database:${name}`, text: `${name} does not answer.` };
}

/** E-mails that were given up in the last day: of which kinds, and when the newest was. */
export function emailsGivenUp({ failed, kinds, newestAt }: ServiceFigures["emails"]): Finding[] {
  if (failed === 0 || newestAt === null) return [];
  const which = kinds.filter((each) => each.failed > 0);
  const counts = which.map((each) => `${each.kind} ${each.failed}`).join(", ");
  const newest = new Date(newestAt).toISOString();
  return [{ about: "emails", text: `E-mails were given up: ${counts}, the newest at ${newest}.` }];
}
