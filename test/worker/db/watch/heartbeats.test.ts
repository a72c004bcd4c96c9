import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { listHeartbeats } from "../../../../src/db/watch/heartbeats.ts";
import { runMessage, runMinute, type Tasks } from "../../../../src/task-runner.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { taskQueue } from "../../../support/fakes/cron.ts";

const MINUTE = 60_000;

beforeEach(async () => void (await env.DB.prepare("DELETE FROM cron_heartbeats").run()));
afterEach(() => vi.restoreAllMocks());

/** A cron of one task, which hands a part on in each first step. */
function givenCron(run: { first?: () => void; part?: () => void }) {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const clock = new TestClock();
  const deps = { ...systemDependencies, platformClock: clock };
  const { TASKS, take } = taskQueue();
  const around = { ...env, TASKS };
  const tasks: Tasks = {
    watch: async () => undefined,
    count_stars: async (_env, _deps, { state, share }) => {
      if (state !== null) return run.part?.();
      run.first?.();
      await share([{ star: 1 }]);
    },
  };
  const runParts = async () => {
    clock.advance(10_000);
    for (const message of take()) await runMessage(tasks, around, deps, message);
  };
  return { clock, runParts, run: () => runMinute(tasks, around, deps, { watch: "watch" }) };
}

const heartbeatOf = async (task: string) =>
  (await listHeartbeats(env)).find((heartbeat) => heartbeat.task === task);

it("the minute and the first step of a task beat; its parts do not", async () => {
  const { clock, run, runParts } = givenCron({});
  const at = clock.now();
  await run();
  const beats = { lastStartAt: at, lastSuccessAt: at, lastErrorAt: null, lastError: null };
  expect(await heartbeatOf("minute")).toEqual({ task: "minute", ...beats });
  await runParts();
  expect(await heartbeatOf("count_stars")).toEqual({ task: "count_stars", ...beats });
});

it("a task that fails keeps the time of its last success and says why", async () => {
  const fails = vi.fn<() => void>();
  const { clock, run } = givenCron({ first: fails });
  const at = clock.now();
  await run();
  clock.advance(MINUTE);
  fails.mockImplementation(() => {
    throw new Error("no stars");
  });
  await run();
  expect(await heartbeatOf("count_stars")).toMatchObject({
    lastSuccessAt: at,
    lastErrorAt: at + MINUTE,
    lastError: "Error: no stars",
  });
});

it("the failure of a part is seen", async () => {
  const { clock, run, runParts } = givenCron({
    part: () => {
      throw new Error("a dark star");
    },
  });
  await run();
  await runParts();
  expect(await heartbeatOf("count_stars")).toMatchObject({
    lastErrorAt: clock.now(),
    lastError: "Error: a dark star",
  });
});
