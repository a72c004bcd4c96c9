import { setQuotaPercent } from "../../../db/companies/companies.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { ChangeQuotas, Quotas, quotasView } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Operator");
const PATH = `${COMPANY}/quotas` as const;

const show = route.get(PATH, {
  operationId: "getCompanyQuotas",
  summary: "Get the quotas of a company",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The quotas", Quotas) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const put = route.put(PATH, {
  operationId: "changeCompanyQuotas",
  summary: "Change the quotas of a company",
  description: "To a percentage of the usual ones, from the next request on.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(ChangeQuotas),
  answers: { 200: jsonResponse("The quotas", Quotas) },
  problems: ["NOT_FOUND"],
});

export { show as getCompanyQuotas, put as changeCompanyQuotas };

/** An operator's routes for the quotas of companies. */
export function quotaRoutes(app: Api): void {
  app.openapi(show, async (c) => {
    const company = await requireCompany(c, c.req.valid("param").companyId);
    return c.json(quotasView(company.quotaPercent), 200);
  });

  app.openapi(put, async (c) => {
    const { id, quotaPercent } = await requireCompany(c, c.req.valid("param").companyId);
    const { percent } = c.req.valid("json");
    const action = {
      companyId: id,
      action: "company.change_quotas",
      target: `company:${id}`,
      before: { percent: quotaPercent },
      after: { percent },
    };
    await audited(c, action, () =>
      updateCredentials(c.env, id, () => setQuotaPercent(c.env, id, percent)),
    );
    return c.json(quotasView(percent), 200);
  });
}
