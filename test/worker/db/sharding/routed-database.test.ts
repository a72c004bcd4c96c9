import { eq, getTableColumns, sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { databaseFor, directoryOf } from "../../../../src/db/client.ts";
import { databasesOf } from "../../../../src/db/sharding/databases.ts";
import { companies } from "../../../../src/db/schema/companies.ts";
import { callbacks } from "../../../../src/db/schema/operations.ts";
import { transactions } from "../../../../src/db/schema/transactions.ts";
import { findTransaction } from "../../../../src/api/transactions/repository.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newTransactionId } from "../../../../src/domain/shared/ids.ts";
import type { Env } from "../../../../src/config.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";
import { withD1 } from "../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
  type ShardedEnv,
} from "../../../support/builders/companies/sharded.ts";
import { rowCountsIn } from "../../../support/probes/database/shards.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";

const ROUTING = /\b(placements|fences|clients|pix_keys|move_changes)\b/;

beforeAll(givenSecondDatabase);

/** The calls to each database that an isolate makes. */
function counted(isolate: Env) {
  const calls: string[] = [];
  const through = (name: "DB" | "DB_2", database: D1Database) =>
    withD1({ ...isolate, DB: database }, (label, run) => {
      calls.push(`${name} ${label}`);
      return run();
    }).DB;
  const second = (isolate as Partial<ShardedEnv>).DB_2;
  const countedEnv = {
    ...isolate,
    DB: through("DB", isolate.DB),
    ...(second === undefined ? {} : { DB_2: through("DB_2", second) }),
  } as ShardedEnv;
  return { env: countedEnv, lap: () => calls.splice(0) };
}

const show = (company: TestCompany, id: string, environment: Env) =>
  call(`/api/Transaction/transactionByTransactionId/${id}`, { company, env: environment });

describe("with DB alone", () => {
  it("the directory is not queried and no fence is checked", async () => {
    const asked: string[] = [];
    const environment = withDatabase({ before: (statement) => void asked.push(statement) });
    const company = await givenCompany({ balance: 50_00 });
    const { id } = await givenTransaction(company, {}, { env: environment });
    await show(company, id, environment);
    await requestWithdraw(company, {}, { env: environment });
    await call("/api/Transaction/company/transactions", { company, env: environment });
    expect(asked.length).toBeGreaterThan(6);
    expect(asked.filter((statement) => ROUTING.test(statement))).toEqual([]);
    expect(databaseFor(env, company.id).$client).toBe(env.DB);
  });
});

