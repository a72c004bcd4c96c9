import { createRoute } from "@hono/zod-openapi";
import { setQuotaPercent } from "../../../db/companies/companies.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { ChangeQuotas, Quotas, quotasView } from "./schemas.ts";

const TAGS = ["Operator"];
const PATH = `${COMPANY}/quotas` as const;

const show = createRoute({
  method: "get",
  path: PATH,
  operationId: "getCompanyQuotas",
  summary: "Get the quotas of a company",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  request: { params: CompanyParam },
  responses: {
    200: jsonResponse("The quotas", Quotas),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

const put = createRoute({
  method: "put",
  path: PATH,
  operationId: "changeCompanyQuotas",
  summary: "Change the quotas of a company",
  description: "To a percentage of the usual ones, from the next request on.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:write"), jsonBody(ChangeQuotas)] as const,
  request: {
    params: CompanyParam,
    body: { required: true, content: { "application/json": { schema: ChangeQuotas } } },
  },
  responses: {
    200: jsonResponse("The quotas", Quotas),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND"),
  },
});

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
