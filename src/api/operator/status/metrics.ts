import { listAlarms } from "../../../db/watch/alarms.ts";
import { expiryOf } from "../../../db/watch/providers.ts";
import type { Env } from "../../../config.ts";
import type { Clock } from "../../../domain/shared/clock.ts";
import { versionOf } from "../../../version.ts";
import { ALARMS } from "../alarms/thresholds.ts";
import { ANSWER_METRICS, answerSamples } from "./answer-metrics.ts";
import { inSeconds, metricText, single, type Described, type Sample } from "./metric-text.ts";
import { operatorAnswers, type OperatorAnswers } from "./answers.ts";
import { serviceFigures, type ServiceFigures } from "./figures.ts";

/** The help text and type of each metric. */
const METRICS: Record<string, Described> = {
  centavo_build_info: ["gauge", "1, with version and commit"],
  centavo_alarm_firing: ["gauge", "1 while the alarm fires"],
  centavo_contradictions_open: ["gauge", "Open contradictions"],
  centavo_contradictions_held_centavos: ["gauge", "Centavos that they hold"],
  centavo_companies_violated: [
    "gauge",
    "Companies whose last check found a violation, at most 100",
  ],
  centavo_compared_rows_total: ["counter", "Rows of D1 that were compared with their objects"],
  centavo_mended_copies_total: ["counter", "Copies in D1 that differed and were rewritten"],
  centavo_archive_missing: ["gauge", "1 while no archive is bound"],
  centavo_archive_behind_companies: ["gauge", "Companies of which the archive lacks changes"],
  centavo_archived_rows_total: ["counter", "Rows that have left D1 for the archive"],
  centavo_archive_late_seconds: [
    "gauge",
    "Age of the oldest row that should have left D1 and has not, 0 if none",
  ],
  centavo_frozen_companies: ["gauge", "Companies of which withdraws or charges are frozen"],
  centavo_paused_companies: ["gauge", "Companies that are paused while they are restored"],
  centavo_service_paused: ["gauge", "1 while the service is paused"],
  centavo_passes_late: ["gauge", "Late passes over PSPs' lists, at most 100"],
  centavo_oldest_seconds: ["gauge", "Age of the oldest due work, 0 if none"],
  centavo_payouts_undecided: ["gauge", "Payouts undecided for ten minutes, at most 100"],
  centavo_dead_letters_open: ["gauge", "Dead letters that wait to be sent again, at most 1,000"],
  centavo_emails_failed: [
    "gauge",
    "E-mails that were given up in the last day, at most 1,000 in a database",
  ],
  centavo_receivers_failing: ["gauge", "Receivers of webhooks that fail, at most 100"],
  centavo_psp_calls_total: ["counter", "Calls to a PSP"],
  centavo_psp_faults_total: ["counter", "Calls to a PSP that got no readable answer"],
  centavo_psp_last_success_seconds: ["gauge", "Unix time of the PSP's last readable answer"],
  centavo_psp_lag_seconds: ["gauge", "How late the latest pass over a PSP's lists is"],
  centavo_access_ends_seconds: [
    "gauge",
    "Unix time at which the first access of a company to a PSP ends",
  ],
  centavo_database_bytes: ["gauge", "Size of a database"],
  centavo_database_latency_seconds: ["gauge", "Time of an empty query"],
  centavo_cron_last_success_seconds: ["gauge", "Unix time of a task's last success"],
  centavo_cron_last_error_seconds: ["gauge", "Unix time of a task's last error"],
  ...ANSWER_METRICS,
};

/** The figures as Prometheus reads them (text format 0.0.4). */
export async function metricsText(env: Env, clock: Clock): Promise<string> {
  const [figures, answers, alarms] = await Promise.all([
    serviceFigures(env, clock),
    operatorAnswers(env, clock.now()),
    listAlarms(env),
  ]);
  const firing = new Set(alarms.flatMap(({ id, resolvedAt }) => (resolvedAt === null ? [id] : [])));
  const samples = [
    { name: "centavo_build_info", labels: versionOf(env), value: 1 },
    ...ALARMS.map(({ id, severity }) => ({
      name: "centavo_alarm_firing",
      labels: { alarm: id, severity },
      value: firing.has(id) ? 1 : 0,
    })),
    ...samplesOf(figures, answers),
  ];
  return metricText(METRICS, samples);
}

/**
 * Writes the figures to Workers Analytics Engine, where it is bound: `blob1` the name, `blob2` the labels. Histograms
 * are left out: there each point is one value.
 */
