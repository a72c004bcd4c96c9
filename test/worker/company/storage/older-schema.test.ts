import { expect, it } from "vitest";
import { MIGRATIONS } from "../../../../src/company/storage/migrations.ts";
import {
  hashedPart,
  movementOf,
  type MovementRow,
} from "../../../../src/company/ledger/movement-row.ts";
import { GENESIS_HASH, movementHash } from "../../../../src/domain/ledger/movement-hash.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  givenCompany,
  takeCreatedCompanies,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { isChainIntact } from "../../../support/probes/ledger/ledger-rows.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, evict, replaceInObject } from "../../../support/faults/object.ts";
import {
  reportOperation,
  requestRefund,
  DAY_MS,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

type Row = Record<string, SqlStorageValue>;

/** Puts an object's tables into the first shape with what that had of their rows. */
function revertToFirstSchema(company: TestCompany): Promise<void> {
  return inAccount(company.id, (_, { storage }) => {
    const { sql } = storage;
    const tables = tablesOf(sql);
    const kept = new Map(tables.map((name) => [name, rowsOf(sql, name)]));
    kept.set("movements", withoutDetails(kept.get("movements") ?? []));
    storage.transactionSync(() => {
      for (const name of tables) sql.exec(`DROP TABLE ${name}`);
      sql.exec(MIGRATIONS[0]!);
      sql.exec("CREATE TABLE applied_migrations (number INTEGER PRIMARY KEY)");
      sql.exec("INSERT INTO applied_migrations (number) VALUES (1)");
      sql.exec("DELETE FROM company");
      for (const name of tablesOf(sql).filter((each) => each !== "applied_migrations")) {
        for (const row of kept.get(name) ?? []) insert(sql, name, row);
      }
    });
  });
}

function tablesOf(sql: SqlStorage): string[] {
  return sql
    .exec<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table'
         AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE '!_cf!_%' ESCAPE '!'`,
    )
    .toArray()
    .map(({ name }) => name);
}

function rowsOf(sql: SqlStorage, table: string): Row[] {
  return sql.exec<Row>(`SELECT * FROM ${table}`).toArray();
}

function insert(sql: SqlStorage, table: string, row: Row): void {
  const columns = columnsOf(sql, table).filter((name) => name in row);
  sql.exec(
    `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`,
    ...columns.map((name) => row[name] ?? null),
  );
}

function columnsOf(sql: SqlStorage, table: string): string[] {
  return sql
    .exec<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
    .toArray()
    .map(({ name }) => name);
}

/** Movements with the hashes that they had when no details were hashed. */
function withoutDetails(rows: Row[]): Row[] {
  let previous = GENESIS_HASH;
  return rows.map((row) => {
    const plain = { ...row, details: null, details_hash: null } as unknown as MovementRow;
    previous = movementHash(previous, hashedPart(movementOf(plain)));
    return { ...plain, hash: previous };
  });
}

/** A company with credits to come, a withdraw under way, a refund asked for, and a debt to D1. */
async function givenFirstSchema() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const paid = await givenSettled(company, 5_000);
  const card = await givenSettled(company, 900, {
    terms: { paymentMethod: "CREDIT_CARD", installments: 3, releaseDays: 30 },
    payment: { method: "CREDIT_CARD", paymentId: "sale-1", paidAt: clock.now() },
  });
  await withdraw(company, { idempotencyKey: "wd_sent", requestHash: "sent", amount: 700 });
  await claimPayout(company, 1);
  await withdraw(company, { idempotencyKey: "wd_open", requestHash: "open", amount: 600 });
  await waitUntilDrained(company);
  const unpaid = await givenTransaction(company, { amount: 300 });
  await replaceInObject(company, unavailableProjection());
  await requestRefund(company, paid, { amount: 250 });
  await settle(company, unpaid, { paymentId: "E2E-owed" });
  const before = await accountsOf(company);
  await revertToFirstSchema(company);
  await evict(company, { clock });
  return { clock, company, card, before };
}

it("an object with the previous schema keeps its data and works", async () => {
  const { clock, company, card, before } = await givenFirstSchema();

  expect(await accountsOf(company)).toEqual(before);
  expect((await auditAll(company)).violations).toEqual([]);
  expect((await auditAll(company, true)).violations).toEqual([]);
  await reportOperation(company, { kind: "done" });
  await reportPayout(company, PAID, 1);
  expect((await claimPayout(company, 2)).kind).toBe("send");
  await reportPayout(company, PAID, 2);
  const again = { idempotencyKey: "wd_open", requestHash: "open", amount: 600 };
  expect(await withdraw(company, again)).toMatchObject({ kind: "replayed", withdraw: { id: 2 } });
  await requestRefund(company, card, { amount: 100, key: "rf_2" });
  await reportOperation(company, { kind: "failed", reason: "no" }, 2);
  clock.advance(100 * DAY_MS);
  await waitUntilDrained(company);

  expect(await inAccount(company.id, (_, { storage }) => isChainIntact(storage.sql))).toBe(true);
  expect((await auditAll(company)).violations).toEqual([]);
  expect((await auditAll(company, true)).violations).toEqual([]);
  const after = await accountsOf(company);
  expect(after["awaiting"] ?? 0).toBe(0);
  expect(after["available"]).toBe((before["available"] ?? 0) + 900);
  const numbers = (await eventsOf(company)).map((event) => event.companySequence);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  // Its tables lost the day's totals that D1 has, so it breaks I9.
  takeCreatedCompanies();
});
