import { expect, it } from "vitest";
import { breaks } from "../../../../../src/lib/fields/rules.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  throwError,
  blockingProvider,
  ScriptedProvider,
  registerCharge,
  giveNoResponse,
} from "../../../../support/fakes/provider.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";

const KEY = "tx_silent";
const UNAVAILABLE = { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true };
const LEASE_MS = 30_000;

it.each([
  ["gives no response", giveNoResponse],
  ["throws an error", throwError],
])("PROVIDER_UNAVAILABLE: a provider that %s", async (_how, answering) => {
  const company = await givenCompany();
  const provider = new ScriptedProvider(answering);
  const answer = await createTransaction(company, {}, { key: KEY, deps: provider.deps });
  await expectProblem(answer, UNAVAILABLE);
  expect(answer.text).not.toContain("hang up");
  const list = await call("/api/Transaction/company/transactions", { company });
  expect(list.body.res.items).toEqual([expect.objectContaining({ status: "PENDING" })]);
});

it("the same key resumes the charge under the same id at the provider", async () => {
  const company = await givenCompany();
  const provider = new ScriptedProvider(giveNoResponse);
  const request = { amount: 777, customer: { name: "Maria" } };
  await createTransaction(company, request, { key: KEY, deps: provider.deps });
  await createTransaction(company, request, { key: KEY, deps: provider.deps });
  provider.onCreate = registerCharge;
  const resumed = await createTransaction(company, request, { key: KEY, deps: provider.deps });
  expect(resumed.status).toBe(200);
  expect(resumed.body.data).toMatchObject({ amount: 777, status: "WAITING_PAYMENT" });
  const ids = provider.orders.map((order) => order.chargeId);
  expect(ids).toHaveLength(3);
  expect(new Set(ids)).toEqual(new Set([resumed.body.data.id.replaceAll("-", "")]));
  const list = await call("/api/Transaction/company/transactions", { company });
  expect(list.body.res.totalItems).toBe(1);
});

it("NOT_SUPPORTED_BY_PROVIDER: nothing is stored of an order that the account cannot carry out", async () => {
  const company = await givenCompany();
  const provider = new ScriptedProvider(registerCharge);
  provider.orderFaults = () => ({ "customer.email": [breaks("required")] });
  const answer = await expectNoSideEffects(company, () =>
    createTransaction(company, {}, { key: KEY, deps: provider.deps }),
  );
  await expectProblem(answer, {
    status: 422,
    code: "NOT_SUPPORTED_BY_PROVIDER",
    fields: ["customer.email"],
  });
  expect(answer.body.rules).toEqual({ "customer.email": [{ rule: "required" }] });
  expect(provider.orders).toEqual([]);
});

it("a charge that was made is replayed when its account could no longer make it", async () => {
  const company = await givenCompany();
  const provider = new ScriptedProvider(registerCharge);
  const made = await createTransaction(company, {}, { key: KEY, deps: provider.deps });
  provider.orderFaults = () => ({ "customer.email": [breaks("required")] });
  const replayed = await createTransaction(company, {}, { key: KEY, deps: provider.deps });
  expect(replayed.text).toBe(made.text);
});

it("the resumed charge is replayed from then on", async () => {
  const company = await givenCompany();
  const provider = new ScriptedProvider(giveNoResponse);
  await createTransaction(company, {}, { key: KEY, deps: provider.deps });
  provider.onCreate = registerCharge;
  const resumed = await createTransaction(company, {}, { key: KEY, deps: provider.deps });
  const replayed = await createTransaction(company, {}, { key: KEY, deps: provider.deps });
  expect(replayed.text).toBe(resumed.text);
  expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
  expect(provider.orders).toHaveLength(2);
});

it("IDEMPOTENCY_KEY_REUSED: rejects another body under the key of an unfinished charge", async () => {
  const company = await givenCompany();
  const provider = new ScriptedProvider(giveNoResponse);
  await createTransaction(company, { amount: 1 }, { key: KEY, deps: provider.deps });
  const answer = await expectNoSideEffects(company, () =>
    createTransaction(company, { amount: 2 }, { key: KEY, deps: provider.deps }),
  );
  await expectProblem(answer, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
});

it("IDEMPOTENCY_IN_PROGRESS: the first request with the key is still running", async () => {
  const company = await givenCompany();
  const { provider, asked, letGo } = blockingProvider();
  // It stands still, so that the first one's lease does not lapse on a busy machine.
  const deps = { ...provider.deps, platformClock: new TestClock() };
  const first = createTransaction(company, {}, { key: KEY, deps });
  await asked;
  const second = await createTransaction(company, {}, { key: KEY, deps });
  await expectProblem(second, {
    status: 409,
    code: "IDEMPOTENCY_IN_PROGRESS",
    retryAfter: true,
  });
  letGo();
  expect((await first).status).toBe(200);
  expect(provider.orders).toHaveLength(1);
});

it("a request that waits for a running one with its key gets its response", async () => {
  const company = await givenCompany();
  const { provider, asked, letGo } = blockingProvider();
  const first = createTransaction(company, {}, { key: KEY, deps: provider.deps });
  await asked;
  const second = createTransaction(company, {}, { key: KEY, deps: provider.deps });
  letGo();
  expect((await second).text).toBe((await first).text);
  expect((await second).headers.get("Idempotent-Replayed")).toBe("true");
  expect(provider.orders).toHaveLength(1);
});

it("after the lease of 30 s the next request steals it, and both return the same charge", async () => {
  const company = await givenCompany();
  const { provider, asked, letGo } = blockingProvider();
  const clock = new TestClock();
  const hung = createTransaction(
    company,
    {},
    { key: KEY, deps: { ...provider.deps, platformClock: clock } },
  );
  await asked;
  clock.advance(LEASE_MS + 1);
  const other = new ScriptedProvider(registerCharge);
  const taken = await createTransaction(
    company,
    {},
    { key: KEY, deps: { ...other.deps, platformClock: clock } },
  );
  expect(taken.status).toBe(200);
  expect(other.orders[0]?.chargeId).toBe(provider.orders[0]?.chargeId);
  letGo();
  expect((await hung).text).toBe(taken.text);
});
