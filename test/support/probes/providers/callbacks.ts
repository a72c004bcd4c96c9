import { env, type TestCompany } from "../../builders/companies/company.ts";

/** A company's stored callbacks. */
export async function storedCallbacks(company: TestCompany): Promise<any[]> {
  const { results } = await env.DB.prepare(
    "SELECT object_id, body, attempts FROM callbacks WHERE company_id = ? ORDER BY object_id",
  )
    .bind(company.id)
    .all();
  return results;
}
