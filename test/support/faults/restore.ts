import type { Env } from "../../../src/config.ts";
import type { ArchivedChange } from "../../../src/domain/events/archived-change.ts";
import {
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
  type TestCompany,
} from "../builders/companies/company.ts";
import { callAsOperator } from "../builders/companies/operator.ts";
import { evict } from "./object.ts";
import { withoutTriggers } from "./tamper.ts";

/** D1's tables that the archive can write again. */
const D1_TABLES = [
  "transactions",
  "withdraws",
  "disputes",
  "unexpected_payments",
  "payment_links",
  "subscriptions",
  "subscription_cycles",
  "daily_reports",
  "contradictions",
  "operator_events",
  "deliveries",
  "events",
];

const bound = (sql: string, ...values: unknown[]) => env.DB.prepare(sql).bind(...values);

type Rows = Record<string, Record<string, SqlStorageValue>[]>;

/** A company with a webhook. */
export function givenArchived(): Promise<TestCompany> {
  return givenCompany({ webhookUrl: "https://loja.example.com/endpoint" });
}

/** What D1 has of a company; `rollBack` brings it back, as time travel does. */
export async function bookmarkD1(company: TestCompany): Promise<{ rollBack(): Promise<void> }> {
  const before: Rows = {};
  for (const table of D1_TABLES) {
    const { results } = await bound(
      `SELECT * FROM ${table} WHERE company_id = ?`,
      company.id,
    ).all();
    before[table] = results as Rows[string];
  }
  return {
    rollBack: async () => {
      const statements = D1_TABLES.flatMap((table) => [
        bound(`DELETE FROM ${table} WHERE company_id = ?`, company.id),
        ...(before[table] ?? []).map((row) => bound(insertSql(table, row), ...Object.values(row))),
      ]);
      await env.DB.batch(statements);
    },
  };
}

/** Deletes all that D1 has of a company but the company itself, as of an export from before its first charge. */
export async function emptyD1(company: TestCompany): Promise<void> {
  await env.DB.batch(
    D1_TABLES.map((table) => bound(`DELETE FROM ${table} WHERE company_id = ?`, company.id)),
  );
}

/** What the object has; `rollBack` brings it back, as point-in-time recovery does. */
export async function bookmarkObject(company: TestCompany): Promise<{ rollBack(): Promise<void> }> {
  const before = await inAccount(company.id, (_, { storage }) => {
    const rows: Rows = {};
    for (const table of tablesOf(storage.sql)) {
      rows[table] = storage.sql.exec(`SELECT * FROM ${table}`).toArray();
    }
    return rows;
  });
  return {
    rollBack: async () => {
      await inAccount(company.id, (_, { storage }) => {
        storage.transactionSync(() =>
          withoutTriggers(storage.sql, () => fill(storage.sql, before)),
        );
      });
      await evict(company);
    },
  };
}

/** Lets something happen that D1 shows and the object loses, which goes back to before it. */
export async function takeBackBefore(
  company: TestCompany,
  happen: () => Promise<unknown>,
): Promise<void> {
  const bookmark = await bookmarkObject(company);
  await happen();
  await waitUntilDrained(company);
  await bookmark.rollBack();
}

/** Replaces a change of the archive by some, each as large as a drain's may be, of which D1 refuses every entry. */
export async function archiveDamaged(company: TestCompany, changes: number): Promise<void> {
  const bucket = env.ARCHIVE!;
  const { objects } = await bucket.list({ prefix: `changes/${company.id}/` });
  for (const { key } of objects) {
    const { charges, entries } = await (await bucket.get(key))!.json<ArchivedChange>();
    const [entry] = entries;
    if (entry?.kind !== "transaction") continue;
    const damaged = { ...entry, event: { ...entry.event, sequence: "no number" } };
    const change = JSON.stringify({ charges, entries: Array.from({ length: 20 }, () => damaged) });
    await bucket.delete(key);
    const time = key.slice(0, -crypto.randomUUID().length);
    for (let added = 0; added < changes; added++) {
      await bucket.put(time + crypto.randomUUID(), change);
    }
    return;
  }
  throw new Error("the archive has no change of a charge");
}

/** Runs `npm run restore`'s steps; returns all that they say. */
export async function restore(
  company: TestCompany,
  { since = 0, env: from = env }: { since?: number; env?: Env } = {},
) {
  const refused: string[] = [];
  let [after, renumbered, changes] = ["", 0, 0];
  for (;;) {
    const answer = await callAsOperator(`/companies/${company.id}/restore`, {
      body: { after, since },
      env: from,
    });
    if (answer.status !== 200) throw new Error(`restore answered ${answer.status}: ${answer.text}`);
    refused.push(...answer.body.refused);
    renumbered += answer.body.renumbered;
    changes += answer.body.changes;
    if (answer.body.after === null) return { refused, renumbered, changes };
    ({ after } = answer.body);
  }
}

/** The violations that `npm run verify` finds; with `repair`, those that it leaves. */
export async function reconcile(company: TestCompany, repair = false): Promise<string[]> {
  const answer = await callAsOperator(`/companies/${company.id}/reconcile`, { body: { repair } });
  if (!answer.body.ledgerDone || !answer.body.copiesDone) throw new Error("one step is not enough");
  return answer.body.violations;
}

function tablesOf(sql: SqlStorage): string[] {
  return sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
    )
    .toArray()
    .map(({ name }) => name);
}

function fill(sql: SqlStorage, rows: Rows): void {
  for (const table of tablesOf(sql)) {
    sql.exec(`DELETE FROM ${table}`);
    for (const row of rows[table] ?? []) sql.exec(insertSql(table, row), ...Object.values(row));
  }
}

function insertSql(table: string, row: object): string {
  const columns = Object.keys(row);
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}
