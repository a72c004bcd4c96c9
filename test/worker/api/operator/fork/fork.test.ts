import { beforeAll, describe, expect, it } from "vitest";
import {
  env,
  inAccount,
  waitUntilDrained,
} from "../../../../support/builders/companies/company.ts";
import { live } from "../../../../support/builders/companies/clocked-shop.ts";
import { askFork, givenFork } from "../../../../support/builders/companies/fork.ts";
import { givenLivedCompany } from "../../../../support/builders/companies/lived-company.ts";
import { MARKER } from "../../../../support/builders/companies/marked-company.ts";
import { callAsOperator, givenOperator } from "../../../../support/builders/companies/operator.ts";
import { ERASED_MARKS } from "../../../../support/builders/charges/marked-payer.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { refund, resolveDispute } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";
import type { TestCompany } from "../../../../support/builders/companies/env.ts";
import {
  changedTables,
  stateOf,
  type State,
} from "../../../../support/probes/database/company-state.ts";
import { rowsOf, tellingStrings } from "../../../../support/probes/database/fork-leaks.ts";
import { auditEntriesOf } from "../../../../support/probes/database/audit-rows.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { auditAll } from "../../../../support/probes/ledger/audit.ts";
import { parseDocument } from "../../../../../src/domain/shared/document.ts";

const OPERATION = "POST /api/v1/operator/companies/{companyId}/fork";
const DAY_MS = 86_400_000;
const NOT_FOUND = { status: 404, code: "NOT_FOUND" };
const FOREIGN = { status: 403, code: "FORBIDDEN" };
const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const KEY_REUSED = { status: 409, code: "IDEMPOTENCY_KEY_REUSED" };

/** What two companies must have equal: amounts, statuses, days and times, in the order of their numbers. */
const EQUAL: Record<string, string> = {
  balances: `SELECT sequence, type, created_at, postings, available, awaiting, blocked, payout, debt, suspense, fees,
    provider FROM movements ORDER BY sequence`,
  charges: `SELECT amount, status, version, paid_at, paid_amount, refunded_amount, movements FROM charges
    ORDER BY updated_at, amount, status, movements`,
  withdraws:
    "SELECT id, amount, fee, status, version, day_sum, movements FROM withdraws ORDER BY id",
  operations: "SELECT id, kind, amount, status, approval, holding FROM operations ORDER BY id",
  disputes: "SELECT number, kind, amount, held, status, reason FROM disputes ORDER BY number",
  releases:
    "SELECT installment, amount, due_at, day FROM releases ORDER BY due_at, amount, installment",
  days: "SELECT * FROM daily_totals ORDER BY day, payment_method",
  links: "SELECT number, paid_count, open_count, is_active FROM payment_links ORDER BY number",
};

function numbersOf({ id }: Pick<TestCompany, "id">) {
  return inAccount(id, (_account, { storage }) =>
    Object.fromEntries(
      Object.entries(EQUAL).map(([name, query]) => [name, storage.sql.exec(query).toArray()]),
    ),
  );
}

/** The balance, without what tells a company from another, and the forecast. */
async function moneyOf(company: TestCompany) {
  const { body } = await call("/api/v1/balance", { company });
  const { companyId: _company, ledgerHash: _hash, ...balance } = body.data;
  const forecast = await call(`/api/Balance/forecast/${company.id}?currency=BRL`, { company });
  expect(forecast.status).toBe(200);
  return { balance, days: forecast.body.items };
}

/** A company's time. */
const timeOf = async (company: TestCompany) =>
  Date.parse((await call("/api/v1/sandbox/clock", { company })).body.data.now);

const rowsInD1 = async (sql: string, companyId: number) =>
  (await env.DB.prepare(sql).bind(companyId).all()).results;

