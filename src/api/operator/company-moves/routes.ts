import { type z } from "@hono/zod-openapi";
import { moveCompany, moveReport, runningMoves } from "../../../db/sharding/move/move-company.ts";
import type { Api } from "../../../http/api.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import type { MoveReport } from "../../../db/sharding/move/move-company.ts";
import { audited } from "../../../http/audit.ts";
import { COMPANY, CompanyParam, companyContext, requireCompany } from "../company-param.ts";
import { CompanyMove, CompanyMoves, MoveBody } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Operator");

const move = route.post(`${COMPANY}/move`, {
  operationId: "moveCompany",
  summary: "Move a company to another database, one bounded step per call",
  description:
    "`npm run move-company` repeats the call until the company has moved. Reads continue; writes pause for " +
    "a moment at the end. `abort` rolls an unfinished move back.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(MoveBody),
  answers: { 200: jsonResponse("The progress of the move", CompanyMove) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const list = route.get("/api/v1/operator/moves", {
  operationId: "listCompanyMoves",
  summary: "List the running moves of companies between databases",
  description: "The one that was touched longest ago first, at most 100.",
  guard: requireOperator("companies:read"),
  answers: { 200: jsonResponse("The moves, and the databases that there are", CompanyMoves) },
});

const show = route.get(`${COMPANY}/move`, {
  operationId: "getCompanyMove",
  summary: "Show the progress of a company's move",
  description: "Also without one: the company's database.",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  answers: { 200: jsonResponse("The progress of the move", CompanyMove) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

/** Moves that are listed. */
const MOVES_SHOWN = 100;

/** Whether a step begins a move or its rollback. The many that follow are not recorded in the audit trail. */
function isFirstStep(
  { database, target, stage }: MoveReport,
  request: z.output<typeof MoveBody>,
): boolean {
  if ("abort" in request) return stage !== "aborting";
  return target !== request.to && database !== request.to;
}

export { move as moveCompany, list as listCompanyMoves, show as getCompanyMove };

/** The moves of companies between databases. */
export function companyMoveRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    return c.json(await runningMoves(c.env, MOVES_SHOWN), 200);
  });

  app.openapi(show, async (c) => {
    const { id } = await requireCompany(c, c.req.valid("param").companyId);
    return c.json(await moveReport(c.env, id), 200);
  });

  app.openapi(move, async (c) => {
    const { env, deps, company } = await companyContext(c, c.req.valid("param").companyId);
    const { id: companyId } = company;
    const request = c.req.valid("json");
    const step = () => moveCompany(env, companyId, request, () => deps.platformClock.now());
    const before = await moveReport(env, companyId);
    if (!isFirstStep(before, request)) return c.json(await step(), 200);
    const action = "abort" in request ? "company.move_abort" : "company.move";
    const { database, target: to } = before;
    const entry = { companyId, action, target: `company:${companyId}`, before: { database, to } };
    return c.json(await audited(c, { ...entry, after: request }, step), 200);
  });
}
