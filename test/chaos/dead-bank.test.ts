import { afterAll, beforeAll, expect, it } from "vitest";
import { silenceLogs } from "../model/silence-logs.ts";
import { runDeadBank, settings } from "./dead-bank.ts";

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

it(`makes each of ${settings.bankCharges} charges while one of two banks is dead for an hour, credits each once, and leaves no shadow charge`, async () => {
  const { violations, ...figures } = await runDeadBank(settings.bankCharges, settings.seed);

  silencedLogs.say({ seed: settings.seed, ...figures, violations: violations.length });
  expect(violations.slice(0, 20), `seed ${settings.seed}`).toEqual([]);
  // The run is only meaningful if charges moved, and the dead bank made some that nobody saw.
  expect(figures.moved).toBeGreaterThan(0);
  expect(figures.unseen).toBeGreaterThan(0);
});
