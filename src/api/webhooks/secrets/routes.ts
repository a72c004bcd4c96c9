import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import { takeQuota, takeReservedQuota } from "../../settings/take-quota.ts";
import { VALID_SECRETS_MAX } from "../../../webhooks/signing/secrets.ts";
import { EndedSecrets, RotatedSecret, RotateSecretBody } from "./schemas.ts";
import { endPreviousSecrets, rotateSecret } from "./service.ts";

const TARGET = "webhook-secret";

const rotate = createRoute({
  method: "post",
  path: "/api/v1/webhooks/secret/rotate",
  operationId: "rotateWebhookSecret",
  summary: "Rotate the webhook secret",
  description:
    "For 24 hours, or `overlapHours`, every webhook is signed with the new and the replaced secret. If the " +
    `response is lost, rotate again: at most ${VALID_SECRETS_MAX} secrets are valid at once. After a leak send ` +
    "`overlapHours` 0, which ends all earlier secrets.",
  tags: ["Webhooks"],
  security: SECURITY,
  middleware: [requireScope("webhooks:write"), optionalJsonBody(RotateSecretBody)] as const,
  request: {
    body: { required: false, content: { "application/json": { schema: RotateSecretBody } } },
  },
  responses: {
    201: jsonResponse("The new secret", RotatedSecret),
    ...problemResponses(...BODY_PROBLEMS, "INVALID_STATE", "QUOTA_EXCEEDED"),
  },
});

const endPrevious = createRoute({
  method: "delete",
  path: "/api/v1/webhooks/secret/previous",
  operationId: "endPreviousWebhookSecrets",
  summary: "End the earlier webhook secrets at once",
  description: "Only the current secret signs from the next attempt on. Idempotent.",
  tags: ["Webhooks"],
  security: SECURITY,
  middleware: [requireScope("webhooks:write")] as const,
  responses: {
    200: jsonResponse("The earlier secrets have ended", EndedSecrets),
    ...problemResponses("INVALID_STATE", "QUOTA_EXCEEDED"),
  },
});

export function secretRoutes(app: Api): void {
  app.openapi(rotate, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { overlapHours } = c.req.valid("json");
    const { company } = c.get("caller");
    const action = { action: "webhook_secret.rotate", target: TARGET, after: { overlapHours } };
    const { secret, until } = await audited(c, { companyId: company.id, ...action }, () =>
      rotateSecret(c.env, company, c.get("deps"), overlapHours),
    );
    c.header("Cache-Control", "no-store");
    return c.json({ secret, previousValidUntil: isoTime(until) }, 201);
  });

  app.openapi(endPrevious, async (c) => {
    const { company } = c.get("caller");
    const action = { action: "webhook_secret.end_previous", target: TARGET };
    await takeReservedQuota(c);
    const ended = await audited(c, { companyId: company.id, ...action }, () =>
      endPreviousSecrets(c.env, company, c.get("deps")),
    );
    return c.json({ ended }, 200);
  });
}
