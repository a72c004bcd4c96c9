import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import { optionalIdempotencyKey } from "../../../http/idempotency.ts";
import { webhookUrlField } from "../../../http/fields/webhook-url.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { takeQuota } from "../../settings/take-quota.ts";
import { EventDetail } from "../../events/schemas.ts";
import { TestBody } from "./schemas.ts";
import { sendTestEvent } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Webhooks");

const test = route.post("/api/v1/webhooks/test", {
  operationId: "testWebhook",
  summary: "Test a webhook URL",
  description:
    "Sends a `webhook.test` event once and returns its attempt. A delivered test switches the host on again. A " +
    "repeated `Idempotency-Key` sends no second event.",
  guard: requireScope("webhooks:write"),
  body: optionalJsonBody(TestBody),
  idempotencyKey: optionalIdempotencyKey("test_2026-11", { isReplayed: false }),
  checks: [webhookUrlField("url")],
  answers: { 201: jsonResponse("The event and its attempt", EventDetail) },
  problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED"],
});

export { test as testWebhook };

export function testEventRoutes(app: Api): void {
  app.openapi(test, async (c) => {
    await takeQuota(c);
    const request = { ...c.req.valid("json"), idempotencyKey: c.get("idempotencyKey") };
    const { company } = c.get("caller");
    return c.json(await sendTestEvent(c.env, c.get("deps"), company, request), 201);
  });
}
