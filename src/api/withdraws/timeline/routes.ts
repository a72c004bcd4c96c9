import { z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { WithdrawTimeline } from "./schemas.ts";
import { withdrawTimelineOf } from "./service.ts";

const route = routesOf("Withdraws");

const timeline = route.get("/api/v1/withdraws/{id}/timeline", {
  operationId: "getWithdrawTimeline",
  summary: "See all that happened about a withdraw",
  description:
    "What the ledger booked for it, its events and the attempts to deliver them, in one list, oldest first. Attempts are " +
    "there for an application that has the scope `webhooks:read`.",
  guard: requireScope("withdraws:read"),
  params: z.object({ id: z.string().openapi({ example: "1" }) }),
  answers: { 200: jsonResponse("The list", WithdrawTimeline) },
  problems: ["NOT_FOUND"],
});

export { timeline as getWithdrawTimeline };

export function withdrawTimelineRoute(app: Api): void {
  app.openapi(timeline, async (c) => {
    const { id } = c.req.valid("param");
    return c.json(await withdrawTimelineOf(c.env, c.get("caller"), id), 200);
  });
}
