import { beforeEach, expect, it } from "vitest";
import { systemRandom } from "../../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../../src/domain/shared/ids.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { clearBacklog } from "../../../../support/builders/companies/company.ts";
import {
  callAsOperator,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import {
  accountPath,
  accountsOf,
  connectAccount,
  patchAccount,
  pixAccount,
} from "../../../../support/builders/providers/accounts.ts";
import {
  deliverCallbacks,
  givenPsp,
  pixApiPath,
  type PspSetup,
} from "../../../../support/builders/providers/psp.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import { FakePsp } from "../../../../support/fakes/fake-psp/psp.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const CHARGE = 2_500;
const CONFLICT = { status: 409, code: "INVALID_STATE" };

beforeEach(restoreLocalOperators);

/** A company with its first PIX account and a second one at another PSP, which is asked after the first. */
async function givenTwoAccounts() {
  const first = await givenPsp();
  const pixKey = newUuid(systemRandom);
  const next = new FakePsp(first.clock, pixKey);
  const both = { ...first.env, PSP_NEXT: { fetch: next.fetch } };
  const deps = { ...first.deps, providers: () => providerRegistry(both, first.clock) };
  const world: PspSetup = { ...first, env: both, deps, options: { env: both, deps } };
  const second = pixAccount({ pixKey, certificate: "PSP_NEXT" }, { priority: 2 });
  await connectAccount(first.company, "second", second, world);
  const charge = async () => {
    const created = await createTransaction(first.company, { amount: CHARGE }, world.options);
    expect(created.status, created.text).toBe(200);
    return created.body.data.id as string;
  };
  return { ...world, first: first.psp, second: next, world, charge };
}

const txidOf = (transactionId: string) => transactionId.replaceAll("-", "");

it("a company's charges, refunds and payouts stay at the account that they began at", async () => {
  const { company, clock, world, first, second, charge } = await givenTwoAccounts();
  const old = await charge();
  expect([first.book.cobs.size, second.book.cobs.size]).toEqual([1, 0]);

  const drained = await patchAccount(company, "first", { state: "draining" }, world);
  expect(drained.status, drained.text).toBe(200);
  const fresh = await charge();
  expect([first.book.cobs.size, second.book.cobs.size]).toEqual([1, 1]);

  second.pay(txidOf(fresh));
  // Two fake PSPs use the same numbers for payments of the same minute.
  clock.advance(60_000);
  first.pay(txidOf(old));
  await deliverCallbacks({ ...world, psp: second });
  await deliverCallbacks({ ...world, psp: first });
  expect((await transactionsOf(company)).map(({ status }) => status)).toEqual(["paid", "paid"]);

  const asked = second.requests.length;
  const back = await refund(company, old, 1_000, world.options);
  expect(back.status, back.text).toBe(202);
  expect(first.book.received[0]?.devolucoes).toMatchObject([{ valor: "10.00" }]);
  expect(second.requests.slice(asked)).toEqual([]);

  const withdraw = await requestWithdraw(company, { amount: 2_000 }, world.options);
  expect(withdraw.status, withdraw.text).toBe(201);
  await runPayout(company, 1, world.deps.providers(world.env), world.env);
  expect([first.book.envios.size, second.book.envios.size]).toEqual([0, 1]);
  await clearBacklog(company.id);
});

it("an account is disconnected once nothing of it is open, and no other with it", async () => {
  const { company, world, options, first, charge } = await givenTwoAccounts();
  const open = await charge();
  const gone = (account: string) =>
    callAsOperator(accountPath(company, account), { ...options, method: "DELETE" });
  const inUse = await gone("first");
  await expectProblem(inUse, CONFLICT);
  expect(inUse.body.reason).toBe("company_in_use");

  expect((await gone("second")).status).toBe(200);
  expect(await accountsOf(company, world)).toMatchObject([
    { account: "first", state: "active" },
    { account: "second", state: "disconnected", callbackUrl: null },
  ]);
  expect((await gone("second")).status).toBe(404);
  first.pay(txidOf(open));
  await deliverCallbacks({ ...world, psp: first });
  expect((await transactionsOf(company)).map(({ status }) => status)).toEqual(["paid"]);
  await clearBacklog(company.id);
});

it("the route of one PSP touches its account only", async () => {
  const { company, world, options } = await givenTwoAccounts();
  const removed = await callAsOperator(pixApiPath(company), { ...options, method: "DELETE" });
  expect(removed.status, removed.text).toBe(200);
  expect(await accountsOf(company, world)).toMatchObject([
    { account: "second", state: "active" },
    { account: "first", state: "disconnected" },
  ]);
  const shown = await callAsOperator(pixApiPath(company), options);
  expect(shown.body).toMatchObject({ account: "second", formerAccounts: [{ account: "first" }] });
});
