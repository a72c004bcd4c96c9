import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../../http/openapi/openapi.ts";
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
    ...problemResponses("INVALID_STATE"),
  },
});

export function secretRoutes(app: Api): void {
  app.openapi(rotate, async (c) => {
    const { company } = c.get("caller");
    const target = `company:${company.id}`;
    const action = { companyId: company.id, action: "webhook_secret.rotate", target };
    const { secret, until } = await audited(c, action, () =>
      rotateSecret(c.env, company, c.get("deps")),
    );
    c.header("Cache-Control", "no-store");
    return c.json({ secret, previousValidUntil: isoTime(until) }, 201);
  });
}
