import { countOf, cumulativeBuckets } from "../../../domain/figures/durations.ts";
import { PAYMENT_METHODS } from "../../../domain/charges/charge-status.ts";
import { ATTEMPT_RESULTS, sumOf } from "../../../domain/figures/service-sample.ts";
import { durationsOf, type OperatorAnswers } from "./answers.ts";
import type { ServiceFigures } from "./figures.ts";
import { inSeconds, single, type Described, type Sample } from "./metric-text.ts";

/** The help text and type of the metrics that answer the operators' questions (docs/operating.md). */
export const ANSWER_METRICS: Record<string, Described> = {
  centavo_payments_total: ["counter", "Payments credited to charges"],
  centavo_payments_centavos_total: ["counter", "Centavos of those payments"],
  centavo_psp_seconds: ["histogram", "How long calls to a PSP took, failed ones too"],
  centavo_webhook_attempts_total: ["counter", "Attempts at deliveries of webhooks"],
  centavo_webhook_first_attempts_total: ["counter", "Of these, the first ones of their deliveries"],
  centavo_oldest_delivery_seconds: ["gauge", "Age of the oldest open delivery, 0 if none is open"],
  centavo_money_stuck_centavos: ["gauge", "Centavos that wait for a provider or a person"],
  centavo_money_stuck_items: ["gauge", "Payouts, operations, payments, contradictions of these"],
  centavo_open_work: ["gauge", "Open work of a kind, at most 10,000 per database"],
  centavo_largest_object_bytes: [
    "gauge",
    "Size of the largest company's object, 0 before the first is measured",
  ],
};

/** The answers as metrics. The histogram of each PSP stands last. */
export function answerSamples(
  { at, providers }: Pick<ServiceFigures, "at" | "providers">,
  { payments, webhooks, stuck, newest }: OperatorAnswers,
): Sample[] {
  const { oldestOpen, attempts } = webhooks;
  const objects = Object.values(newest?.objects ?? {});
  return [
    ...PAYMENT_METHODS.flatMap((method) => {
      const { count, amount } = sumOf(payments.total, method);
      return [
        { name: "centavo_payments_total", labels: { method }, value: count },
        { name: "centavo_payments_centavos_total", labels: { method }, value: amount },
      ];
    }),
    ...ATTEMPT_RESULTS.flatMap((result) => {
      const { attempts: all, first } = attempts[result];
      return [
        { name: "centavo_webhook_attempts_total", labels: { result }, value: all },
        { name: "centavo_webhook_first_attempts_total", labels: { result }, value: first },
      ];
    }),
    single(
      "centavo_oldest_delivery_seconds",
      oldestOpen === null ? 0 : inSeconds(Math.max(0, at - oldestOpen)),
    ),
    ...stuck.flatMap(({ place, count, amount }) => {
      const labels = { where: place };
      return [
        { name: "centavo_money_stuck_centavos", labels, value: amount },
        { name: "centavo_money_stuck_items", labels, value: count },
      ];
    }),
    ...Object.entries(newest?.openWork ?? {}).map(([work, value]) => ({
      name: "centavo_open_work",
      labels: { work },
      value,
    })),
    single("centavo_largest_object_bytes", Math.max(0, ...objects)),
    ...providers.flatMap(histogramOf),
  ];
}

function histogramOf(provider: ServiceFigures["providers"][number]): Sample[] {
  const name = "centavo_psp_seconds";
  const labels = { host: provider.host };
  const durations = durationsOf(provider);
  return [
    ...cumulativeBuckets(durations).map(({ bound, count }) => ({
      name,
      part: "bucket" as const,
      labels: { ...labels, le: bound },
      value: count,
    })),
    { name, part: "sum", labels, value: inSeconds(durations.totalMs) },
    { name, part: "count", labels, value: countOf(durations) },
  ];
}