describe("the copy of a company that has lived", () => {
  let original: TestCompany;
  let copy: TestCompany;
  let before: State;
  let telling: string[];
  let transactionId: string;

  beforeAll(async () => {
    ({ company: original, transactionId } = await givenLivedCompany());
    telling = await tellingStrings(original, [MARKER, "marked-evidence", ...ERASED_MARKS]);
    before = await stateOf(original);
    copy = await givenFork(original, { body: { reason: "A wrong balance" } });
  });

  it("has the same balances, statuses and counts to the centavo", async () => {
    expect(await numbersOf(copy)).toStrictEqual(await numbersOf(original));
    const charges = `SELECT seq, amount, status, version, paid_at, paid_amount, refunded_amount, lead_number,
      expires_at, created_at FROM transactions WHERE company_id = ? ORDER BY seq`;
    expect(await rowsInD1(charges, copy.id)).toStrictEqual(await rowsInD1(charges, original.id));
    const [own, others] = [await moneyOf(copy), await moneyOf(original)];
    expect(own).toStrictEqual(others);
  });

  it("is sound to the object's audit and to the operators' check", async () => {
    expect(await auditAll(copy, true)).toMatchObject({ done: true, violations: [] });
    const reconciled = await callAsOperator(`/companies/${copy.id}/reconcile`, { method: "POST" });
    expect(reconciled.body).toMatchObject({ copiesDone: true, ledgerDone: true, violations: [] });
  });

  it("begins its chain with the original's head", async () => {
    const head = await inAccount(original.id, (_account, { storage }) =>
      storage.sql
        .exec<{ movement: number; hash: string }>(
          "SELECT sequence AS movement, hash FROM movements ORDER BY sequence DESC LIMIT 1",
        )
        .one(),
    );
    const first = await inAccount(copy.id, (_account, { storage }) =>
      storage.sql
        .exec<{ details: string }>("SELECT details FROM movements WHERE sequence = 1")
        .one(),
    );
    expect(JSON.parse(first.details).forkedFrom).toStrictEqual({ companyId: original.id, ...head });
    const row = await rowsInD1("SELECT * FROM company_forks WHERE company_id = ?", copy.id);
    expect(row).toMatchObject([
      { original_id: original.id, original_movement: head.movement, original_hash: head.hash },
    ]);
  });

  it("has no string of the original's payers, ids, keys and hashes but the head", async () => {
    const rows = await rowsOf(copy.id);
    const head = JSON.stringify(
      (await rowsInD1("SELECT original_hash FROM company_forks WHERE company_id = ?", copy.id))[0],
    );
    expect(telling.length).toBeGreaterThan(200);
    // The copy is named after it.
    const own = telling.filter((text) => text !== original.name && !head.includes(text));
    expect(own.filter((text) => rows.includes(text))).toEqual([]);
  });

  it("gives each payer one made-up person with a valid document", async () => {
    const payers = await rowsInD1(
      "SELECT payer, lead_number, paid_by, payer_match FROM transactions WHERE company_id = ? ORDER BY seq",
      copy.id,
    );
    const people = payers.map((row) =>
      Object.assign(row, { payer: JSON.parse(String(row["payer"])) }),
    );
    const named = people.filter(({ payer }) => payer.documentNumber !== "");
    expect(named.length).toBeGreaterThan(5);
    for (const { payer } of named) {
      expect(parseDocument(payer.documentNumber)?.number).toBe(payer.documentNumber);
    }
    for (const same of Map.groupBy(named, (each: any) => each.lead_number).values()) {
      expect(new Set(same.map(({ payer }) => `${payer.name} ${payer.documentNumber}`)).size).toBe(
        1,
      );
    }
    for (const row of people as any[]) {
      if (row.payer_match !== "matches") continue;
      const { name, documentMasked } = JSON.parse(row.paid_by);
      expect(documentMasked).toContain(row.payer.documentNumber.slice(3, 6));
      expect(name).toBe(row.payer.name);
    }
    const { documentNumber } = named[0]!.payer;
    const found = await call(`/api/v1/transactions?document=${documentNumber}`, { company: copy });
    expect(found.body.items.length).toBeGreaterThan(0);
    const { id } = await givenTransaction(copy, {
      customer: { name: "Outra vez", document: { number: documentNumber, type: "CPF" } },
    });
    const [made] = await rowsInD1(
      "SELECT id, lead_number FROM transactions WHERE company_id = ? ORDER BY seq DESC LIMIT 1",
      copy.id,
    );
    expect(made).toStrictEqual({ id, lead_number: (named[0] as any).lead_number });
  });

  it("leaves the original's rows as they were, but for the audit trail", async () => {
    expect(changedTables(before, await stateOf(original))).toEqual(["D1 audit_entries"]);
    const entry = (await auditEntriesOf(original.id)).at(-1);
    expect(entry).toMatchObject({
      action: "company.fork",
      target: `company:${original.id}`,
      reason: "A wrong balance",
    });
  });

  it("knows neither the original's key nor its charges", async () => {
    const [own] = await rowsInD1(
      "SELECT id FROM transactions WHERE company_id = ? LIMIT 1",
      copy.id,
    );
    const path = `/api/v1/transactions/${String(own?.["id"])}`;
    await expectProblem(await call(path, { company: original }), FOREIGN);
    await expectProblem(
      await call(`/api/v1/transactions/${transactionId}`, { company: copy }),
      FOREIGN,
    );
    const mixed = { ...copy.credentials, "X-API-Key": original.credentials["X-API-Key"]! };
    await expectProblem(await call(path, { company: { credentials: mixed } }), UNAUTHORIZED);
  });

  it("has no webhook, no person and no event of the original", async () => {
    for (const table of ["events", "deliveries", "webhook_endpoints", "memberships", "emails"]) {
      const rows = await rowsInD1(`SELECT 1 FROM ${table} WHERE company_id = ?`, copy.id);
      expect(rows, table).toEqual([]);
    }
    const [company] = await rowsInD1("SELECT * FROM companies WHERE id = ?", copy.id);
    expect(company).toMatchObject({
      webhook_url: "",
      reminders: null,
      mode: "sandbox",
      closed_at: null,
    });
    expect(JSON.parse(String(company?.["fees"]))).toMatchObject({ PIX: { basisPoints: 99 } });
  });

  it("can be lived on: paid, refunded, disputes decided, withdrawn, and its clock moved by 31 days", async () => {
    const rows = await rowsInD1(
      "SELECT id, status, payment_method AS method FROM transactions WHERE company_id = ? ORDER BY seq",
      copy.id,
    );
    const idOf = (status: string, method: string) =>
      String(rows.find((row) => row["status"] === status && row["method"] === method)?.["id"]);
    expect((await pay(copy, idOf("waiting_payment", "PIX"))).status).toBe(200);
    const boleto = await pay(copy, idOf("waiting_payment", "BOLETO"));
    expect(boleto.body.data.status).toBe("PAID");
    const captured = await call(
      `/api/v1/transactions/${idOf("authorized", "CREDIT_CARD")}/capture`,
      {
        method: "POST",
        company: copy,
        headers: { "Idempotency-Key": "fork-capture" },
      },
    );
    expect(captured.body.data.status).toBe("PAID");
    // The original had asked for a looser limit of refunds, which waits for its day here too.
    const waiting = await refund(copy, idOf("paid", "BOLETO"), 100);
    expect(waiting.body.data.refunds).toMatchObject([{ amount: 100, approval: "pending" }]);
    await live({ company: copy }, { advance: "P4D" });
    const returned = await refund(copy, idOf("paid", "BOLETO"), 100);
    expect(returned.body.data.refunds).toMatchObject([
      { status: "FAILED" },
      { amount: 100, status: "DONE" },
    ]);
    const disputes = await call("/api/v1/disputes", { company: copy });
    const open = disputes.body.items.find(({ status }: any) => status === "open");
    const decided = await resolveDispute(copy, open.transactionId, "won");
    expect(decided.status).toBe(200);
    const asked = await requestWithdraw(copy, { amount: 1_100 });
    expect(asked.status).toBe(201);
    const processing = await call("/api/v1/sandbox/withdraws/3/pay", {
      method: "POST",
      company: copy,
    });
    expect(processing.status).toBe(200);
    expect((await call("/api/Withdraw/3", { company: copy })).body.enTransaction).toBe("Paid");
    const awaited = (await call("/api/v1/balance", { company: copy })).body.data ?? {};
    await live({ company: copy }, { advance: "P31D" });
    await waitUntilDrained(copy);
    const later = (await call("/api/v1/balance", { company: copy })).body.data ?? {};
    expect(later).not.toStrictEqual(awaited);
    expect(await auditAll(copy, true)).toMatchObject({ done: true, violations: [] });
  });

  it("can be copied again, with its time", async () => {
    const again = await givenFork(copy);
    expect(await numbersOf(again)).toStrictEqual(await numbersOf(copy));
    const behind = (await timeOf(copy)) - (await timeOf(again));
    expect(Math.abs(behind)).toBeLessThan(DAY_MS / 24);
    expect((await timeOf(again)) - Date.now()).toBeGreaterThan(30 * DAY_MS);
  });

  it("is answered once with its key, and is for operators who may create companies", async () => {
    const first = await askFork(original, { key: "fork-once" });
    await expectDocumented(OPERATION, first);
    const repeat = await askFork(original, { key: "fork-once" });
    expect(repeat.body.data).toStrictEqual({ ...first.body.data, key: null });
    expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
    await expectProblem(await askFork(copy, { key: "fork-once" }), KEY_REUSED);
    const reader = await givenOperator("read");
    const refused = await call(`/api/v1/operator/companies/${original.id}/fork`, {
      method: "POST",
      company: reader,
    });
    expect(refused.status).toBe(403);
    await expectProblem(await askFork({ id: 9_999_999 }), NOT_FOUND);
  });
});
