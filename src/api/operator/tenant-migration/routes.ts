import { createRoute, type z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import type { MigrationReport } from "../../../db/sharding/migration/migrate.ts";
import { audited } from "../../../http/audit.ts";
import { COMPANY, CompanyParam, companyContext } from "../company-param.ts";
import { CompanyMove, MoveBody } from "./schemas.ts";

const move = createRoute({
  method: "post",
  path: `${COMPANY}/move`,
  operationId: "moveCompany",
  summary: "Move a company to another database, one bounded step per call",
  description:
    "`npm run move-company` repeats the call until the company has moved. Reads continue; writes pause for " +
    "a moment at the end. `abort` rolls an unfinished move back.",
  tags: ["Operator"],
  security: SECURITY,
  middleware: [requireOperator("companies:write"), jsonBody(MoveBody)] as const,
  request: {
    params: CompanyParam,
    body: { required: true, content: { "application/json": { schema: MoveBody } } },
  },
  responses: {
    200: jsonResponse("The progress of the move", CompanyMove),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND", "INVALID_STATE"),
  },
});

/** Whether a step begins a move or its rollback. The many that follow are not recorded in the audit trail. */
function isFirstStep(
  { database, target, stage }: MigrationReport,
  request: z.output<typeof MoveBody>,
): boolean {
  if ("abort" in request) return stage !== "aborting";
  return target !== request.to && database !== request.to;
}

export function tenantMigrationRoutes(app: Api): void {
  app.openapi(move, async (c) => {
    const { env, deps, company } = await companyContext(c, c.req.valid("param").companyId);
    const { id: companyId } = company;
    const request = c.req.valid("json");
    // Rarely asked, so that the Worker starts without it.
    const { migrateTenant, migrationReport } =
      await import("../../../db/sharding/migration/migrate.ts");
    const step = () => migrateTenant(env, companyId, request, () => deps.clock.now());
    const before = await migrationReport(env, companyId);
    if (!isFirstStep(before, request)) return c.json(await step(), 200);
    const action = "abort" in request ? "company.move_abort" : "company.move";
    const { database, target: to } = before;
    const entry = { companyId, action, target: `company:${companyId}`, before: { database, to } };
    return c.json(await audited(c, { ...entry, after: request }, step), 200);
  });
}
