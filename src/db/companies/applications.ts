import { and, asc, eq, isNull } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../client.ts";
import { applications } from "../schema/companies.ts";

/** A company's applications that are not deleted, by client id. */
export async function listApplications(env: Env, companyId: number) {
  return databaseFor(env, companyId)
    .select()
    .from(applications)
    .where(and(eq(applications.companyId, companyId), isNull(applications.deletedAt)))
    .orderBy(asc(applications.clientId));
}
