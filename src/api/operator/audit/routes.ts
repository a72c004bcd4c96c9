import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { Reconciliation, ReconcileStep } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { verifyStep } from "./verify.ts";

const route = routesOf("Operator");

const reconcile = route.post(`${COMPANY}/reconcile`, {
  operationId: "verifyCompany",
  summary: "Check a company's ledger and projections, one bounded step per call",
  description:
    "Audits the ledger from its first movement and compares each charge and withdraw with its projection. " +
    "Send each `after...` of the response back until both are done (`npm run verify` does). `repair` " +
    "rewrites projections that differ. With `archived`, events before the first stored one are not missing.",
  guard: requireOperator("companies:support"),
  params: CompanyParam,
  body: optionalJsonBody(ReconcileStep),
  answers: { 200: jsonResponse("The result of this step", Reconciliation) },
  problems: ["NOT_FOUND"],
});

export { reconcile as verifyCompany };

export function auditRoutes(app: Api): void {
  app.openapi(reconcile, async (c) => {
    const { id: companyId } = await requireCompany(c, c.req.valid("param").companyId);
    const action = { companyId, action: "projection.repair", target: `company:${companyId}` };
    const report = await verifyStep(c.env, companyId, c.req.valid("json"), (projections, repair) =>
      audited(c, { ...action, after: { projections } }, repair),
    );
    return c.json(report, 200);
  });
}
