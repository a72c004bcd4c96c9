import { z } from "@hono/zod-openapi";
import { saoPauloDay } from "../../../domain/shared/business-day.ts";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { companyDeps } from "../../../http/context.ts";
import { prefersPortuguese } from "../../../http/csv.ts";
import { CSV_TYPE } from "../../../http/negotiation.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { Rehearsal, RehearsalQuery } from "./schemas.ts";
import { rehearseCompany } from "./service.ts";
import { REHEARSAL_CSV_HEADER, rehearsalCsv, rehearsalView } from "./views.ts";

const route = routesOf("Bookkeeping");

const rehearsal = route.get("/api/v1/reports/rehearsal", {
  operationId: "getRehearsal",
  summary: "Rehearse the cash of the next days",
  description:
    "What the balance will be at the end of each day (America/Sao_Paulo), by the company's time. `certain` holds if " +
    "nothing else happens: credits are released, approvals expire, a debt is repaid. The other three also count open " +
    "charges, by the company's own last 90 days: how many were paid, and how long before their last day. `worst` and " +
    "`best` are the ends of the range that holds 19 times of 20; in `worst` the usual share of payments goes back and " +
    "all open disputes are lost, in `best` they are won. What waits for an approval counts as approved in `worst` and " +
    "`expected`. Amounts and fees are today's terms; fines, interest and discounts are left out, as are charges past " +
    "their due date and new sales. `Accept: text/csv` returns the days as CSV; with `Accept-Language: pt` in " +
    "Portuguese, with semicolons and reais.",
  guard: requireScope("balance:read"),
  query: RehearsalQuery,
  answers: {
    200: {
      description: "The rehearsal",
      content: {
        "application/json": { schema: Rehearsal },
        [CSV_TYPE]: { schema: z.string().openapi({ example: REHEARSAL_CSV_HEADER }) },
      },
    },
  },
  problems: ["VALIDATION_FAILED"],
});

export { rehearsal as getRehearsal };

export function rehearsalRoutes(app: Api): void {
  app.openapi(rehearsal, async (c) => {
    const { company } = c.get("caller");
    const nowMs = companyDeps(c).clock.now();
    const { days } = c.req.valid("query");
    const rehearsed = await rehearseCompany(c.env, company, { days, nowMs });
    if (c.get("mediaType") !== CSV_TYPE) return c.json(rehearsalView(rehearsed), 200);
    return c.body(rehearsalCsv(rehearsed.days, prefersPortuguese(c)), 200, {
      "Content-Type": `${CSV_TYPE}; charset=utf-8; header=present`,
      "Content-Disposition": `attachment; filename="rehearsal-${saoPauloDay(nowMs)}.csv"`,
      Vary: "Accept-Language",
    }) as never;
  });
}
