import { z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { Timeline } from "./schemas.ts";
import { timelineOf } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Transactions");

const timeline = route.get("/api/v1/transactions/{id}/timeline", {
  operationId: "getTransactionTimeline",
  summary: "See all that happened about a transaction",
  description:
    "Its creation, each move with its cause, what the ledger booked, its events and each attempt to " +
    "deliver them, in one list, oldest first. Attempts are there for an application " +
    "that has the scope `webhooks:read`.",
  guard: requireScope("transactions:read"),
  params: z.object({ id: z.string() }),
  answers: { 200: jsonResponse("The list", Timeline) },
  problems: ["NOT_FOUND"],
});

export { timeline as getTransactionTimeline };

export function timelineRoute(app: Api): void {
  app.openapi(timeline, async (c) => {
    return c.json(await timelineOf(c.env, c.get("caller"), c.req.valid("param").id), 200);
  });
}
