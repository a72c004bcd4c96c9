import { afterAll, beforeAll, expect, it } from "vitest";
import { quietly } from "../model/quiet.ts";
import { statusesOf, violationsOf } from "./judge.ts";
import { settings, storm } from "./storm.ts";

const HOUR_MS = 3_600_000;

let quiet: ReturnType<typeof quietly>;
beforeAll(() => {
  quiet = quietly();
});
afterAll(() => quiet.undo());

it(`${settings.events} events to receivers that fail 30 %: each object's last state arrives, none older after it`, async () => {
  const begun = Date.now();
  const passed = await storm(settings);
  const violations = await violationsOf(passed);

  const { receiver, queue } = passed;
  const answers = Object.fromEntries(
    [...Map.groupBy(receiver.seen, (seen) => seen.kind)]
      .map(([kind, seen]) => [kind, seen.length] as const)
      .toSorted(([, a], [, b]) => b - a),
  );
  const deliveries = await statusesOf(passed);
  const most = Math.max(...receiver.mostAtHost.values());
  quiet.say({
    seed: settings.seed,
    events: passed.announced,
    companies: passed.companies.length,
    deliveries,
    requests: receiver.seen.length,
    answers,
    mostAtOneHost: most,
    hints: queue.fates,
    sweptHints: passed.sweptHints,
    hours: Math.round(passed.lastedMs / HOUR_MS),
    violations: violations.length,
    seconds: Math.round((Date.now() - begun) / 1_000),
  });
  expect(violations.slice(0, 20), `seed ${settings.seed}`).toEqual([]);
  // It was a storm: there were older states that a newer one overtook, and a host that had all it may.
  expect(deliveries["superseded"]).toBeGreaterThan(0);
  expect(most).toBe(16);
});
