import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { quotingJsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { Diagnosis, Received } from "./schemas.ts";

const verify = createRoute({
  method: "post",
  path: "/api/v1/webhooks/verify",
  operationId: "verifyWebhook",
  summary: "Find out why a webhook does not verify",
  description:
    "Takes a webhook as your code received it and names the first cause why it does not verify. " +
    "Stores nothing. 403 without the scope of the event's object. The body may have 1 MiB, so that it can quote an event as a string.",
  tags: ["Webhooks"],
  security: SECURITY,
  middleware: [requireScope("webhooks:read"), quotingJsonBody(Received)] as const,
  request: { body: { required: true, content: { "application/json": { schema: Received } } } },
  responses: {
    200: jsonResponse("The verdict", Diagnosis),
    ...problemResponses(...BODY_PROBLEMS),
  },
});

export function verifyRoutes(app: Api): void {
  app.openapi(verify, async (c) => {
    // Rare, and most of the code of these routes: not part of a cold start.
    const { verifyWebhook } = await import("./service.ts");
    const reader = c.get("caller");
    return c.json(await verifyWebhook(c.env, c.get("deps"), reader, c.req.valid("json")), 200);
  });
}
