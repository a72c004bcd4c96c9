import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { migrateTenant } from "../../../db/sharding/migration/migrate.ts";
import { COMPANY, CompanyParam, companyContext } from "../company-param.ts";
import { CompanyMove, MoveBody } from "./schemas.ts";

const move = createRoute({
  method: "post",
  path: `${COMPANY}/move`,
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

export function tenantMigrationRoutes(app: Api): void {
  app.openapi(move, async (c) => {
    const { env, deps, company } = await companyContext(c, c.req.valid("param").companyId);
    const request = c.req.valid("json");
    return c.json(await migrateTenant(env, company.id, request, () => deps.clock.now()), 200);
  });
}
