import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { Resealed, ResealBody } from "./schemas.ts";

const reseal = createRoute({
  method: "post",
  path: "/api/v1/operator/secrets/reseal",
  operationId: "resealSecrets",
  summary: "Seal stored secrets under the current SECRETS_KEY, a bounded step per call",
  description:
    "`npm run rotate-secrets` repeats the call. Idempotent. Once a pass over all companies reports nothing " +
    "resealed and nothing remaining, no stored secret needs the other keys.",
  tags: ["Operator"],
  security: SECURITY,
  middleware: [requireOperator("companies:write"), optionalJsonBody(ResealBody)] as const,
  request: { body: { required: false, content: { "application/json": { schema: ResealBody } } } },
  responses: {
    200: jsonResponse("The result of this step", Resealed),
    ...problemResponses(...BODY_PROBLEMS),
  },
});

export function secretsRoutes(app: Api): void {
  app.openapi(reseal, async (c) => {
    const { after = 0 } = c.req.valid("json");
    const entry = {
      companyId: GATEWAY_TRAIL,
      action: "secrets.reseal",
      target: "secrets",
      after: { afterCompany: after },
    };
    const { resealSecrets } = await import("./service.ts");
    return c.json(await audited(c, entry, () => resealSecrets(c.env, after)), 200);
  });
}
