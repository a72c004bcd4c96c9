import { expect, it } from "vitest";
import { addDays } from "../../../../../src/domain/shared/calendar-day.ts";
import { MARKED_BOLETO } from "../../../../support/builders/charges/marked-payer.ts";
import {
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { live } from "../../../../support/builders/companies/clocked-shop.ts";
import { askFork, givenFork } from "../../../../support/builders/companies/fork.ts";
import {
  actOnLink,
  givenLink,
  openLink,
} from "../../../../support/builders/charges/payment-links.ts";
import { copyCharge } from "../../../../support/builders/charges/copied-charges.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { changeDueDate, refund } from "../../../../support/builders/operations/refund.ts";
import { deliverCallbacks, givenPsp } from "../../../../support/builders/providers/psp.ts";
import { receivePayment } from "../../../../support/builders/providers/psp-money.ts";
import {
  givenUnexpectedPayment,
  reportDispute,
} from "../../../../support/builders/reconciliation/provider-reports.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import { withAccounts } from "../../../../support/faults/faulty-env.ts";
import { cronDeps } from "../../../../support/fakes/cron.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { auditAll } from "../../../../support/probes/ledger/audit.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const CLOCK = "/api/v1/sandbox/clock";
/** What D1 takes as one value. */
const VALUE_MAX_BYTES = 2_000_000;

const timeOf = async (company: TestCompany) =>
  Date.parse((await call(CLOCK, { company })).body.data.now);

it("a live company with all kinds of pending work is copied, and its copy too; both live a year", async () => {
  const world = await givenPsp();
  const { company, psp, options, deps } = world;
  const { charge, paymentId } = await receivePayment(world);
  psp.payKey("55.00");
  await deliverCallbacks(world);
  const unexpected = await givenUnexpectedPayment(company, 2_500);
  await reportDispute(company, unexpected.paymentId);
  const { body } = await requestWithdraw(company, { amount: 2_000 }, options);
  await runPayout(company, body.id, deps.providers(world.env), world.env);
  expect((await refund(company, charge.id, 1_000, options)).status).toBe(202);
  psp.dispute(paymentId);
  await deliverCallbacks(world);
  await waitUntilDrained(company);
  const asked = psp.requests.length;
  const copy = await givenFork(company, options);
  const again = await givenFork(copy, options);
  const disputes: string[] = [];
  for (const each of [copy, again]) {
    const own = { company: each, ...options };
    const { items } = (await call("/api/v1/disputes", own)).body;
    expect(items).toMatchObject([
      { status: "open", transactionId: expect.any(String) },
      { status: "open", transactionId: null, amount: 1_000 },
    ]);
    disputes.push(...items.map(({ id }: { id: string }) => id));
    await call("/api/v1/sandbox/withdraws/1/pay", { method: "POST", ...own });
    expect((await call("/api/Withdraw/1", own)).body.enTransaction).toBe("Paid");
    await live(own, { advance: "P31D" });
    await live(own, { advance: "P335D" });
    expect(await auditAll(each, true)).toMatchObject({ done: true, violations: [] });
  }
  expect(new Set(disputes).size).toBe(4);
  expect(psp.requests).toHaveLength(asked);
});

it("the links of a copy sell on at their own addresses, with the places that are left", async () => {
  const company = await givenCompany();
  const fields = [
    { name: "name", required: true },
    { name: "email", required: false },
  ];
  const payer = { name: "Maria da Silva" };
  const { slug } = await givenLink(company, { maxPayments: 3, fields });
  expect((await actOnLink(slug, payer)).status).toBe(303);
  await waitUntilDrained(company);
  const copy = await givenFork(company);
  const [link] = (await call("/api/v1/payment-links", { company: copy })).body.items;
  expect(link).toMatchObject({ status: "active", openCount: 1, maxPayments: 3, fields });
  for (let sold = 1; sold < 3; sold++) expect((await actOnLink(link.slug, payer)).status).toBe(303);
  expect((await openLink(link.slug)).text).toContain("Não há vagas");
  expect((await openLink(slug)).text).not.toContain("Não há vagas");
});

it("a company without charges is copied, and its copy sells", async () => {
  const copy = await givenFork(await givenCompany());
  await givenPaid(copy, 1_000);
  expect(await auditAll(copy, true)).toMatchObject({ done: true, violations: [] });
});

it("a copy has the time that its original had when it was read", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await waitUntilDrained(company);
  let isMoved = false;
  const during = withAccounts(env, async (label, run) => {
    if (label === "readForFork" && !isMoved) {
      isMoved = true;
      await live({ company }, { advance: "P31D" });
      await givenPaid(company, 1_000);
    }
    return run();
  });
  const copy = await givenFork(company, { env: during });
  expect(Math.abs((await timeOf(company)) - (await timeOf(copy)))).toBeLessThan(60_000);
});