describe("with two shards", () => {
  it("a request costs the round trips of one shard, and one more in sequence in a new isolate", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const alone = counted(env);
    await show(company, id, alone.env);
    const trips = alone.lap().length;

    const spread = counted(newIsolate());
    expect((await show(company, id, spread.env)).status).toBe(200);
    // What runs side by side asks side by side: one more in sequence.
    const first = spread.lap();
    const asked = first.filter((each) => ROUTING.test(each) && !each.includes("fences"));
    expect(first).toHaveLength(trips + asked.length);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(trips);
    expect((await show(company, id, spread.env)).status).toBe(200);
    expect(spread.lap()).toHaveLength(trips);
    await createTransaction(company, {}, { env: alone.env });
    await createTransaction(company, {}, { env: spread.env });
    expect(spread.lap()).toHaveLength(alone.lap().length);
  });

  it("an inactive fence costs one row read per round trip and no write", async () => {
    const company = await givenCompany();
    const rows = { read: 0, written: 0 };
    const meter = withDatabase({
      after: (_statement, read, written) => {
        rows.read += read;
        rows.written += written;
      },
    });
    const lap = async (environment: Env) => {
      Object.assign(rows, { read: 0, written: 0 });
      const db = databaseFor(environment, company.id);
      await db.batch([db.select().from(companies).where(eq(companies.id, company.id))]);
      await db.insert(callbacks).values({
        id: crypto.randomUUID(),
        companyId: company.id,
        objectId: "object",
        dueAt: Date.now(),
        attempts: 0,
      });
      return { ...rows };
    };
    const alone = await lap(meter);
    const isolate = { ...newIsolate(), DB: meter.DB };
    await lap(isolate);
    expect(await lap(isolate)).toEqual({ read: alone.read + 2, written: alone.written });
  });

  it("columns with the same name are distinguished in a join", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    // D1 answers with a hundred columns at most.
    const {
      pix: _pix,
      boleto: _boleto,
      items: _items,
      payer: _payer,
      metadata: _metadata,
      failure: _failure,
      card: _card,
      dispute: _dispute,
      refunds: _refunds,
      ...ownColumns
    } = getTableColumns(transactions);
    const ask = (environment: Env) =>
      databaseFor(environment, company.id)
        .select({ transaction: ownColumns, company: companies, sum: sql<number>`1 + seq` })
        .from(transactions)
        .innerJoin(companies, eq(companies.id, transactions.companyId))
        .where(eq(transactions.id, id));
    const spread = await ask(newIsolate());
    expect(spread).toEqual(await ask(env));
    expect(spread[0]?.transaction.createdAt).not.toBe(spread[0]?.company.createdAt);
  });

  it("isolates that cached the old shard neither read nor write there", async () => {
    const company = await givenCompany();
    await useShards(company);
    const late = [newIsolate(), newIsolate()];
    for (const isolate of late) {
      expect((await createTransaction(company, {}, { env: isolate })).status).toBe(200);
    }
    await moveTo(newIsolate(), company, "DB_2");
    for (const isolate of late) {
      const created = await createTransaction(company, {}, { env: isolate });
      expect(created.status).toBe(200);
      expect((await show(company, created.body.data.id, newIsolate())).status).toBe(200);
    }
    // Rows that stayed behind, as they do until they are cleared away, are nobody's truth.
    await env.DB.prepare(
      "INSERT INTO companies (id, name, mode, provider_company_id, webhook_secret_sealed, created_at) VALUES (?, 'Old', 'sandbox', '', '', 0)",
    )
      .bind(company.id)
      .run();
    const [row] = await databaseFor(late[0]!, company.id)
      .select({ name: companies.name })
      .from(companies)
      .where(eq(companies.id, company.id));
    expect(row?.name).toBe(company.name);
    await env.DB.prepare("DELETE FROM companies WHERE id = ?").bind(company.id).run();
    expect(await rowCountsIn("DB", company.id)).toEqual({});
  });

  it("during draining, reads and money work and D1 writes are asked to retry", async () => {
    const company = await givenCompany({ balance: 50_00 });
    const isolate = newIsolate();
    await useShards(company);
    const { id } = await givenTransaction(company, {}, { env: isolate });
    const fence = (state: string) =>
      env.DB.prepare(
        "INSERT OR REPLACE INTO fences (company_id, state, move, turn) VALUES (?, ?, 1, 1)",
      )
        .bind(company.id, state)
        .run();
    await fence("closing");
    expect((await show(company, id, isolate)).status).toBe(200);
    expect((await requestWithdraw(company, {}, { env: isolate })).status).toBe(201);
    await expectProblem(await createTransaction(company, {}, { env: isolate }), {
      status: 503,
      code: "STORAGE_UNAVAILABLE",
      retryAfter: true,
    });
    await fence("here");
    expect((await createTransaction(company, {}, { env: isolate })).status).toBe(200);
  });

  it("a write that waits during the cutover is made in the new shard", async () => {
    const company = await givenCompany();
    const isolate = newIsolate();
    await createTransaction(company, {}, { env: isolate });
    const set = (statement: string) => env.DB.prepare(statement).bind(company.id).run();
    await set("INSERT INTO fences (company_id, state, move, turn) VALUES (?, 'closing', 1, 1)");
    const waiting = createTransaction(company, {}, { env: isolate });
    await set("UPDATE fences SET state = 'here' WHERE company_id = ?");
    expect((await waiting).status).toBe(200);
  });

  it("an id of an unknown company resolves to nothing", async () => {
    const id = newTransactionId(0xff_ff00, Date.now(), systemRandom);
    expect(await findTransaction(newIsolate(), 0xff_ff00, id)).toBeNull();
  });

  it("a company in an unbound shard is rejected, not searched elsewhere", async () => {
    const company = await givenCompany();
    const placed =
      "INSERT INTO placements (company_id, database, move, at_table, after_key, turn, lease_until) VALUES (?, 'DB_7', 1, '', 'null', 1, 0)";
    await env.DB.prepare(placed).bind(company.id).run();
    await expectProblem(await createTransaction(company, {}, { env: newIsolate() }), {
      status: 503,
      code: "STORAGE_UNAVAILABLE",
      retryAfter: true,
    });
    await env.DB.prepare("DELETE FROM placements WHERE company_id = ?").bind(company.id).run();
  });

  it("shards are the bindings DB, DB_2 and so on", () => {
    const some = {
      ...newIsolate(),
      DB_10: env.DB,
      DB_1: env.DB,
      DB_02: env.DB,
      MY_DB: env.DB,
    };
    expect([...databasesOf(some).keys()]).toEqual(["DB", "DB_2", "DB_10"]);
    expect(directoryOf(some).$client).toBe(some.DB);
  });
});
