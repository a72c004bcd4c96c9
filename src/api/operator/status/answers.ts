import { oldestOpenDelivery } from "../../../db/operator/attention.ts";
import type { ProviderHost } from "../../../db/watch/providers.ts";
import {
  deleteSamplesBefore,
  newestSample,
  samplesAt,
  saveSample,
} from "../../../db/watch/samples.ts";
import { stuckMoney } from "../../../db/watch/stuck-money.ts";
import {
  countAttempts,
  countOpenWork,
  largestObjects,
  largestVolumes,
  sumReports,
} from "../../../db/watch/totals.ts";
import type { Env } from "../../../config.ts";
import { NO_DURATIONS, durationsSince, type Durations } from "../../../domain/figures/durations.ts";
import {
  addPayments,
  firstAttemptsSince,
  paymentsSince,
  risingPayments,
  SAMPLE_EVERY_MS,
  SAMPLES_KEPT_MS,
  type CompanyVolume,
  type PaymentSums,
  type ServiceSample,
  type ServiceTotals,
} from "../../../domain/figures/service-sample.ts";
import { saoPauloDay } from "../../../domain/shared/business-day.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** Reports of the days before yesterday count no more payments, unless D1 lacked them for a day. */
const OPEN_DAYS = 2;
/** Objects of companies whose size each sample has. */
const OBJECTS_MAX = 50;
/** Companies whose volume each sample has. */
const VOLUMES_MAX = 20;
/** The cron's minutes do not begin to the second. */
const CRON_JITTER_MS = 10_000;
/** Money that waits less is only on its way. */
const STUCK_AFTER_MS = 10 * MINUTE_MS;

/**
 * What the operators ask: payments, how slow PSPs are, whether webhooks arrive, where money is stuck, and what grew.
 * A figure of a time is a difference between what is counted now and a sample. Amounts in centavos, times in epoch
 * milliseconds.
 */
export async function operatorAnswers(env: Env, now: number) {
  const newest = await newestSample(env, now);
  const times = [HOUR_MS, DAY_MS, WEEK_MS, WEEK_MS + HOUR_MS].map((ago) => now - ago);
  const [[hourAgo, dayAgo, weekAgo, weekAndHourAgo], payments, attempts, oldestOpen, stuck] =
    await Promise.all([
      samplesAt(env, { times, upTo: now }),
      paymentsSoFar(env, newest, now),
      countAttempts(env),
      oldestOpenDelivery(env),
      stuckMoney(env, now - STUCK_AFTER_MS),
    ]);
  return {
    newest,
    hourAgo: hourAgo ?? null,
    weekAgo: weekAgo ?? null,
    payments: {
      total: payments.total,
      closed: payments.closed,
      lastHour: hourAgo == null ? null : paymentsSince(payments.total, hourAgo.payments),
      weekBefore: hourOf(weekAndHourAgo ?? null, weekAgo ?? null, now - WEEK_MS),
    },
    webhooks: {
      attempts,
      since: dayAgo?.at ?? null,
      firstAttempts: dayAgo == null ? null : firstAttemptsSince(attempts, dayAgo.webhooks),
      oldestOpen,
    },
    stuck,
  };
}

export type OperatorAnswers = Awaited<ReturnType<typeof operatorAnswers>>;

/** The payments of an hour that ended at a time; null if no sample was taken near both of its ends. */
function hourOf(
  from: ServiceSample | null,
  to: ServiceSample | null,
  endedAt: number,
): PaymentSums | null {
  if (from === null || to === null) return null;
  if (!isNear(from, endedAt - HOUR_MS) || !isNear(to, endedAt)) return null;
  return paymentsSince(to.payments, from.payments);
}

function isNear(sample: ServiceSample, at: number): boolean {
  return Math.abs(sample.at - at) <= SAMPLE_EVERY_MS;
}

/** The payments counted so far, and those of the days whose reports are closed by now. */
async function paymentsSoFar(env: Env, newest: ServiceSample | null, now: number) {
  const today = saoPauloDay(now);
  const closing = addDays(today, -OPEN_DAYS);
  const known = newest ?? { closedThrough: closing, closedPayments: {}, payments: {} };
  // Another sample may have been taken under a clock that was ahead.
  const closedThrough = known.closedThrough > closing ? known.closedThrough : closing;
  const [open, closed] = await Promise.all([
    sumReports(env, { after: closedThrough, upTo: today }),
    known.closedThrough === closedThrough
      ? {}
      : sumReports(env, { after: known.closedThrough, upTo: closedThrough }),
  ]);
  const closedPayments = addPayments(known.closedPayments, closed);
  return {
    closed: { closedThrough, closedPayments },
    total: risingPayments(addPayments(closedPayments, open), known.payments),
  };
}

/** How long a PSP's calls took since the sample of an hour ago. */
export function durationsOfHour(
  { hourAgo }: Pick<OperatorAnswers, "hourAgo">,
  host: ProviderHost,
): Durations | null {
  if (hourAgo === null) return null;
  return durationsSince(durationsOf(host), hourAgo.psps[host.host] ?? NO_DURATIONS);
}

/** How long a PSP's calls took since the first one. */
export function durationsOf({ durationMs, durations }: ProviderHost): Durations {
  return { totalMs: durationMs, buckets: durations };
}

/** What a sample takes from the figures that the cron has read anyway. */
interface Sampled {
  at: number;
  providers: ProviderHost[];
  databases: { name: string; bytes: number | null }[];
}

/** Takes a sample every five minutes, and forgets those that no figure needs. */
export async function takeSample(
  env: Env,
  { at, providers, databases }: Sampled,
  { newest, payments, webhooks }: OperatorAnswers,
): Promise<void> {
  if (newest !== null && at - newest.at < SAMPLE_EVERY_MS - CRON_JITTER_MS) return;
  const [objects, openWork, volumes] = await Promise.all([
    largestObjects(env, OBJECTS_MAX),
    countOpenWork(env),
    volumesUpTo(env, newest, payments.closed.closedThrough),
  ]);
  const psps: ServiceTotals["psps"] = Object.fromEntries(
    providers.map((host) => [host.host, durationsOf(host)]),
  );
  await saveSample(env, {
    at,
    ...payments.closed,
    payments: payments.total,
    webhooks: webhooks.attempts,
    psps,
    databases: Object.fromEntries(
      databases.flatMap(({ name, bytes }) => (bytes === null ? [] : [[name, bytes]])),
    ),
    objects,
    openWork,
    volumes,
  });
  await deleteSamplesBefore(env, at - SAMPLES_KEPT_MS);
}

/** The largest volumes up to a closed day: read once for a day, then taken from sample to sample. */
async function volumesUpTo(
  env: Env,
  newest: ServiceSample | null,
  day: string,
): Promise<CompanyVolume[]> {
  const known = newest?.closedThrough === day ? newest.volumes : null;
  return known ?? largestVolumes(env, day, VOLUMES_MAX);
}
