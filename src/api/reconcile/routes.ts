import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { listJsonBody } from "../../http/body.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { ReconcileBody, ReconcileResult } from "./schemas.ts";
import { onlyHereView } from "./views.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { reconcileLines } from "./service.ts";
import { companyDeps } from "../../http/context.ts";

const route = routesOf("Bookkeeping");

const reconcile = route.post("/api/v1/reconcile", {
  operationId: "reconcileTransactions",
  summary: "Compare your own list with the transactions",
  description:
    "At most 1,000 lines. Each is found by its `id`, else its `endToEndId`, else its `externalRef`, and compared " +
    "in the fields that it has. Several transactions of one `externalRef` answer one line each, first the newest " +
    "that agrees; of more than 10 the newest 10 count. A line whose transaction an earlier one has already named, by " +
    "whatever id, is `duplicate`. With `from` or `to`, `onlyHere` lists the period's " +
    "transactions that no line matched. Nothing is changed.",
  guard: requireScope("transactions:read"),
  body: listJsonBody(ReconcileBody),
  answers: { 200: jsonResponse("The result of each line", ReconcileResult) },
});

export function reconcileRoutes(app: Api): void {
  app.openapi(reconcile, async (c) => {
    const now = companyDeps(c).clock.now();
    const { company } = c.get("caller");
    const answer = await reconcileLines(c.env, company.id, c.req.valid("json"), now);
    const { items, onlyHere, after } = answer;
    return c.json(
      {
        items,
        onlyHere: onlyHere.map(onlyHereView),
        after: after === null ? null : String(after),
        hasMore: after !== null,
      },
      200,
    );
  });
}
