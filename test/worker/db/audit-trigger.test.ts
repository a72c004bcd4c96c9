import { expect, it } from "vitest";
import { env, givenCompany } from "../../support/builders/companies/company.ts";
import { makeApplication } from "../../support/builders/requests/applications.ts";
import { auditEntriesOf } from "../../support/probes/database/audit-rows.ts";

it("an audit entry is not changed in any column, but may be written again as it is", async () => {
  const company = await givenCompany();
  await makeApplication(company, {});
  const before = await auditEntriesOf(company.id);
  expect(before).toHaveLength(1);
  const { results: columns } = await env.DB.prepare(
    "SELECT name, type FROM pragma_table_info('audit_entries')",
  ).all<{ name: string; type: string }>();
  expect(columns.length).toBeGreaterThan(10);
  const set = (assignment: string) =>
    env.DB.prepare(`UPDATE audit_entries SET ${assignment} WHERE company_id = ?`)
      .bind(company.id)
      .run();
  for (const { name, type } of columns) {
    const other = type === "INTEGER" ? `"${name}" + 1000000` : `coalesce("${name}", '') || 'x'`;
    await expect(set(`"${name}" = ${other}`), name).rejects.toThrow("never changes");
    await set(`"${name}" = "${name}"`);
  }
  expect(await auditEntriesOf(company.id)).toEqual(before);
});
