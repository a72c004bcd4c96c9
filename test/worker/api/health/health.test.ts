import { expect, it } from "vitest";
import { handleScheduled } from "../../../../src/scheduled.ts";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { taskQueue } from "../../../support/fakes/cron.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { withD1 } from "../../../support/faults/faulty-env.ts";

it("the health says which version runs, without reading anything", async () => {
  const dead = withD1(env, () => Promise.reject(new Error("D1 is down")));
  const answer = await call("/health", { env: { ...dead, COMMIT: "3f2c1a9b7d10" } });
  expect(answer.body).toEqual({ status: "ok", version: "0.1.0", commit: "3f2c1a9b7d10" });
});

it("NOT_READY: names the cron once its heartbeat is old, and the bindings once D1 is down", async () => {
  // The cron of another test may have run in this one's future.
  await env.DB.prepare("DELETE FROM cron_heartbeats").run();
  const clock = new TestClock();
  const deps = { ...systemDependencies, platformClock: clock };
  await handleScheduled({ ...env, TASKS: taskQueue().TASKS }, deps);
  expect((await call("/ready", { env: { ...env }, deps })).body).toEqual({
    status: "ready",
    archive: "ok",
  });

  clock.advance(10 * 60_000);
  const late = await call("/ready", { env: { ...env }, deps });
  expect(late).toMatchObject({ status: 503, body: { code: "NOT_READY", failed: ["cron"] } });

  const dead = withD1(env, () => Promise.reject(new Error("D1 is down")));
  const down = await call("/ready", { env: dead, deps });
  expect(down.body.failed).toEqual(["bindings", "schema", "cron"]);
  expect(down.text).not.toContain("D1 is down");
});
