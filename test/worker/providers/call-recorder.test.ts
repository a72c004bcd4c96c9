import { afterEach, expect, it, vi } from "vitest";
import type { ProviderCalls } from "../../../src/domain/reconciliation/provider-calls.ts";
import { findProviderAccount, recordProviderCalls } from "../../../src/db/watch/providers.ts";
import { CallRecorder } from "../../../src/providers/call-recorder.ts";
import { env } from "../../support/builders/companies/env.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-11-23T12:00:00Z");
const ACCOUNT = { companyId: 900_017, account: "first", host: "pix.bank.example" };

afterEach(() => vi.restoreAllMocks());

/** A recorder, and what it has written. */
function givenRecorder() {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const written: ProviderCalls[] = [];
  const recorder = new CallRecorder(async (_env, calls) => void written.push(calls));
  const end = (minute: number, fault: string | null) =>
    recorder.ended(
      env,
      { ...ACCOUNT, call: "PUT cob", fault, durationMs: 12 },
      START + minute * MINUTE,
    );
  return { written, end };
}

it("calls that succeed are written at once and then every five minutes", () => {
  const { written, end } = givenRecorder();
  for (let minute = 0; minute <= 5; minute++) end(minute, null);
  expect(written).toMatchObject([
    { calls: 1, faults: 0, succeededAt: START },
    { calls: 5, faults: 0, succeededAt: START + 5 * MINUTE },
  ]);
});

it("while calls fail they are written every minute, and the first success after them too", () => {
  const { written, end } = givenRecorder();
  end(0, "timeout");
  end(0.5, "timeout");
  end(1, "connection");
  end(2, null);
  end(3, null);
  expect(written).toMatchObject([
    { calls: 1, faults: 1, faultedAt: START, succeededAt: null },
    { calls: 2, faults: 2, lastFault: { call: "PUT cob", fault: "connection", durationMs: 12 } },
    { calls: 1, faults: 0, succeededAt: START + 2 * MINUTE, faultedAt: null },
  ]);
});

it("an account fails from its first fault until its next success", async () => {
  const none = { calls: 1, faults: 0, succeededAt: null, faultedAt: null, lastFault: null };
  const fault = { call: "PUT cob", fault: "timeout", traceId: "4bf9", durationMs: 10_000 };
  const failed = (at: number) => ({ ...none, faults: 1, faultedAt: at, lastFault: fault });
  const failingSince = async (calls: ProviderCalls) => {
    await recordProviderCalls(env, calls);
    return (await findProviderAccount(env, ACCOUNT.companyId, ACCOUNT.account))?.failingSince;
  };
  expect(await failingSince({ ...ACCOUNT, ...failed(START) })).toBe(START);
  expect(await failingSince({ ...ACCOUNT, ...failed(START + MINUTE) })).toBe(START);
  expect(await failingSince({ ...ACCOUNT, ...none, succeededAt: START + 2 * MINUTE })).toBeNull();
  expect(await failingSince({ ...ACCOUNT, ...failed(START + 3 * MINUTE) })).toBe(
    START + 3 * MINUTE,
  );
});
