import { afterAll, beforeAll, expect, it } from "vitest";
import { silenceLogs } from "../model/silence-logs.ts";
import { statusesOf, violationsOf } from "./checker.ts";
import { settings, runChaos } from "./chaos.ts";

const HOUR_MS = 3_600_000;

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

it(`delivers ${settings.events} events to receivers that fail 30 %: each object's newest state arrives and no older one after it`, async () => {
  const begun = Date.now();
  const passed = await runChaos(settings);
  const violations = await violationsOf(passed);

  const { receiver, queue } = passed;
  const answers = Object.fromEntries(
    [...Map.groupBy(receiver.requests, (seen) => seen.kind)]
      .map(([kind, seen]) => [kind, seen.length] as const)
      .toSorted(([, a], [, b]) => b - a),
  );
  const deliveries = await statusesOf(passed);
  const most = Math.max(...receiver.maxConcurrentByHost.values());
  silencedLogs.say({
    seed: settings.seed,
    events: passed.eventCount,
    companies: passed.companies.length,
    deliveries,
    requests: receiver.requests.length,
    answers,
    mostAtOneHost: most,
    hints: queue.outcomes,
    sweptHints: passed.sweepWakeUps,
    hours: Math.round(passed.durationMs / HOUR_MS),
    violations: violations.length,
    seconds: Math.round((Date.now() - begun) / 1_000),
  });
  expect(violations.slice(0, 20), `seed ${settings.seed}`).toEqual([]);
  // The run is only meaningful if newer states overtook older ones and a host reached its limit.
  expect(deliveries["superseded"]).toBeGreaterThan(0);
  expect(most).toBe(16);
});
