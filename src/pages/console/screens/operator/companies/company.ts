import type {
  createCompany,
  getCompany,
  listCompanies,
} from "../../../../../api/operator/companies/routes.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";

export const COMPANIES_PATH = "/console/operator/companies";

/** A company in the operators' list. */
export type CompanyItem = RouteBody<typeof listCompanies>["items"][number];

/** A company as operators see it. */
export type OneCompany = RouteBody<typeof getCompany>["data"];

/** What is shown once of a company that was made. */
export type MadeCompany = RouteBody<typeof createCompany>["data"];
