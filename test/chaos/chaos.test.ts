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
  const startedAt = Date.now();
  const run = await runChaos(settings);
  const violations = await violationsOf(run);

  const { receiver, queue } = run;
  const responses = Object.fromEntries(
    [...Map.groupBy(receiver.requests, (request) => request.kind)]
      .map(([kind, requests]) => [kind, requests.length] as const)
      .toSorted(([, a], [, b]) => b - a),
  );
  const deliveries = await statusesOf(run);
  const most = Math.max(...receiver.maxConcurrentByHost.values());
  silencedLogs.say({
    seed: settings.seed,
    events: run.eventCount,
    companies: run.companies.length,
    deliveries,
    requests: receiver.requests.length,
    responses,
    mostAtOneHost: most,
    messages: queue.outcomes,
    sweepWakeUps: run.sweepWakeUps,
    hours: Math.round(run.durationMs / HOUR_MS),
    violations: violations.length,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
  });
  expect(violations.slice(0, 20), `seed ${settings.seed}`).toEqual([]);
  // The run is only meaningful if newer states overtook older ones and a host reached its limit.
  expect(deliveries["superseded"]).toBeGreaterThan(0);
  expect(most).toBe(16);
});
