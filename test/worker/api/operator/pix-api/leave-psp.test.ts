import { describe, expect, it } from "vitest";
import { systemRandom } from "../../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { credentialsVersionOf } from "../../../../../src/db/companies/credentials-version.ts";
import { call, type Call } from "../../../../support/builders/api.ts";
import { env, type TestCompany } from "../../../../support/builders/company.ts";
import { issueKey } from "../../../../support/builders/credentials.ts";
import {
  CONNECTION_LOST,
  CRASH,
  fault,
  withAccounts,
  withD1,
} from "../../../../support/faults/faulty-env.ts";
import { FakePsp } from "../../../../support/fakes/fake-psp/psp.ts";
import { anIsolate } from "../../../../support/faults/isolate.ts";
import { operate } from "../../../../support/builders/operator.ts";
import { expectProblem } from "../../../../support/probes/problem.ts";
import {
  configure,
  deliverCallbacks,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  reconcile,
  type PspWorld,
} from "../../../../support/fakes/psp.ts";
import { countedTrips } from "../../../../support/probes/trips.ts";
import { createTransaction } from "../../../../support/builders/transaction.ts";
import { balanceOf, requestWithdraw, runPayout } from "../../../../support/builders/withdraw.ts";

const CLAIM = /insert into "transactions"/;
const REMOVAL = /delete from "company_providers"/;

/** What somebody else does just before the first such call to D1 is made. */
function before<Answer>(world: PspWorld, on: RegExp, meanwhile: () => Promise<Answer>) {
  let met: Answer | undefined;
  let isMet = false;
  const interrupted = withD1(world.env, async (label, run) => {
    if (on.test(label) && !isMet) {
      isMet = true;
      met = await meanwhile();
    }
    return run();
  });
  return { env: interrupted, met: () => met };
}

function remove({ company, options }: PspWorld, environment = options.env) {
  return operate(pixApiPath(company), { ...options, env: environment!, method: "DELETE" });
}

/** A company that was paid and whose money may be withdrawn. */
async function givenPaid() {
  const world = await givenPsp();
  const created = await createTransaction(world.company, {}, world.options);
  const { id } = created.body.data;
  world.psp.pay(id.replaceAll("-", ""));
  await deliverCallbacks(world);
  return { world, transactionId: id as string };
}

async function statusOf(world: PspWorld, withdraw: { id: number }): Promise<string> {
  const { company, deps } = world;
  await runPayout(company, withdraw.id, deps.providers(world.env), world.env);
  return (await call(`/api/Withdraw/${withdraw.id}`, { ...world.options, company })).body
    .enTransaction;
}

function refund(company: TestCompany, id: string, options: Call) {
  const path = `/api/v1/transactions/${id}/refund`;
  return call(path, { ...options, company, method: "POST" });
}

