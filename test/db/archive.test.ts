import { expect, it } from "vitest";
import storageDocument from "../../docs/storage.md?raw";
import { env } from "../support/company.ts";

/** Nobody's: its rows are written straight into D1. */
const COMPANY = 16_000_000;
const BEFORE = Date.UTC(2026, 3, 1);
const AFTER = Date.UTC(2026, 4, 2);

it("the archive's step deletes what is old and settled, and nothing else", async () => {
  const settled = '["https://a.example",1,0,1,[[0,1,200]]]';
  const due = '["https://a.example",0,0,0,[],1]';
  const insert = env.DB.prepare(
    `INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, endpoint)
     VALUES (?, ?, 1, 'x', ?, ?, ?)`,
  );
  const rows: [number, number, string | null][] = [
    [1, BEFORE, settled],
    [2, BEFORE, due],
    [3, BEFORE, null],
    [4, AFTER, settled],
  ];
  await env.DB.batch(rows.map(([n, at, to]) => insert.bind(COMPANY, n, n, at, to)));

  const [, sql = ""] = /```sql\n\s*(DELETE FROM events.*?)```/s.exec(storageDocument) ?? [];
  await env.DB.prepare(sql.replace("company_id = 1", `company_id = ${COMPANY}`)).run();

  const left = await env.DB.prepare(
    "SELECT company_sequence AS n FROM events WHERE company_id = ? ORDER BY company_sequence",
  )
    .bind(COMPANY)
    .all();
  await env.DB.prepare("DELETE FROM events WHERE company_id = ?").bind(COMPANY).run();
  expect(left.results).toEqual([{ n: 2 }, { n: 4 }]);
});
