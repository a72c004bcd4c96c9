import {
  daysUntilStopped,
  isFilling,
  percentFull,
} from "../../../domain/storage/storage-limits.ts";
import { quotaShareOf } from "../../../domain/reconciliation/provider-calls.ts";
import type { ServiceFigures } from "../status/figures.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Rewritten copies of a company that an alarm names. */
const NAMED_MAX = 3;
/** A month ahead there is time to bind another database and to move companies. */
const FULL_WITHIN_DAYS = 30;

/** Of a day's quota of calls, in hundredths, from which on it is told. */
const QUOTA_SHARE = 80;

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

/** The calls of an account's day of which 80 % of the quota are used, or all: that is told anew. */
export function quotas(account: ServiceFigures["nearQuota"][number]): Finding[] {
  const { companyId, account: name, host, dayCalls, dayQuotas } = account;
  return Object.entries(dayQuotas ?? {}).flatMap(([call, quota]) => {
    const calls = dayCalls?.[call] ?? 0;
    const share = quotaShareOf({ [call]: calls }, { [call]: quota });
    if (share < QUOTA_SHARE) return [];
    const whose = `company:${companyId} ${name} ${call}`;
    const of = quota.limit === undefined ? "" : ` of ${quota.limit}`;
    const used = `${calls}${of} calls today`;
    const text = `${host}, ${call}, company ${companyId} (account ${name}): ${used}`;
    return share < 100
      ? [{ about: whose, text: `${text}.` }]
      : [{ about: `${whose} used up`, text: `${text}, the quota is used up.` }];
  });
}
