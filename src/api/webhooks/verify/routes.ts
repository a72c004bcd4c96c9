import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { quotingJsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { Diagnosis, Received } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { verifyWebhook } from "./service.ts";

const route = routesOf("Webhooks");

const verify = route.post("/api/v1/webhooks/verify", {
  operationId: "verifyWebhook",
  summary: "Find out why a webhook does not verify",
  description:
    "Takes a webhook as your code received it and names the first cause why it does not verify. " +
    "Stores nothing. 403 without the scope of the event's object. The body may have 1 MiB, so that it can quote an event as a string.",
  guard: requireScope("webhooks:read"),
  body: quotingJsonBody(Received),
  answers: { 200: jsonResponse("The verdict", Diagnosis) },
});

export { verify as verifyWebhook };

export function verifyRoutes(app: Api): void {
  app.openapi(verify, async (c) => {
    // Rare, and most of the code of these routes: not part of a cold start.
    const reader = c.get("caller");
    return c.json(await verifyWebhook(c.env, c.get("deps"), reader, c.req.valid("json")), 200);
  });
}
