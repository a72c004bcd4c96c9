import type { Api } from "../../../http/api.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/storage/quotas.ts";
import { takeQuota, takeReservedQuota } from "../../settings/take-quota.ts";
import { VALID_SECRETS_MAX } from "../../../webhooks/signing/secrets.ts";
import { EndedSecrets, RotatedSecret, RotateSecretBody } from "./schemas.ts";
import { endPreviousSecrets, rotateSecret } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";

const route = routesOf("Webhooks");

const TARGET = "webhook-secret";

const rotate = route.post("/api/v1/webhooks/secret/rotate", {
  operationId: "rotateWebhookSecret",
  summary: "Rotate the webhook secret",
  description:
    "For 24 hours, or `overlapHours`, every webhook is signed with the new and the replaced secret. If the " +
    `response is lost, rotate again: at most ${VALID_SECRETS_MAX} secrets are valid at once. After a leak send ` +
    "`overlapHours` 0, which ends all earlier secrets.",
  guard: requireScope("webhooks:write"),
  body: optionalJsonBody(RotateSecretBody),
  answers: { 201: jsonResponse("The new secret", RotatedSecret) },
  problems: ["INVALID_STATE", "QUOTA_EXCEEDED"],
});

const endPrevious = route.delete("/api/v1/webhooks/secret/previous", {
  operationId: "endPreviousWebhookSecrets",
  summary: "End the earlier webhook secrets at once",
  description: "Only the current secret signs from the next attempt on. Idempotent.",
  guard: requireScope("webhooks:write"),
  answers: { 200: jsonResponse("The earlier secrets have ended", EndedSecrets) },
  problems: ["INVALID_STATE", "QUOTA_EXCEEDED"],
});

export { rotate as rotateWebhookSecret, endPrevious as endPreviousWebhookSecrets };

export function secretRoutes(app: Api): void {
  app.openapi(rotate, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { overlapHours } = c.req.valid("json");
    const { company } = c.get("caller");
    const action = { action: "webhook_secret.rotate", target: TARGET, after: { overlapHours } };
    const { secret, until } = await audited(c, { companyId: company.id, ...action }, () =>
      rotateSecret(c.env, company, c.get("deps"), { overlapHours }),
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