describe("a create that has read the company before its PSP is left", () => {
  it("PROVIDER_NOT_CONFIGURED: claims nothing and leaves no charge there", async () => {
    const world = await givenPsp();
    const slow = before(world, CLAIM, () => remove(world));
    const deps = { ...world.deps, ...anIsolate() };
    const answer = await createTransaction(world.company, {}, { deps, env: slow.env });
    expect(slow.met()?.status).toBe(200);
    await expectProblem(answer, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
    expect(world.psp.book.cobs.size).toBe(0);
  });

  it("is made at the account that the company has now", async () => {
    const world = await givenPsp();
    const pixKey = newUuid(systemRandom);
    const next = new FakePsp(world.clock, pixKey);
    const both = { ...world.env, PSP_NEXT: { fetch: next.fetch } };
    const providers = () => providerRegistry(both, world.clock);
    const options = { env: both, deps: { ...world.deps, providers } };
    const body = pixApiRequest({ pixKey, certificate: "PSP_NEXT" });
    const slow = before({ ...world, env: both }, CLAIM, () =>
      configure(world.company, body, { options }),
    );
    const deps = { ...options.deps, ...anIsolate() };
    const answer = await createTransaction(world.company, {}, { deps, env: slow.env });
    expect([slow.met()?.status, answer.status]).toEqual([200, 200]);
    expect([world.psp.book.cobs.size, next.book.cobs.size]).toEqual([0, 1]);
  });

  it("keeps the PSP where it was faster", async () => {
    const world = await givenPsp();
    const deps = { ...world.deps, ...anIsolate() };
    const slow = before(world, REMOVAL, () =>
      createTransaction(world.company, {}, { ...world.options, deps }),
    );
    await expectProblem(await remove(world, slow.env), { status: 409, code: "INVALID_STATE" });
    expect(slow.met()?.status).toBe(200);
    world.psp.pay(slow.met()?.body.data.id.replaceAll("-", ""));
    await deliverCallbacks(world);
    await reconcile(world);
    expect((await balanceOf(world.company)).accBalance).toBeGreaterThan(0);
  });
});

describe("money that is asked for between a PSP's object check and D1", () => {
  it("a withdraw is sent, and the PSP is not removed", async () => {
    const { world } = await givenPaid();
    const slow = before(world, REMOVAL, () => requestWithdraw(world.company, {}, world.options));
    await expectProblem(await remove(world, slow.env), { status: 409, code: "INVALID_STATE" });
    expect(slow.met()?.status).toBe(201);
    expect(await statusOf(world, slow.met()?.body)).toBe("Processing");
  });

  it("a refund is sent, and the PSP is not removed", async () => {
    const { world, transactionId } = await givenPaid();
    const slow = before(world, REMOVAL, () => refund(world.company, transactionId, world.options));
    await expectProblem(await remove(world, slow.env), { status: 409, code: "INVALID_STATE" });
    expect(slow.met()?.status).toBe(202);
    expect(world.psp.book.cobs.size).toBe(1);
  });

  it("PROVIDER_NOT_CONFIGURED: a withdraw that comes once the PSP is removed, from what was kept", async () => {
    const { world } = await givenPaid();
    const { company, options } = world;
    const kept = { ...options, deps: { ...world.deps, ...anIsolate() } };
    expect((await requestWithdraw(company, { amount: 999_999 }, kept)).status).toBe(422);
    expect((await remove(world)).status).toBe(200);
    const answer = await requestWithdraw(company, {}, kept);
    await expectProblem(answer, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
  });
});

describe("a removal that does not come to its end", () => {
  it("leaves a company that can withdraw, and may be made again", async () => {
    const { world } = await givenPaid();
    const { company, options } = world;
    const crash = fault({ on: REMOVAL, when: "before" });
    expect((await remove(world, withD1(world.env, crash.around))).status).toBe(500);
    expect(crash.strikes()).toBe(1);
    const withdraw = await requestWithdraw(company, {}, options);
    expect(withdraw.status).toBe(201);
    expect(await statusOf(world, withdraw.body)).toBe("Processing");
  });

  it("leaves a company that can refund", async () => {
    const { world, transactionId } = await givenPaid();
    const crash = fault({ on: REMOVAL, when: "before" });
    await remove(world, withD1(world.env, crash.around));
    expect((await refund(world.company, transactionId, world.options)).status).toBe(202);
  });

  it("is made by the same request once more", async () => {
    const { world } = await givenPaid();
    const crash = fault({ on: REMOVAL, when: "before", error: CRASH });
    await remove(world, withD1(world.env, crash.around));
    expect((await remove(world)).status).toBe(200);
  });

  it("is done where only D1's answer was lost", async () => {
    const { world } = await givenPaid();
    const lost = fault({ on: REMOVAL, when: "after", error: CONNECTION_LOST });
    expect((await remove(world, withD1(world.env, lost.around))).status).toBe(200);
    expect(lost.strikes()).toBe(1);
    expect((await operate(pixApiPath(world.company), world.options)).status).toBe(404);
  });

  it("is done where only the object's answer was lost", async () => {
    const { world } = await givenPaid();
    let calls = 0;
    const losing = withAccounts(world.env, async (label, run) => {
      const answer = await run();
      if (label !== "leaveProvider") return answer;
      calls += 1;
      if (calls === 1) throw Object.assign(new Error("lost"), { retryable: true });
      return answer;
    });
    expect((await remove(world, losing)).status).toBe(200);
    expect(calls).toBe(3);
  });

  it("is tried again where the company is changed meanwhile", async () => {
    const { world } = await givenPaid();
    const slow = before(world, REMOVAL, () => issueKey(world.company));
    expect((await remove(world, slow.env)).status).toBe(200);
  });

  it("costs the next withdraw no trip but that for the changed credentials, where D1 refused it", async () => {
    const { world } = await givenPaid();
    const { company, options } = world;
    await createTransaction(company, {}, options);
    const deps = { ...world.deps, ...anIsolate() };
    expect((await requestWithdraw(company, {}, { ...options, deps })).status).toBe(201);
    await expectProblem(await remove(world), { status: 409, code: "INVALID_STATE" });
    const trips = countedTrips(world.env);
    await requestWithdraw(company, {}, { deps, env: trips.env });
    expect(trips.lap().trips.length).toBeLessThanOrEqual(3);
  });
});

it("a removal tells D1 and the object one and the same version", async () => {
  const { world } = await givenPaid();
  const read = await credentialsVersionOf(env, world.company.id);
  expect((await remove(world)).status).toBe(200);
  expect(await credentialsVersionOf(env, world.company.id)).toBe(read! + 1);
});
