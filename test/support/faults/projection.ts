import { env, type TestCompany } from "../builders/companies/env.ts";

/** Runs one statement on D1, with the company's number as its last parameter. */
export async function changeProjection(
  company: TestCompany,
  statement: string,
  ...values: (string | number)[]
): Promise<void> {
  const { meta } = await env.DB.prepare(statement)
    .bind(...values, company.id)
    .run();
  if (meta.changes === 0) throw new Error(`nothing was changed by ${statement}`);
}

/** Deletes matching rows of a table; the returned function restores them. */
export async function deleteProjection(
  company: TestCompany,
  table: string,
  condition: string,
): Promise<() => Promise<void>> {
  const where = `WHERE company_id = ? AND (${condition})`;
  const found = env.DB.prepare(`SELECT * FROM ${table} ${where}`).bind(company.id);
  const { results: rows } = await found.all();
  if (rows.length === 0) throw new Error(`no row of ${table} fits ${condition}`);
  await env.DB.prepare(`DELETE FROM ${table} ${where}`).bind(company.id).run();
  return async () => void (await env.DB.batch(rows.map((row) => insertInto(table, row))));
}

function insertInto(table: string, row: Record<string, unknown>): D1PreparedStatement {
  const names = Object.keys(row);
  const insert = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`;
  return env.DB.prepare(insert).bind(...names.map((name) => row[name]));
}
