import { NO_DURATIONS } from "../../../../../src/domain/figures/durations.ts";
import { describe, expect, it } from "vitest";
import { systemRandom } from "../../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { credentialsVersionOf } from "../../../../../src/db/companies/credentials-version.ts";
import { findProviderAccount, recordProviderCalls } from "../../../../../src/db/watch/providers.ts";
import { call, type Call } from "../../../../support/builders/requests/api.ts";
import { env, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { issueKey } from "../../../../support/builders/companies/credentials.ts";
import {
  CONNECTION_LOST,
  CRASH,
  injectFault,
  withAccounts,
  withD1,
} from "../../../../support/faults/faulty-env.ts";
import { FakePsp } from "../../../../support/fakes/fake-psp/psp.ts";
import { freshIsolate } from "../../../../support/builders/companies/isolate.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  configurePixApi,
  deliverCallbacks,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  reconcile,
  type PspSetup,
} from "../../../../support/builders/providers/psp.ts";
import { countRoundTrips } from "../../../../support/probes/database/round-trips.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";

const CLAIM = /insert into "transactions"/;
const REMOVAL = /update "psp_accounts"/;

/** Runs a concurrent action just before the first matching D1 call. */
function runBefore<Answer>(world: PspSetup, on: RegExp, action: () => Promise<Answer>) {
  let met: Answer | undefined;
  let isMet = false;
  const interrupted = withD1(world.env, async (label, run) => {
    if (on.test(label) && !isMet) {
      isMet = true;
      met = await action();
    }
    return run();
  });
  return { env: interrupted, met: () => met };
}

function disconnectProvider({ company, options }: PspSetup, environment = options.env) {
  return callAsOperator(pixApiPath(company), { ...options, env: environment!, method: "DELETE" });
}

/** A company with a paid charge and money to withdraw. */
async function givenPaid() {
  const world = await givenPsp();
  const created = await createTransaction(world.company, {}, world.options);
  const { id } = created.body.data;
  world.psp.pay(id.replaceAll("-", ""));
  await deliverCallbacks(world);
  return { world, transactionId: id as string };
}

it("an account that failed raises no alarm once its company has disconnected it", async () => {
  const world = await givenPsp();
  const { id: companyId } = world.company;
  const lastFault = { call: "GET cob", fault: "timeout", traceId: null, durationMs: 15_000 };
  const account = { companyId, account: "first", host: "pix.bank.example" };
  const calls = {
    calls: 1,
    faults: 1,
    refusals: 0,
    quotas: {},
    succeededAt: null,
    faultedAt: 1,
    lastFault,
  };
  const recorded = { ...account, ...calls, durations: NO_DURATIONS, endpoints: { "GET cob": 1 } };
  await recordProviderCalls(env, [recorded], "2026-11-23");
  expect((await disconnectProvider(world)).status).toBe(200);
  expect(await findProviderAccount(env, companyId, "first")).toBeNull();
});

async function statusOf(world: PspSetup, withdraw: { id: number }): Promise<string> {
  const { company, deps } = world;
  await runPayout(company, withdraw.id, deps.providers(world.env), world.env);
  return (await call(`/api/Withdraw/${withdraw.id}`, { ...world.options, company })).body
    .enTransaction;
}

function refund(company: TestCompany, id: string, options: Call) {
  const path = `/api/v1/transactions/${id}/refund`;
  return call(path, {
    ...options,
    company,
    method: "POST",
    headers: { "Idempotency-Key": crypto.randomUUID() },
  });
}

