import { env, inAccount, type TestCompany } from "../../builders/companies/company.ts";

/** A company's contradictions in its object, oldest first, without their evidence. */
export function contradictionsOf(company: TestCompany): Promise<Record<string, unknown>[]> {
  return inAccount(company.id, (_, { storage }) =>
    storage.sql
      .exec(
        `SELECT finding, kind, object, amount, held, status FROM contradictions ORDER BY number`,
      )
      .toArray(),
  );
}

/** The types of a company's operator events, oldest first. */
export async function operatorEventTypesOf(company: TestCompany): Promise<string[]> {
  return (await operatorEventsOf(company)).map(({ type }) => type);
}

/** A company's operator events, oldest first. */
export async function operatorEventsOf(
  company: TestCompany,
): Promise<{ type: string; data: unknown }[]> {
  await inAccount(company.id, (account) => account.runNow());
  const { results } = await env.DB.prepare(
    "SELECT type, data FROM operator_events WHERE company_id = ? ORDER BY number",
  )
    .bind(company.id)
    .all<{ type: string; data: string }>();
  return results.map(({ type, data }) => ({ type, data: JSON.parse(data) }));
}

/** Everything that the object has booked. */
export function dumpBooks(company: TestCompany): Promise<unknown> {
  return inAccount(company.id, (_, { storage: { sql } }) =>
    ["movements", "withdraws", "payments", "charges"].map((table) =>
      sql.exec(`SELECT * FROM ${table}`).toArray(),
    ),
  );
}
