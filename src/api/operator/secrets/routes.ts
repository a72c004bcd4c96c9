import type { Api } from "../../../http/api.ts";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { Resealed, ResealBody } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { resealSecrets } from "./service.ts";

const route = routesOf("Operator");

const reseal = route.post("/api/v1/operator/secrets/reseal", {
  operationId: "resealSecrets",
  summary: "Seal stored secrets under the current SECRETS_KEY, a bounded step per call",
  description:
    "`npm run rotate-secrets` repeats the call. Idempotent. Once a pass over all companies reports nothing " +
    "resealed and nothing remaining, no stored secret needs the other keys.",
  guard: requireOperator("companies:write"),
  body: optionalJsonBody(ResealBody),
  answers: { 200: jsonResponse("The result of this step", Resealed) },
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
    return c.json(await audited(c, entry, () => resealSecrets(c.env, after)), 200);
  });
}