describe("a create that read the company before its PSP was disconnected", () => {
  it("PROVIDER_NOT_CONFIGURED: claims nothing and creates no charge at the PSP", async () => {
    const world = await givenPsp();
    const slow = runBefore(world, CLAIM, () => disconnectProvider(world));
    const deps = { ...world.deps, ...freshIsolate() };
    const answer = await createTransaction(world.company, {}, { deps, env: slow.env });
    expect(slow.met()?.status).toBe(200);
    await expectProblem(answer, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
    expect(world.psp.book.cobs.size).toBe(0);
  });

  it("is sent to the company's current account", async () => {
    const world = await givenPsp();
    const pixKey = newUuid(systemRandom);
    const next = new FakePsp(world.clock, pixKey);
    const both = { ...world.env, PSP_NEXT: { fetch: next.fetch } };
    const providers = () => providerRegistry(both, world.clock);
    const options = { env: both, deps: { ...world.deps, providers } };
    const body = pixApiRequest({ pixKey, certificate: "PSP_NEXT" });
    const slow = runBefore({ ...world, env: both }, CLAIM, () =>
      configurePixApi(world.company, body, { options }),
    );
    const deps = { ...options.deps, ...freshIsolate() };
    const answer = await createTransaction(world.company, {}, { deps, env: slow.env });
    expect([slow.met()?.status, answer.status]).toEqual([200, 200]);
    expect([world.psp.book.cobs.size, next.book.cobs.size]).toEqual([0, 1]);
  });

  it("keeps the PSP connected when the create wins the race", async () => {
    const world = await givenPsp();
    const deps = { ...world.deps, ...freshIsolate() };
    const slow = runBefore(world, REMOVAL, () =>
      createTransaction(world.company, {}, { ...world.options, deps }),
    );
    await expectProblem(await disconnectProvider(world, slow.env), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect(slow.met()?.status).toBe(200);
    world.psp.pay(slow.met()?.body.data.id.replaceAll("-", ""));
    await deliverCallbacks(world);
    await reconcile(world);
    expect((await balanceOf(world.company)).accBalance).toBeGreaterThan(0);
  });
});

describe("a payout or refund between the disconnect checks of the object and of D1", () => {
  it("a withdraw is sent and the PSP stays connected", async () => {
    const { world } = await givenPaid();
    const slow = runBefore(world, REMOVAL, () => requestWithdraw(world.company, {}, world.options));
    await expectProblem(await disconnectProvider(world, slow.env), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect(slow.met()?.status).toBe(201);
    expect(await statusOf(world, slow.met()?.body)).toBe("Processing");
  });

  it("a refund is sent and the PSP stays connected", async () => {
    const { world, transactionId } = await givenPaid();
    const slow = runBefore(world, REMOVAL, () =>
      refund(world.company, transactionId, world.options),
    );
    await expectProblem(await disconnectProvider(world, slow.env), {
      status: 409,
      code: "INVALID_STATE",
    });
    expect(slow.met()?.status).toBe(202);
    expect(world.psp.book.cobs.size).toBe(1);
  });

  it("PROVIDER_NOT_CONFIGURED: rejects a withdraw with cached credentials after the disconnect", async () => {
    const { world } = await givenPaid();
    const { company, options } = world;
    const kept = { ...options, deps: { ...world.deps, ...freshIsolate() } };
    expect((await requestWithdraw(company, { amount: 999_999 }, kept)).status).toBe(422);
    expect((await disconnectProvider(world)).status).toBe(200);
    const answer = await requestWithdraw(company, {}, kept);
    await expectProblem(answer, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
  });
});

describe("a disconnect that does not complete", () => {
  it("leaves withdraws working and can be retried", async () => {
    const { world } = await givenPaid();
    const { company, options } = world;
    const crash = injectFault({ on: REMOVAL, when: "before" });
    expect((await disconnectProvider(world, withD1(world.env, crash.intercept))).status).toBe(500);
    expect(crash.injections()).toBe(1);
    const withdraw = await requestWithdraw(company, {}, options);
    expect(withdraw.status).toBe(201);
    expect(await statusOf(world, withdraw.body)).toBe("Processing");
  });

  it("leaves refunds working", async () => {
    const { world, transactionId } = await givenPaid();
    const crash = injectFault({ on: REMOVAL, when: "before" });
    await disconnectProvider(world, withD1(world.env, crash.intercept));
    expect((await refund(world.company, transactionId, world.options)).status).toBe(202);
  });

  it("is completed by the same request on a retry", async () => {
    const { world } = await givenPaid();
    const crash = injectFault({ on: REMOVAL, when: "before", error: CRASH });
    await disconnectProvider(world, withD1(world.env, crash.intercept));
    expect((await disconnectProvider(world)).status).toBe(200);
  });

  it("is complete when only D1's response was lost", async () => {
    const { world } = await givenPaid();
    const lost = injectFault({ on: REMOVAL, when: "after", error: CONNECTION_LOST });
    expect((await disconnectProvider(world, withD1(world.env, lost.intercept))).status).toBe(200);
    expect(lost.injections()).toBe(1);
    expect((await callAsOperator(pixApiPath(world.company), world.options)).status).toBe(404);
  });

  it("is complete when only the object's response was lost", async () => {
    const { world } = await givenPaid();
    let calls = 0;
    const losing = withAccounts(world.env, async (label, run) => {
      const answer = await run();
      if (label !== "retireCredentials") return answer;
      calls += 1;
      if (calls === 1) throw Object.assign(new Error("lost"), { retryable: true });
      return answer;
    });
    expect((await disconnectProvider(world, losing)).status).toBe(200);
    expect(calls).toBe(3);
  });

  it("is retried when the company changes concurrently", async () => {
    const { world } = await givenPaid();
    const slow = runBefore(world, REMOVAL, () => issueKey(world.company));
    expect((await disconnectProvider(world, slow.env)).status).toBe(200);
  });

  it("costs the next withdraw only the round trip for the changed credentials, when D1 rejected it", async () => {
    const { world } = await givenPaid();
    const { company, options } = world;
    await createTransaction(company, {}, options);
    const deps = { ...world.deps, ...freshIsolate() };
    expect((await requestWithdraw(company, {}, { ...options, deps })).status).toBe(201);
    await expectProblem(await disconnectProvider(world), { status: 409, code: "INVALID_STATE" });
    const trips = countRoundTrips(world.env);
    await requestWithdraw(company, {}, { deps, env: trips.env });
    expect(trips.lap().trips.length).toBeLessThanOrEqual(3);
  });
});

it("a disconnect writes the same version to D1 and to the object", async () => {
  const { world } = await givenPaid();
  const read = await credentialsVersionOf(env, world.company.id);
  expect((await disconnectProvider(world)).status).toBe(200);
  expect(await credentialsVersionOf(env, world.company.id)).toBe(read! + 1);
});