it("a copy that takes longer than its lease, and is erased by the next, is not opened", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000 });
  await waitUntilDrained(company);
  let isErased = false;
  const during = withAccounts(env, async (label, run) => {
    const answer = await run();
    if (label === "auditLedger" && !isErased) {
      isErased = true;
      clock.advance(11 * 60_000);
      await givenFork(company, { deps: { platformClock: clock } });
    }
    return answer;
  });
  const key = "fork-slow";
  const slow = await askFork(company, { key, env: during });
  await expectProblem(slow, { status: 409, code: "INVALID_STATE" });
  const left = env.DB.prepare("SELECT count(*) AS n FROM company_forks WHERE idempotency_key = ?");
  expect(await left.bind(key).first("n")).toBe(0);
  expect((await askFork(company, { key })).status).toBe(201);
});

it("charges with long texts are written in statements that D1 takes", async () => {
  const company = await givenCompany();
  const item = { title: "Livro", unitPrice: 12_345_678, quantity: 12_345, tangible: true };
  const items = Array.from({ length: 100 }, () => item);
  const { id } = await givenTransaction(company, { items });
  await pay(company, id);
  await waitUntilDrained(company);
  for (let seq = 2; seq <= 240; seq++) await copyCharge(company, seq, {});
  let largest = 0;
  const DB = new Proxy(env.DB, {
    get(target, name: keyof D1Database) {
      if (name !== "prepare") return (...given: never[]) => (target[name] as any)(...given);
      return (sql: string) => {
        const statement = target.prepare(sql);
        if (!sql.startsWith('INSERT INTO "transactions"')) return statement;
        const bind = (...values: unknown[]) => {
          largest = Math.max(largest, ...values.map((value) => String(value).length));
          return statement.bind(...values);
        };
        return { bind };
      };
    },
  });
  const copy = await givenFork(company, { env: { ...env, DB } });
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThan(VALUE_MAX_BYTES);
  const count = env.DB.prepare("SELECT count(*) AS n FROM transactions WHERE company_id = ?");
  expect(await count.bind(copy.id).first("n")).toBe(240);
});

it("changes of due dates are copied with their days, and without the lines of the house", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const { id, boleto } = await givenTransaction(company, MARKED_BOLETO, { deps });
  const first: string = boleto.dueDate;
  const [second, third] = [addDays(first, 4), addDays(first, 8)];
  expect((await changeDueDate(company, id, second, { deps })).status).toBe(200);
  bank.onDueDate = async () => ({ kind: "unknown" });
  expect((await changeDueDate(company, id, third, { deps })).status).toBe(202);
  await waitUntilDrained(company);

  const copy = await givenFork(company, { deps });

  const copied = await inAccount(copy.id, (_account, { storage }) =>
    storage.sql
      .exec<{ status: string; due_date: string }>("SELECT status, due_date FROM operations")
      .toArray()
      .map(({ status, due_date: dueDate }) => [status, JSON.parse(dueDate)]),
  );
  expect(copied).toEqual([
    [
      "DONE",
      {
        from: first,
        to: second,
        expiresAt: expect.any(Number),
        boleto: { dueDate: second, registered: null, expiresAt: expect.any(Number), version: 2 },
      },
    ],
    ["PENDING", { from: second, to: third, expiresAt: expect.any(Number) }],
  ]);
  const copiedId = await env.DB.prepare("SELECT id FROM transactions WHERE company_id = ?")
    .bind(copy.id)
    .first<string>("id");
  const answer = await call(`/api/v1/transactions/${copiedId}`, { company: copy });
  expect(answer.status, answer.text).toBe(200);
  const shown = answer.body.data;
  expect(shown.boleto.dueDate).toBe(second);
  expect(shown.boleto.digitableLine).toEqual(expect.any(String));
  expect(await auditAll(copy, true)).toMatchObject({ done: true, violations: [] });
});
