import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { nextCompanies } from "../../../db/companies/companies.ts";
import { errorFields, log } from "../../../lib/log.ts";

/** Companies per run; the next run continues after them. */
const COMPANIES_MAX = 25;

/** Runs the due work of some companies' objects: the platform stops retrying an alarm that keeps failing. */
export async function tickCompanies(env: Env): Promise<void> {
  const companies = await nextCompanies(env, "tick", COMPANIES_MAX);
  await Promise.all(
    companies.map(async (companyId) => {
      try {
        await callCompany(env, companyId, (account) => account.runNow());
      } catch (error) {
        log("error", "tick_failed", { ...errorFields(error), companyId });
      }
    }),
  );
}
