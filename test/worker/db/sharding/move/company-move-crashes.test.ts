import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { moveCompany, type MoveReport } from "../../../../../src/db/sharding/move/move-company.ts";
import { FENCE_POLL_MS } from "../../../../../src/db/sharding/routed-database.ts";
import type { Env } from "../../../../../src/config.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../../support/fakes/cron.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { CRASH, withD1 } from "../../../../support/faults/faulty-env.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
  type ShardedEnv,
} from "../../../../support/builders/companies/sharded.ts";
import { rowCountsIn } from "../../../../support/probes/database/shards.ts";
import {
  createTransaction,
  givenPaid,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";

/** Longer than a step's lease. */
const LEASES_EXPIRED_MS = 60_000;
const CRASHES_MAX = 200;
/** Characters that tell what a statement does to which of the mover's tables, and that it is a row's. */
const KIND = 40;
const ROW_KIND = 12;
/** Each crash needs a new isolate, a charge, a payment and a withdraw. */
const TIMEOUT_MS = 90_000;
const WRITE = /^\s*(insert|update|delete)\b/i;

beforeAll(givenSecondDatabase);

// Nobody finishes a crashed move while a request waits at its fence: each would wait for its second in vain.
beforeEach(() => {
  const wait = scheduler.wait.bind(scheduler);
  vi.spyOn(scheduler, "wait").mockImplementation((ms, options) =>
    wait(ms === FENCE_POLL_MS ? 0 : ms, options),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** An isolate that crashes at the first kind of call that none has crashed at yet. */
function crashingShards(
  when: "before" | "after",
  died: Set<string>,
  stage: () => string,
): ShardedEnv {
  const isolate = newIsolate();
  let isDead = false;
  const through = (name: "DB" | "DB_2") =>
    withD1({ ...isolate, DB: isolate[name] }, async (label, run) => {
      if (isDead) throw new Error(CRASH);
      const kind = `${stage()} ${name} ${firstWordsOf(label)}`;
      if (!WRITE.test(label) || died.has(kind)) return run();
      died.add(kind);
      isDead = true;
      if (when === "after") await run();
      throw new Error(CRASH);
    }).DB;
  return { ...isolate, DB: through("DB"), DB_2: through("DB_2") };
}

/** What a batch does, whatever rows it does it to: its fence, and the statement after it. */
function firstWordsOf(label: string): string {
  const [first = "", second = ""] = label.split(";\n");
  return `${first.slice(0, KIND)} ${second.trim().slice(0, ROW_KIND)}`;
}

/** Migrates a company with a new isolate after each crash; returns the number of crashes. */
async function moveWithCrashes(
  company: TestCompany,
  when: "before" | "after",
  afterDeath: (report: MoveReport | null) => Promise<unknown>,
): Promise<number> {
  const died = new Set<string>();
  let now = Date.now();
  let report: MoveReport | null = null;
  for (let deaths = 0; deaths < CRASHES_MAX; deaths++) {
    const isolate = crashingShards(when, died, () => report?.stage ?? "begin");
    try {
      do report = await moveCompany(isolate, company.id, { to: "DB_2" }, () => now);
      while (report.target !== null);
      return deaths;
    } catch (error) {
      expect(String((error as Error).cause ?? error)).toContain(CRASH);
      now += LEASES_EXPIRED_MS;
      await afterDeath(report);
    }
  }
  throw new Error("the move did not end");
}

async function balanceIn(isolate: Env, company: TestCompany): Promise<number> {
  const path = `/api/Balance/balance/${company.id}?currency=BRL`;
  return (await call(path, { company, env: isolate })).status;
}

describe.each(["before", "after"] as const)(
  "an isolate crashes %s each write of a company move",
  (when) => {
    it(
      "and the next isolate resumes while the company charges, is paid and withdraws",
      async () => {
        const company = await givenCompany({ balance: 2_000_00 });
        await useShards(company);
        const created = new Set<string>();
        let refused = 0;
        const deaths = await moveWithCrashes(company, when, async () => {
          const isolate = newIsolate();
          expect(await balanceIn(isolate, company)).toBe(200);
          expect((await requestWithdraw(company, { amount: 1_000 }, { env: isolate })).status).toBe(
            201,
          );
          const answer = await createTransaction(company, {}, { env: isolate });
          if (answer.status === 503) {
            expect(answer.headers.get("Retry-After")).toBe("2");
            refused += 1;
            return;
          }
          const { id } = answer.body.data;
          created.add(id);
          expect((await pay(company, id, undefined, { env: isolate })).status).toBe(200);
        });

        expect(deaths).toBeGreaterThan(20);
        expect(created.size).toBe(deaths - refused);
        // Only crashes between the fence and the cutover keep writes waiting.
        expect(refused).toBeLessThan(8);
        expect(await rowCountsIn("DB", company.id)).toEqual({});
        const rows = await rowCountsIn("DB_2", company.id);
        expect(rows).toMatchObject({ transactions: created.size + 1 });
        const path = "/api/Transaction/company/transactions?page=1&pageSize=100";
        const list = await call(path, { company, env: newIsolate() });
        const ids = JSON.stringify(list.body);
        for (const id of created) expect(ids).toContain(id);
      },
      TIMEOUT_MS,
    );
  },
);

it("the cron finishes a move whose isolate crashed while draining, and writes continue", async () => {
  const company = await givenCompany();
  await givenPaid(company, 2_500);
  await useShards(company);
  const isolate = newIsolate();
  let report;
  do report = await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
  while (report.stage !== "closing");
  const only = /^update "placements" set "database"/;
  const flipping = withD1(isolate, (label, run) => {
    if (only.test(label)) throw new Error(CRASH);
    return run();
  });
  const closing = moveCompany(
    { ...isolate, DB: flipping.DB },
    company.id,
    { to: "DB_2" },
    Date.now,
  );
  await expect(closing).rejects.toThrow();
  expect((await createTransaction(company, {}, { env: isolate })).status).toBe(503);

  const clock = new TestClock();
  clock.advance(LEASES_EXPIRED_MS);
  await runCron(cronDeps(clock, new FakeBank()), isolate, ["finish_moves"]);

  expect((await createTransaction(company, {}, { env: isolate })).status).toBe(200);
  expect(await rowCountsIn("DB", company.id)).toEqual({});
  expect(await moveTo(isolate, company, "DB_2")).toMatchObject({
    database: "DB_2",
    target: null,
  });
});
