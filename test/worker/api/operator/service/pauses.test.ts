import { describe, expect, it } from "vitest";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { GATEWAY_TRAIL } from "../../../../../src/domain/access/audit-entry.ts";
import { NOTHING_PAUSED } from "../../../../../src/domain/operators/pause.ts";
import { runTask } from "../../../../../src/scheduled.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { callAsOperator, givenOperator } from "../../../../support/builders/companies/operator.ts";
import { PAUSE_REASON, PAUSED, usePauses } from "../../../../support/builders/companies/pauses.ts";
import {
  deliverCallbacks,
  givenPsp,
  reconcile,
} from "../../../../support/builders/providers/psp.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { auditEntriesOf } from "../../../../support/probes/database/audit-rows.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
const by = { kind: "operator" as const, id: "operator", name: "Local operator" };
const MINUTE_MS = 60_000;

const world = usePauses();
const pause = (reason?: string) => world.pause(reason);
const resume = () => world.resume();

describe("a pause", () => {
  it("holds in every isolate once it is answered, and keeps its first reason", async () => {
    const company = await givenCompany();
    const [running, other] = [world.isolate(), world.isolate()];
    expect([await running.of(env, company.id), await other.of(env, company.id)]).toEqual([
      null,
      null,
    ]);
    const { status, body } = await pause();
    expect([status, body.data.paused, body.data.pause.reason]).toEqual([200, true, PAUSE_REASON]);
    expect(world.waits).toEqual([15_000]);
    world.clock.advance(15_000);
    expect(await running.of(env, company.id)).toMatchObject({ reason: PAUSE_REASON });
    expect(await world.isolate().of(env, company.id)).toMatchObject({ reason: PAUSE_REASON });

    world.clock.advance(15_000);
    expect((await pause("Another reason.")).body.data.pause.reason).toBe(PAUSE_REASON);
    expect(world.waits).toEqual([15_000]);
    expect((await resume()).body.data).toEqual({ paused: false, pause: null, companies: [] });
    world.clock.advance(15_000);
    expect(await other.of(env, company.id)).toBeNull();
  });

  it("is asked for once in ten seconds", async () => {
    let asked = 0;
    const SERVICE_STATE = {
      getByName: () => ({ read: async () => ((asked += 1), NOTHING_PAUSED) }),
    } as unknown as typeof env.SERVICE_STATE;
    const known = world.isolate();
    const ask = () => known.of({ ...env, SERVICE_STATE }, 1);
    await Promise.all([ask(), ask()]);
    await ask();
    expect(asked, "neither of the first two can wait for the other's answer").toBe(2);
    world.clock.advance(10_000);
    await Promise.all([ask(), ask()]);
    expect(asked).toBe(3);
  });

  it("that is not known stops nothing, and one that was known holds", async () => {
    const SERVICE_STATE = {
      getByName: () => ({ read: () => Promise.reject(new Error("unreachable")) }),
    } as unknown as typeof env.SERVICE_STATE;
    const silent = { ...env, SERVICE_STATE };
    expect(await world.isolate().of(silent, 1)).toBeNull();
    await pause();
    const known = world.isolate();
    expect(await known.of(env, 1)).toMatchObject({ reason: PAUSE_REASON });
    world.clock.advance(MINUTE_MS);
    expect(await known.of(silent, 1)).toMatchObject({ reason: PAUSE_REASON });
  });

  it("of one company stops no other", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    const own = { since: world.clock.now(), reason: PAUSE_REASON, by };
    await systemDependencies.pauses.pause(env, company.id, own);
    await expectProblem(await createTransaction(company), PAUSED);
    expect((await createTransaction(other)).status).toBe(200);
    const { companies, paused } = (await callAsOperator("/service")).body.data;
    expect(paused).toBe(false);
    expect(companies).toMatchObject([
      { companyId: company.id, pause: { reason: PAUSE_REASON, by } },
    ]);
    await systemDependencies.pauses.resume(env, company.id);
    expect((await createTransaction(company)).status).toBe(200);
  });

  it("of one company keeps its callbacks, and the cron rests for it alone", async () => {
    const bank = await givenPsp();
    const { company, psp, options, deps } = bank;
    const charge = await givenTransaction(company, { amount: 2_500 }, options);
    psp.pay(charge.id.replaceAll("-", ""));
    const own = { since: world.clock.now(), reason: PAUSE_REASON, by };
    await systemDependencies.pauses.pause(env, company.id, own);
    const asked = psp.requests.length;
    expect(await deliverCallbacks(bank)).toEqual([200]);
    bank.clock.advance(2 * MINUTE_MS);
    const minute = { task: "sweep_callbacks", at: bank.clock.now(), step: 1, state: null };
    await runTask(bank.env, deps, minute);
    await reconcile(bank);
    await reconcile(bank);
    expect(psp.requests).toHaveLength(asked);

    await systemDependencies.pauses.resume(env, company.id);
    await reconcile(bank);
    expect(psp.requests.length).toBeGreaterThan(asked);
    expect((await accountsOf(company))["available"]).toBe(2_500);
  });

  it("is waited for from the moment at which the object has it, however late that is", async () => {
    const company = await givenCompany();
    const known = world.isolate();
    const asked = { since: world.clock.now(), reason: PAUSE_REASON, by };
    const slow = {
      getByName: (name: string) => {
        const stub = env.SERVICE_STATE.getByName(name);
        return {
          pause: async (target: number, own: typeof asked) => {
            world.clock.advance(5_000);
            return stub.pause(target, own);
          },
        };
      },
    } as unknown as typeof env.SERVICE_STATE;
    await known.pause({ ...env, SERVICE_STATE: slow }, company.id, asked);
    expect(world.waits).toEqual([15_000]);
  });

  it("is asked for again a second after the object did not answer", async () => {
    let fails = true;
    const SERVICE_STATE = {
      getByName: (name: string) => ({
        read: async () => {
          if (fails) throw new Error("reset because its code was updated");
          return env.SERVICE_STATE.getByName(name).read();
        },
      }),
    } as unknown as typeof env.SERVICE_STATE;
    await pause();
    const cold = world.isolate();
    const silent = { ...env, SERVICE_STATE };
    expect(await cold.of(silent, 1)).toBeNull();
    fails = false;
    world.clock.advance(1_000);
    expect(await cold.of(silent, 1)).toMatchObject({ reason: PAUSE_REASON });
  });

  it("needs an admin, a reason, and is in the gateway's trail", async () => {
    const finance = await givenOperator("finance");
    const denied = await call("/api/v1/operator/service/pause", {
      company: finance,
      body: { reason: PAUSE_REASON },
    });
    await expectProblem(denied, { status: 403, code: "FORBIDDEN" });
    const unexplained = { status: 400, code: "VALIDATION_FAILED", fields: ["reason"] };
    await expectProblem(await pause(""), unexplained);
    await pause();
    await resume();
    const entries = await auditEntriesOf(GATEWAY_TRAIL);
    for (const action of ["service.pause", "service.resume"]) {
      const newest = entries.findLast((entry) => entry.action === action);
      expect(newest).toMatchObject({ action, actor: { id: "operator" } });
    }
  });
});
