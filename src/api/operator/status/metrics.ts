import { listAlarms } from "../../../db/watch/alarms.ts";
import { expiryOf } from "../../../db/watch/providers.ts";
import type { Env } from "../../../config.ts";
import type { Clock } from "../../../domain/shared/clock.ts";
import { versionOf } from "../../../version.ts";
import { serviceFigures, type ServiceFigures } from "./figures.ts";

/** One measurement: a name of Prometheus, and labels whose values are few. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The help text and type of each metric. */
const METRICS: Record<string, [type: "gauge" | "counter", help: string]> = {
  centavo_build_info: ["gauge", "1, with version and commit"],
  centavo_alarm_firing: ["gauge", "1 while the alarm fires"],
  centavo_contradictions_open: ["gauge", "Undecided contradictions"],
  centavo_contradictions_held_centavos: ["gauge", "Centavos that they hold"],
  centavo_companies_violated: [
    "gauge",
    "Companies whose last check found a violation, at most 100",
  ],
  centavo_passes_late: ["gauge", "Late passes over PSPs' lists, at most 100"],
  centavo_oldest_seconds: ["gauge", "Age of the oldest due work, 0 if none"],
  centavo_payouts_undecided: ["gauge", "Payouts undecided for ten minutes, at most 100"],
  centavo_dead_letters_open: ["gauge", "Dead letters that wait to be sent again, at most 1,000"],
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
};

const inSeconds = (ms: number) => ms / 1_000;

/** The figures as Prometheus reads them (text format 0.0.4). */
export async function metricsText(env: Env, clock: Clock): Promise<string> {
  const [figures, alarms] = await Promise.all([serviceFigures(env, clock), listAlarms(env)]);
  const samples = [
    { name: "centavo_build_info", labels: versionOf(env), value: 1 },
    ...alarms.map(({ id, severity, resolvedAt }) => ({
      name: "centavo_alarm_firing",
      labels: { alarm: id, severity },
      value: resolvedAt === null ? 1 : 0,
    })),
    ...samplesOf(figures),
  ];
  const lines = [...Map.groupBy(samples, ({ name }) => name)].flatMap(([name, group]) => {
    const [type, help] = METRICS[name] ?? ["gauge", name];
    const values = group.map(lineOf).join("\n");
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, values];
  });
  return `${lines.join("\n")}\n`;
}

/** Writes the figures to Workers Analytics Engine, where it is bound: `blob1` the name, `blob2` the labels. */
export function writeMetrics({ METRICS: sink }: Env, figures: ServiceFigures): void {
  for (const { name, labels, value } of samplesOf(figures).slice(0, POINTS_MAX)) {
    sink?.writeDataPoint({
      indexes: [name],
      blobs: [name, Object.values(labels).join(" ")],
      doubles: [value],
    });
  }
}

/** The platform takes 250 data points of an invocation. */
const POINTS_MAX = 250;

function single(name: string, value: number): Sample {
  return { name, labels: {}, value };
}

function samplesOf(figures: ServiceFigures): Sample[] {
  const { at, contradictions, oldest } = figures;
  return [
    single("centavo_contradictions_open", contradictions.length),
    single(
      "centavo_contradictions_held_centavos",
      contradictions.reduce((sum, { held }) => sum + held, 0),
    ),
    single("centavo_companies_violated", figures.failing.length),
    single("centavo_passes_late", figures.latePasses.length),
    single("centavo_payouts_undecided", figures.undecidedPayouts.length),
    single("centavo_dead_letters_open", figures.deadLetters.open),
    single("centavo_receivers_failing", figures.receivers.length),
    ...Object.entries(oldest).map(([work, since]) => ({
      name: "centavo_oldest_seconds",
      labels: { work },
      value: since === null ? 0 : inSeconds(Math.max(0, at - since)),
    })),
    ...providerSamples(figures),
    ...ownSamples(figures),
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

function lineOf({ name, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
