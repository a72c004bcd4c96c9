import { z } from "@hono/zod-openapi";
import { findCompany } from "../../db/companies/companies.ts";
import type { Company } from "../../domain/shared/company.ts";
import { retryOnStaleVersion } from "../../http/auth/optimistic-auth.ts";
import { depsOfCompany, type AppContext } from "../../http/context.ts";
import { notFound } from "../../http/problems.ts";
import { breaks } from "../../lib/fields/rules.ts";

export const COMPANY = "/api/v1/operator/companies/{companyId}";

export const CompanyParam = z.object({
  companyId: z
    .string()
    .regex(/^\d{1,8}$/, breaks("integer"))
    .transform(Number)
    .openapi({ type: "integer", example: 1 }),
});

/** The context of an operator's request about a company. Throws 404. */
export async function companyContext(c: AppContext, companyId: number) {
  const company = await requireCompany(c, companyId);
  return { env: c.env, deps: depsOfCompany(c.get("deps"), company), company };
}

/** Runs a command with the company as read, and again if the company has changed since (`StaleVersionError`). */
export async function retryOnStaleCompany<Answer>(
  c: AppContext,
  companyId: number,
  run: (context: Awaited<ReturnType<typeof companyContext>>) => Promise<Answer>,
): Promise<Answer> {
  const read = () => companyContext(c, companyId);
  return retryOnStaleVersion(c.env, await read(), run, read);
}

/** The company of a path. Throws 404. */
export async function requireCompany(c: AppContext, companyId: number): Promise<Company> {
  const company = await findCompany(c.env, companyId);
  if (company === null) throw notFound("company");
  return company;
}
