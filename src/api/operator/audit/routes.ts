import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { Reconciliation, ReconcileStep } from "./schemas.ts";

const TAGS = ["Operator"];

const reconcile = createRoute({
  method: "post",
  path: `${COMPANY}/reconcile`,
  operationId: "reconcileCompany",
  summary: "Check a company's ledger and projections, one bounded step per call",
  description:
    "Audits the ledger from its first movement and compares each charge and withdraw with its projection. " +
    "Send each `after...` of the response back until both are done (`npm run reconcile` does). `repair` " +
    "rewrites projections that differ. With `archived`, events before the first stored one are not missing.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:support"), optionalJsonBody(ReconcileStep)] as const,
  request: {
    params: CompanyParam,
    body: {
      required: false,
      content: {
        "application/json": {
          schema: ReconcileStep,
        },
      },
    },
  },
  responses: {
    200: jsonResponse("The result of this step", Reconciliation),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND"),
  },
});

export function auditRoutes(app: Api): void {
  app.openapi(reconcile, async (c) => {
    const { id: companyId } = await requireCompany(c, c.req.valid("param").companyId);
    const action = { companyId, action: "projection.repair", target: `company:${companyId}` };
    const { reconcileStep } = await import("./reconcile.ts");
    const report = await reconcileStep(
      c.env,
      companyId,
      c.req.valid("json"),
      (projections, repair) => audited(c, { ...action, after: { projections } }, repair),
    );
    return c.json(report, 200);
  });
}