export function writeMetrics(
  { METRICS: sink }: Env,
  figures: ServiceFigures,
  answers: OperatorAnswers,
): void {
  const values = samplesOf(figures, answers).filter(({ part }) => part === undefined);
  for (const { name, labels, value } of values.slice(0, POINTS_MAX)) {
    sink?.writeDataPoint({
      indexes: [name],
      blobs: [name, Object.values(labels).join(" ")],
      doubles: [value],
    });
  }
}

/** The platform takes 250 data points of an invocation. */
const POINTS_MAX = 250;

function samplesOf(figures: ServiceFigures, answers: OperatorAnswers): Sample[] {
  const { at, contradictions, oldest } = figures;
  return [
    single("centavo_contradictions_open", contradictions.length),
    single(
      "centavo_contradictions_held_centavos",
      contradictions.reduce((sum, { held }) => sum + held, 0),
    ),
    single("centavo_companies_violated", figures.failing.length),
    single("centavo_compared_rows_total", figures.copies.comparedRows),
    single("centavo_mended_copies_total", figures.copies.mendedCopies),
    single("centavo_frozen_companies", figures.frozen.length),
    ...archiveSamples(figures),
    ...rowSamples(figures),
    ...pauseSamples(figures),
    single("centavo_passes_late", figures.latePasses.length),
    single("centavo_payouts_undecided", figures.undecidedPayouts.length),
    single("centavo_dead_letters_open", figures.deadLetters.open),
    ...figures.emails.kinds.map(({ kind, failed }) => ({
      name: "centavo_emails_failed",
      labels: { kind },
      value: failed,
    })),
    single("centavo_receivers_failing", figures.receivers.length),
    ...Object.entries(oldest).map(([work, since]) => ({
      name: "centavo_oldest_seconds",
      labels: { work },
      value: since === null ? 0 : inSeconds(Math.max(0, at - since)),
    })),
    ...providerSamples(figures),
    ...ownSamples(figures),
    ...answerSamples(figures, answers),
  ];
}

/** None while it is not known. */
function archiveSamples({ archive: { state, companies } }: ServiceFigures): Sample[] {
  if (state === "unknown") return [];
  return [
    single("centavo_archive_missing", state === "missing" ? 1 : 0),
    single("centavo_archive_behind_companies", companies),
  ];
}

function rowSamples({ at, archivedRows }: ServiceFigures): Sample[] {
  return Object.entries(archivedRows).flatMap(([kind, { archived, lateSince }]) => [
    { name: "centavo_archived_rows_total", labels: { kind }, value: archived },
    {
      name: "centavo_archive_late_seconds",
      labels: { kind },
      value: lateSince === null ? 0 : inSeconds(Math.max(0, at - lateSince)),
    },
  ]);
}

/** None while it is not known. */
function pauseSamples({ pauses }: ServiceFigures): Sample[] {
  if (pauses === null) return [];
  return [
    single("centavo_service_paused", pauses.service === null ? 0 : 1),
    single("centavo_paused_companies", Object.keys(pauses.companies).length),
  ];
}

function providerSamples({ providers, expiring }: ServiceFigures): Sample[] {
  const first = Math.min(...expiring.map(expiryOf));
  return [
    ...providers.flatMap(({ host, calls, faults, lastSuccessAt, lagMs }) => {
      const labels = { host };
      return [
        { name: "centavo_psp_calls_total", labels, value: calls },
        { name: "centavo_psp_faults_total", labels, value: faults },
        { name: "centavo_psp_lag_seconds", labels, value: inSeconds(lagMs) },
        ...timeSample("centavo_psp_last_success_seconds", labels, lastSuccessAt),
      ];
    }),
    ...timeSample("centavo_access_ends_seconds", {}, Number.isFinite(first) ? first : null),
  ];
}

function ownSamples({ databases, heartbeats }: ServiceFigures): Sample[] {
  return [
    ...databases.flatMap(({ name, bytes, latencyMs }) => [
      ...(bytes === null
        ? []
        : [{ name: "centavo_database_bytes", labels: { database: name }, value: bytes }]),
      ...timeSample("centavo_database_latency_seconds", { database: name }, latencyMs),
    ]),
    ...heartbeats.flatMap(({ task, lastSuccessAt, lastErrorAt }) => [
      ...timeSample("centavo_cron_last_success_seconds", { task }, lastSuccessAt),
      ...timeSample("centavo_cron_last_error_seconds", { task }, lastErrorAt),
    ]),
  ];
}

function timeSample(name: string, labels: Record<string, string>, ms: number | null): Sample[] {
  return ms === null ? [] : [{ name, labels, value: inSeconds(ms) }];
}
