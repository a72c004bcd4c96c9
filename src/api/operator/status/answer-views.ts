import { PAYMENT_METHODS } from "../../../domain/charges/charge-status.ts";
import { countOf, quantileOf } from "../../../domain/figures/durations.ts";
import { OPEN_WORK, sumOf } from "../../../domain/figures/service-sample.ts";
import { isoTime, isoTimeOrNull } from "../../../domain/shared/clock.ts";
import { durationsOfHour, type OperatorAnswers } from "./answers.ts";
import type { ServiceFigures } from "./figures.ts";

/** The answers to the operators' questions as the status shows them. */
export function answersView(answers: OperatorAnswers) {
  const { hourAgo, payments, webhooks, stuck } = answers;
  const { lastHour, weekBefore } = payments;
  return {
    payments: {
      since: isoTimeOrNull(hourAgo?.at ?? null),
      methods: PAYMENT_METHODS.map((paymentMethod) => {
        const sum = lastHour === null ? null : sumOf(lastHour, paymentMethod);
        return {
          paymentMethod,
          count: sum?.count ?? null,
          amount: sum?.amount ?? null,
          weekBefore: weekBefore === null ? null : sumOf(weekBefore, paymentMethod),
        };
      }),
    },
    webhooks: {
      since: isoTimeOrNull(webhooks.since),
      firstAttempts: webhooks.firstAttempts?.attempted ?? null,
      deliveredAtFirst: webhooks.firstAttempts?.delivered ?? null,
      share: webhooks.firstAttempts?.share ?? null,
      oldestOpen: isoTimeOrNull(webhooks.oldestOpen),
    },
    moneyStuck: stuck.map(({ place, count, amount, since }) => {
      return { place, count, amount, since: isoTimeOrNull(since) };
    }),
    growth: growthView(answers),
    volumes: {
      upTo: answers.newest?.volumes == null ? null : answers.newest.closedThrough,
      companies: answers.newest?.volumes ?? [],
    },
  };
}

/** How fast a PSP answered in the last hour; null before the first sample. */
export function speedView(answers: OperatorAnswers, provider: ServiceFigures["providers"][number]) {
  const durations = durationsOfHour(answers, provider);
  if (durations === null || answers.hourAgo === null) return null;
  return {
    since: isoTime(answers.hourAgo.at),
    calls: countOf(durations),
    p50Seconds: rounded(quantileOf(durations, 0.5)),
    p95Seconds: rounded(quantileOf(durations, 0.95)),
  };
}

/** Seconds to the millisecond. */
function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000) / 1_000;
}

/** The newest sample's sizes beside those of a week ago. */
function growthView({ newest, weekAgo }: OperatorAnswers) {
  const objects = Object.entries(newest?.objects ?? {}).map(([name, bytes]) => ({
    companyId: Number(name.slice("company:".length)),
    bytes,
    before: weekAgo?.objects[name] ?? null,
  }));
  const grown = ({ bytes, before }: (typeof objects)[number]) => bytes - (before ?? 0);
  return {
    since: isoTimeOrNull(weekAgo?.at ?? null),
    databases: Object.entries(newest?.databases ?? {}).map(([name, bytes]) => ({
      name,
      bytes,
      before: weekAgo?.databases[name] ?? null,
    })),
    objects: objects.toSorted((left, right) => grown(right) - grown(left)),
    openWork: OPEN_WORK.flatMap((work) => {
      const count = newest?.openWork[work];
      return count === undefined ? [] : [{ work, count, before: weekAgo?.openWork[work] ?? null }];
    }),
  };
}
