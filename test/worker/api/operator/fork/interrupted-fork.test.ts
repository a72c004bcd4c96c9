import { describe, expect, it } from "vitest";
import { moveCompany } from "../../../../../src/db/sharding/move/move-company.ts";
import { DATABASE_TABLES } from "../../../../../src/db/fork/database-tables.ts";
import { companyTables } from "../../../../../src/db/sharding/move/company-tables.ts";
import { LEFT_BEHIND, OBJECT_TABLES } from "../../../../../src/domain/fork/object-tables.ts";
import {
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
} from "../../../../support/builders/companies/company.ts";
import {
  archiveAll,
  givenPaidCharges,
} from "../../../../support/builders/companies/archived-rows.ts";
import { askFork, givenFork } from "../../../../support/builders/companies/fork.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { givenSecondDatabase, newIsolate } from "../../../../support/builders/companies/sharded.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { MARKED_BOLETO } from "../../../../support/builders/charges/marked-payer.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { givenPsp } from "../../../../support/builders/providers/psp.ts";
import { receivePayment } from "../../../../support/builders/providers/psp-money.ts";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import { injectFault, withAccounts, withD1 } from "../../../../support/faults/faulty-env.ts";
import { tamper } from "../../../../support/faults/tamper.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { dumpD1 } from "../../../../support/probes/database/dumps.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

/** Asserts that a fork is refused, and why. */
async function expectRefused(answer: Answer, reason: string): Promise<void> {
  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  expect(answer.body.reason).toBe(reason);
}

const newestCompany = () =>
  env.DB.prepare("SELECT max(company_id) FROM company_creations").first<number>(
    "max(company_id)",
  ) as Promise<number>;

/** Tables with rows of a company in D1; its number is taken for good, and the sandbox's bank forgets nothing. */
async function rowsLeft(companyId: number): Promise<string[]> {
  const dump = await dumpD1(companyId);
  return dump
    .split("\n")
    .filter((line) => !line.endsWith(" []") && !/^(?:company_creations|d1_|sandbox_)/.test(line));
}

