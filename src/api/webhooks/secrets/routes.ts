import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { SMALL_WRITE_BYTES } from "../../../domain/shared/quotas.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../../http/openapi/openapi.ts";
import { takeQuota } from "../../settings/take-quota.ts";
import { VALID_SECRETS_MAX } from "../../../webhooks/signing/secrets.ts";
import { RotatedSecret } from "./schemas.ts";
import { rotateSecret } from "./service.ts";

const rotate = createRoute({
  method: "post",
  path: "/api/v1/webhooks/secret/rotate",
  summary: "Rotate the webhook secret",
  description:
    "For 24 hours every webhook is signed with the new and the replaced secret. If the response " +
    `is lost, rotate again: at most ${VALID_SECRETS_MAX} secrets are valid at once.`,
  tags: ["Webhooks"],
  security: SECURITY,
  middleware: [requireScope("webhooks:write")] as const,
  responses: {
    201: jsonResponse("The new secret", RotatedSecret),
    ...problemResponses("INVALID_STATE", "QUOTA_EXCEEDED"),
  },
});

export function secretRoutes(app: Api): void {
  app.openapi(rotate, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { secret, until } = await rotateSecret(c.env, c.get("caller").company, c.get("deps"));
    c.header("Cache-Control", "no-store");
    return c.json({ secret, previousValidUntil: isoTime(until) }, 201);
  });
}
