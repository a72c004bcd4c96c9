import { afterEach, expect, it, vi } from "vitest";
import type { ProviderCalls } from "../../../src/domain/reconciliation/provider-calls.ts";
import { NO_DURATIONS } from "../../../src/domain/figures/durations.ts";
import {
  busyAccounts,
  findProviderAccount,
  listProviderHosts,
  recordProviderCalls,
} from "../../../src/db/watch/providers.ts";
import { CallRecorder } from "../../../src/providers/call-recorder.ts";
import { env } from "../../support/builders/companies/env.ts";

const MINUTE = 60_000;
const DAY = "2026-11-23";
const START = Date.parse("2026-11-23T12:00:00Z");
const ACCOUNT = { companyId: 900_017, account: "first", host: "pix.bank.example" };

afterEach(() => vi.restoreAllMocks());

/** A recorder, and what it has written. */
function givenRecorder() {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const written: ProviderCalls[] = [];
  const days: string[] = [];
  let next: (() => void) | null = null;
  const recorder = new CallRecorder(async (_env, calls, day) => {
    written.push(...calls);
    days.push(...calls.map(() => day));
    const during = next;
    next = null;
    during?.();
  });
  const end = (
    minute: number,
    fault: string | null,
    account = ACCOUNT.account,
    isRefused = false,
    durationMs = 12,
  ) =>
    recorder.ended(
      env,
      { ...ACCOUNT, account, call: "PUT cob", fault, isRefused, durationMs },
      START + minute * MINUTE,
    );
  const lines = () => logged.mock.calls.map(([line]) => JSON.parse(String(line)));
  /** Happens while the recorder writes next. */
  const meanwhile = (happen: () => void) => void (next = happen);
  return { written, days, end, lines, recorder, meanwhile };
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

it("a call that succeeds is logged with how long it took", () => {
  const { end, lines } = givenRecorder();
  end(0, null);
  expect(lines()).toMatchObject([
    { event: "psp_call_succeeded", ...ACCOUNT, call: "PUT cob", durationMs: 12 },
  ]);
});

it("the cron writes what an isolate has only counted, once", async () => {
  const { written, end, recorder } = givenRecorder();
  end(0, null);
  end(1, null);
  await recorder.flush(env, START + 2 * MINUTE);
  await recorder.flush(env, START + 3 * MINUTE);
  expect(written).toMatchObject([
    { calls: 1, durations: { totalMs: 12, buckets: { "0.05": 1 } } },
    { calls: 1, durations: { totalMs: 12, buckets: { "0.05": 1 } } },
  ]);
});

it("a call that an isolate writes while the cron writes is counted once", async () => {
  const { written, end, recorder, meanwhile } = givenRecorder();
  end(0, null);
  end(0, null, "second");
  end(1, null);
  end(1, null, "second");
  meanwhile(() => end(10, null, "second"));
  await recorder.flush(env, START + 10 * MINUTE);
  await recorder.flush(env, START + 11 * MINUTE);
  const second = written.filter(({ account }) => account === "second");
  expect(second.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
});

it("durations of many isolates add up in the PSP's one row", async () => {
  const host = "pix.sums.example";
  const calls = {
    ...ACCOUNT,
    host,
    calls: 3,
    faults: 0,
    refusals: 0,
    succeededAt: START,
    faultedAt: null,
    lastFault: null,
    endpoints: {},
    quotas: {},
  };
  const one = { totalMs: 1_240, buckets: { "0.05": 2, "1.2": 1 } };
  await recordProviderCalls(env, [{ ...calls, durations: one }], DAY);
  const other = { totalMs: 20_040, buckets: { "0.05": 1, "+Inf": 2 } };
  await recordProviderCalls(env, [{ ...calls, durations: other }], DAY);
  expect((await listProviderHosts(env)).find((row) => row.host === host)).toMatchObject({
    calls: 6,
    durationMs: 21_280,
    durations: { "0.05": 3, "1.2": 1, "+Inf": 2 },
  });
});

it("an account fails from its first fault until its next success", async () => {
  const none = {
    calls: 1,
    faults: 0,
    refusals: 0,
    succeededAt: null,
    faultedAt: null,
    lastFault: null,
    durations: NO_DURATIONS,
    endpoints: {},
    quotas: {},
  };
  const fault = { call: "PUT cob", fault: "timeout", traceId: "4bf9", durationMs: 10_000 };
  const failed = (at: number) => ({ ...none, faults: 1, faultedAt: at, lastFault: fault });
  const failingSince = async (calls: ProviderCalls) => {
    await recordProviderCalls(env, [calls], DAY);
    return (await findProviderAccount(env, ACCOUNT.companyId, ACCOUNT.account))?.failingSince;
  };
  expect(await failingSince({ ...ACCOUNT, ...failed(START) })).toBe(START);
  expect(await failingSince({ ...ACCOUNT, ...failed(START + MINUTE) })).toBe(START);
  expect(await failingSince({ ...ACCOUNT, ...none, succeededAt: START + 2 * MINUTE })).toBeNull();
  expect(await failingSince({ ...ACCOUNT, ...failed(START + 3 * MINUTE) })).toBe(
    START + 3 * MINUTE,
  );
});

it("the calls of a day add up by name, and the next day begins anew", async () => {
  const account = { ...ACCOUNT, account: "counted" };
  const { written, end } = givenRecorder();
  end(0, null, account.account);
  const [calls] = written;
  const add = (endpoints: Record<string, number>, day: string) =>
    recordProviderCalls(env, [{ ...calls!, endpoints }], day);
  const stored = () => findProviderAccount(env, account.companyId, account.account);

  expect(calls!.endpoints).toEqual({ "PUT cob": 1 });
  await add({ "GET charges": 4_000, "POST charge": 10 }, DAY);
  await add({ "GET charges": 6_000, "GET charge/:id": 5 }, DAY);
  expect(await stored()).toMatchObject({
    callsDay: DAY,
    dayCalls: { "GET charges": 10_000, "POST charge": 10, "GET charge/:id": 5 },
    busiestCalls: 10_000,
  });
  const { busy } = await busyAccounts(env, DAY, 10);
  expect(busy).toMatchObject([{ account: "counted" }]);

  await add({ "POST charge": 1 }, "2026-11-24");

  expect(await stored()).toMatchObject({ dayCalls: { "POST charge": 1 }, busiestCalls: 1 });
  expect(await busyAccounts(env, DAY, 10)).toEqual({ busy: [], nearQuota: [] });
});

it("the refusals and durations of a day add up for the account, and the next day begins anew", async () => {
  const account = { ...ACCOUNT, account: "refusing" };
  const { written, end, recorder } = givenRecorder();
  end(0, null, account.account, true);
  end(1, null, account.account);
  end(1, null, account.account, true);
  await recorder.flush(env, START + 2 * MINUTE);
  expect(written).toMatchObject([
    { calls: 1, refusals: 1 },
    { calls: 2, refusals: 1 },
  ]);
  const stored = () => findProviderAccount(env, account.companyId, account.account);

  await recordProviderCalls(env, written.slice(0, 1), DAY);
  const slow = { totalMs: 900, buckets: { "0.05": 1, "1.2": 1 } };
  await recordProviderCalls(env, [{ ...written[1]!, durations: slow }], DAY);

  expect(await stored()).toMatchObject({
    dayRefusals: 2,
    dayDurations: { "0.05": 2, "1.2": 1 },
  });

  await recordProviderCalls(env, [written[1]!], "2026-11-24");

  expect(await stored()).toMatchObject({ dayRefusals: 1, dayDurations: { "0.05": 2 } });
});

it("an account that calls many things is one statement of few parameters", async () => {
  const { written, end } = givenRecorder();
  end(0, null, "many");
  const names = Array.from({ length: 60 }, (_, index) => [`GET thing${index}`, index + 1]);
  const many = { ...written[0]!, endpoints: Object.fromEntries(names) };
  await recordProviderCalls(env, [many], DAY);
  await recordProviderCalls(env, [many], DAY);
  const stored = await findProviderAccount(env, ACCOUNT.companyId, "many");
  expect(stored).toMatchObject({ dayCalls: { "GET thing0": 2, "GET thing59": 120 } });
});

it("an account is near a quota from 80 % of it on, or once the house says that it is used up", async () => {
  const { written, end } = givenRecorder();
  end(0, null, "near");
  const nearOf = async (
    endpoints: Record<string, number>,
    quotas: ProviderCalls["quotas"],
    day: string,
  ) => {
    await recordProviderCalls(env, [{ ...written[0]!, endpoints, quotas }], day);
    return (await busyAccounts(env, day, 10)).nearQuota.map(
      ({ account, quotaShare }) => `${account} ${quotaShare}`,
    );
  };
  const limited = { "POST charge": { limit: 15_000 }, "GET notification/:id": { limit: 30_000 } };
  const next = "2026-11-24";
  const last = "2026-11-25";

  expect(await nearOf({ "GET notification/:id": 23_999 }, limited, DAY)).toEqual([]);
  expect(await nearOf({ "POST charge": 11_999, "GET charges": 90_000 }, limited, DAY)).toEqual([]);
  expect(await nearOf({ "POST charge": 1 }, {}, DAY)).toEqual(["near 80"]);
  expect(await nearOf({ "POST charge": 3_000 }, limited, DAY)).toEqual(["near 100"]);
  expect(await nearOf({ "POST charge": 1 }, limited, next)).toEqual([]);
  const usedUp = { "GET charges": { isUsedUp: true } } as const;
  expect(await nearOf({ "GET charges": 1 }, usedUp, next)).toEqual(["near 100"]);
  expect(await nearOf({ "POST charge": 1 }, limited, next)).toEqual(["near 100"]);
  expect(await nearOf({ "POST charge": 12_000 }, limited, last)).toEqual(["near 80"]);
});

it("a call counts on the day in São Paulo on which it began, whenever it is written", async () => {
  const { written, days, end, recorder } = givenRecorder();
  const midnight = 15 * 60;
  end(midnight - 2, null);
  end(midnight - 1, null);
  // Begun half a minute before midnight.
  end(midnight + 0.5, null, ACCOUNT.account, false, MINUTE);
  end(midnight + 1, null);
  end(midnight + 2, null, "second", false, 3 * MINUTE);
  await recorder.flush(env, START + (midnight + 3) * MINUTE);

  const counts = written.map(({ account, calls }, index) => `${account} ${days[index]} ${calls}`);
  expect(counts.toSorted()).toEqual([
    `first ${DAY} 1`,
    `first ${DAY} 2`,
    "first 2026-11-24 1",
    `second ${DAY} 1`,
  ]);
});

it("what is written late of a day neither ends the next one nor counts on it", async () => {
  const { written, end } = givenRecorder();
  end(0, null, "late");
  const add = (calls: Partial<ProviderCalls>, day: string) =>
    recordProviderCalls(env, [{ ...written[0]!, ...calls }], day);
  const { companyId, account } = written[0]!;
  const stored = () => findProviderAccount(env, companyId, account);
  const quotas = { "POST charge": { limit: 10 } };
  await add({ endpoints: { "POST charge": 4 }, refusals: 2, quotas }, "2026-11-24");
  const before = await stored();

  const usedUp = { "POST charge": { limit: 10, isUsedUp: true } } as const;
  await add({ endpoints: { "POST charge": 9 }, refusals: 3, quotas: usedUp }, DAY);

  expect(await stored()).toEqual(before);
  await add({ endpoints: { "POST charge": 1 }, quotas }, "2026-11-24");
  expect(await stored()).toMatchObject({ dayCalls: { "POST charge": 5 }, quotaShare: 50 });
});