describe("every table and column", () => {
  it("of the object is copied or left behind by name", async () => {
    const company = await givenCompany({ balance: 100 });
    const found = await inAccount(company.id, (_account, { storage }) => {
      const tables = storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
        )
        .toArray();
      return tables.map(({ name }): [string, string[]] => [
        name,
        storage.sql
          .exec<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`)
          .toArray()
          .map((column) => column.name),
      ]);
    });
    const named = Object.entries(OBJECT_TABLES).map(([name, columns]): [string, string[]] => [
      name,
      Object.keys(columns),
    ]);
    const copied = found.filter(([name]) => !LEFT_BEHIND.includes(name));
    expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(named));
    expect(found.length).toBe(named.length + LEFT_BEHIND.length);
  });

  it("of D1 with rows of companies is named", async () => {
    const tables = (await companyTables(env.DB)).map(({ name }) => name);
    const foreign = ["sandbox_card_tokens"];
    expect([...tables, ...foreign].toSorted()).toEqual(Object.keys(DATABASE_TABLES).toSorted());
  });
});

describe("a fork that is cut off", () => {
  it.each([
    ["while its charges are written", /^INSERT INTO "transactions"/, withD1],
    ["while its object is written", /^writeFork$/, withAccounts],
    ["while its bank is told", /^INSERT INTO "sandbox_payments"/, withD1],
    ["before its company is there", /insert into "companies"/, withD1],
    ["before its object lives", /^finishFork$/, withAccounts],
    ["while its copies are compared", /^auditLedger$/, withAccounts],
    ["before it opens", /insert into "applications"/, withD1],
  ])("%s leaves nothing that looks whole, and is made anew", async (_when, on, faulty) => {
    const company = await givenCompany({ balance: 5_000 });
    await givenTransaction(company);
    await waitUntilDrained(company);
    const fault = injectFault({ on, when: "before" });
    const key = `fork-cut-${String(on)}`.replaceAll(/[^a-zA-Z-]/g, "");
    const answer = await askFork(company, { key, env: faulty(env, fault.intercept) });
    expect(fault.injections()).toBe(1);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    const cut = await newestCompany();
    expect(await rowsLeft(cut)).toEqual([]);
    const again = await askFork(company, { key });
    expect(again.status).toBe(201);
    expect(again.body.data.companyId).toBeGreaterThan(cut);
  });

  it("and could not be erased is closed, is in progress for its key, and erased by the next", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ balance: 5_000 });
    await waitUntilDrained(company);
    const fault = injectFault({
      on: /insert into "applications"|^DELETE FROM/,
      when: "before",
      times: Infinity,
    });
    const cut = await askFork(company, { key: "fork-left", env: withD1(env, fault.intercept) });
    expect(cut.status).toBeGreaterThanOrEqual(500);
    const left = await newestCompany();
    const row = env.DB.prepare("SELECT closed_at FROM companies WHERE id = ?").bind(left);
    expect(await row.first("closed_at")).not.toBeNull();
    await expectProblem(await askFork(company, { key: "fork-left" }), {
      status: 409,
      code: "IDEMPOTENCY_IN_PROGRESS",
      retryAfter: true,
    });
    clock.advance(11 * 60_000);
    const again = await askFork(company, { key: "fork-left", deps: { platformClock: clock } });
    expect(again.status).toBe(201);
    expect(await rowsLeft(left)).toEqual([]);
  });
});

describe("a company that is not as it seems now", () => {
  it("is not forked while it is moved", async () => {
    await givenSecondDatabase();
    const isolate = newIsolate();
    const company = await givenCompany();
    await moveCompany(isolate, company.id, { to: "DB_2" }, Date.now);
    await expectRefused(await askFork(company, { env: isolate }), "company_moving");
    await moveCompany(isolate, company.id, { abort: true }, Date.now);
  });

  it("is not forked while it is restored", async () => {
    const company = await givenCompany();
    await callAsOperator(`/companies/${company.id}/restore`, { method: "POST", body: {} });
    await expectRefused(await askFork(company), "company_restored");
  });
});

it("a company that the check finds unsound is not forked", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await waitUntilDrained(company);
  await tamper(company, "UPDATE daily_totals SET gross = gross + 1");
  await expectRefused(await askFork(company), "company_unsound");
  expect(await rowsLeft(await newestCompany())).toEqual([]);
  await tamper(company, "UPDATE daily_totals SET gross = gross - 1");
});

describe("the copy of a live company", () => {
  it("never reaches its PSP: what was pending there is pending at the sandbox's bank", async () => {
    const world = await givenPsp();
    const { company, psp, options, deps } = world;
    const { charge } = await receivePayment(world);
    const { body } = await requestWithdraw(company, { amount: 4_000 }, options);
    await runPayout(company, body.id, deps.providers(world.env), world.env);
    const { id: open } = await givenTransaction(company, {}, options);
    await waitUntilDrained(company);
    const before = JSON.stringify([...psp.book.envios.values()]);
    const copy = await givenFork(company, options);
    const { results } = await env.DB.prepare(
      "SELECT id, status, provider, account FROM transactions WHERE company_id = ? ORDER BY seq",
    )
      .bind(copy.id)
      .all<{ id: string; status: string }>();
    expect(results).toMatchObject([
      { status: "paid", provider: "Sandbox", account: "sandbox" },
      { status: "waiting_payment", provider: "Sandbox", account: "sandbox" },
    ]);
    const [paid, waiting] = results;
    expect([paid!.id, waiting!.id]).not.toContain(charge.id);
    const ended = await call("/api/v1/sandbox/withdraws/1/pay", {
      method: "POST",
      company: copy,
      ...options,
    });
    expect(ended.status).toBe(200);
    const settled = await call("/api/Withdraw/1", { company: copy, ...options });
    expect(settled.body.enTransaction).toBe("Paid");
    expect((await refund(copy, paid!.id, 1_000, options)).body.data.refunds).toMatchObject([
      { amount: 1_000, status: "DONE" },
    ]);
    expect((await pay(copy, waiting!.id, undefined, options)).body.data.status).toBe("PAID");
    expect(JSON.stringify([...psp.book.envios.values()])).toBe(before);
    expect(open).not.toBe(waiting!.id);
  });

  it("has charges whose texts have left D1, with codes but without their texts", async () => {
    const { company } = await givenPaidCharges(2);
    const { id: boleto } = await givenTransaction(company, MARKED_BOLETO);
    await pay(company, boleto);
    await waitUntilDrained(company);
    await archiveAll(company);
    const copy = await givenFork(company);
    const { results } = await env.DB.prepare("SELECT id FROM transactions WHERE company_id = ?")
      .bind(copy.id)
      .all<{ id: string }>();
    expect(results).toHaveLength(3);
    for (const { id } of results) {
      const { status, body } = await call(`/api/v1/transactions/${id}`, { company: copy });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.data.status).toBe("PAID");
      const { pix, boleto: slip } = body.data;
      expect(pix?.qrcode ?? slip?.digitableLine).toEqual(expect.any(String));
      expect(pix?.qrcode ?? slip?.digitableLine).not.toBe("");
    }
  });

  it("lives in the database of the sandbox's companies", async () => {
    await givenSecondDatabase();
    const isolate = { ...newIsolate(), SANDBOX_DATABASE: "DB_2" };
    const company = await givenCompany({ balance: 5_000 });
    await waitUntilDrained(company);
    const copy = await givenFork(company, { env: isolate });
    const count = "SELECT count(*) AS n FROM transactions WHERE company_id = ?";
    expect(await isolate.DB_2.prepare(count).bind(copy.id).first("n")).toBe(1);
    expect(await env.DB.prepare(count).bind(copy.id).first("n")).toBe(0);
  });

  it("has the charges that were made while it was read", async () => {
    const company = await givenCompany({ balance: 1_000 });
    await waitUntilDrained(company);
    let isMade = false;
    const during = withAccounts(env, async (label, run) => {
      if (label === "readForFork" && !isMade) {
        isMade = true;
        await givenPaid(company, 7_700);
        await givenTransaction(company);
      }
      return run();
    });
    const copy = await givenFork(company, { env: during });
    const { results } = await env.DB.prepare(
      "SELECT amount, status FROM transactions WHERE company_id = ? ORDER BY seq",
    )
      .bind(copy.id)
      .all();
    expect(results).toMatchObject([{ status: "paid" }, { amount: 7_700, status: "paid" }]);
  });
});
