import { expect, it } from "vitest";
import storageDocument from "../../../../docs/storage.md?raw";
import { env } from "../../../support/builders/companies/company.ts";

/** Nobody's: its rows are written straight into D1. */
const COMPANY = 16_000_000;
const BEFORE = Date.UTC(2026, 3, 1);
const AFTER = Date.UTC(2026, 4, 2);

it("the archive step deletes only old settled rows", async () => {
  const event = env.DB.prepare(
    `INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body)
     VALUES (?, ?, 'transaction.paid', 'x', ?, ?, '{}')`,
  );
  const delivery = env.DB.prepare(
    `INSERT INTO deliveries (company_id, company_sequence, target, url, status, attempts,
       next_attempt_at, updated_at, attempts_log)
     VALUES (?, ?, ?, 'https://a.example', ?, 0, ?, 0, '[]')`,
  );
  const rows: [number, number][] = [
    [1, BEFORE],
    [2, BEFORE],
    [3, BEFORE],
    [4, AFTER],
  ];
  await env.DB.batch([
    ...rows.map(([n, at]) => event.bind(COMPANY, n, n, at)),
    delivery.bind(COMPANY, 1, "endpoint", "delivered", null),
    delivery.bind(COMPANY, 2, "endpoint", "delivered", null),
    delivery.bind(COMPANY, 2, "postback", "pending", 1),
    delivery.bind(COMPANY, 4, "endpoint", "delivered", null),
  ]);

  const [, sql = ""] = /```sql\n\s*(DELETE FROM deliveries.*?)```/s.exec(storageDocument) ?? [];
  const ours = sql.replaceAll("company_id = 1 ", `company_id = ${COMPANY} `);
  const statements = ours.split(";").filter((statement) => statement.trim() !== "");
  expect(statements).toHaveLength(2);
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));

  const numbersIn = async (table: string) => {
    const left = env.DB.prepare(
      `SELECT company_sequence AS n FROM ${table} WHERE company_id = ? ORDER BY company_sequence`,
    );
    const { results } = await left.bind(COMPANY).all<{ n: number }>();
    await env.DB.prepare(`DELETE FROM ${table} WHERE company_id = ?`).bind(COMPANY).run();
    return results.map(({ n }) => n);
  };
  expect(await numbersIn("events")).toEqual([2, 4]);
  expect(await numbersIn("deliveries")).toEqual([2, 2, 4]);
});
