import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { findSealedSecrets, replaceSecret } from "../../../db/webhook-secrets.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { webhookSecretContext, type Company } from "../../../domain/shared/company.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { configOf, type Env } from "../../../config.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import type { Dependencies } from "../../../http/context.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../../http/openapi/openapi.ts";
import { assert } from "../../../lib/assert.ts";
import { seal } from "../../../lib/secret-box.ts";
import {
  newWebhookSecret,
  SECRET_OVERLAP_MS,
  unexpiredSecrets,
  VALID_SECRETS_MAX,
} from "../../../webhooks/signing/secrets.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";

const RotatedSecret = z
  .object({
    secret: z.string().openapi({ description: "Shown once; keep it." }),
    previousValidUntil: z
      .string()
      .openapi({ format: "date-time", description: "Until then the replaced one signs too." }),
  })
  .openapi("RotatedWebhookSecret", {
    example: {
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
      previousValidUntil: "2026-11-22T12:00:00.000Z",
    },
  });

const rotate = createRoute({
  method: "post",
  path: "/api/v1/webhooks/secret/rotate",
  summary: "Make a new webhook secret",
  description:
    "For 24 hours every webhook is signed with the new and the replaced secret. Where the answer " +
    `was lost, rotate again: at most ${VALID_SECRETS_MAX} secrets are valid at once.`,
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
    const { secret, until } = await rotateSecret(c.env, c.get("caller").company, c.get("deps"));
    c.header("Cache-Control", "no-store");
    return c.json({ secret, previousValidUntil: isoTime(until) }, 201);
  });
}

/**
 * Replaces a company's webhook secret; the replaced one signs until `until` (Unix milliseconds).
 * Throws 409 where as many as may be are valid. Of several at once each gets a secret that is valid.
 */
async function rotateSecret(
  env: Env,
  company: Company,
  deps: Pick<Dependencies, "clock" | "random">,
): Promise<{ secret: string; until: number }> {
  const now = deps.clock.now();
  const until = now + SECRET_OVERLAP_MS;
  const secret = newWebhookSecret(deps.random);
  const sealed = await seal(
    configOf(env).secretsKey,
    secret,
    webhookSecretContext(company.providerCompanyId),
  );
  let row = await findSealedSecrets(env, company.id);
  // Whoever is overtaken finds one more valid secret each time, so there is room to lose only so often.
  for (let attempt = 0; attempt < VALID_SECRETS_MAX; attempt++) {
    const previous = unexpiredSecrets(row.webhookSecretsPrevious, now);
    if (previous.length + 2 > VALID_SECRETS_MAX) throw tooManySecrets();
    const currentSecret = row.webhookSecretSealed;
    row = await updateCredentials(env, company.id, () =>
      replaceSecret(env, company.id, currentSecret, {
        sealed,
        previous: [{ sealed: currentSecret, until }, ...previous],
      }),
    );
    if (hasSecret(row, sealed)) return { secret, until };
  }
  assert(false, "each rotation that overtakes another adds a valid secret");
}

/** Whether a secret was put there, also where another rotation has replaced it since. */
function hasSecret(row: Awaited<ReturnType<typeof replaceSecret>>, sealed: string): boolean {
  return (
    row.webhookSecretSealed === sealed ||
    (row.webhookSecretsPrevious ?? []).some((previous) => previous.sealed === sealed)
  );
}

function tooManySecrets(): Problem {
  return new Problem({
    code: "INVALID_STATE",
    detail:
      `The company has ${VALID_SECRETS_MAX} valid webhook secrets, which is the limit. ` +
      "The oldest expires 24 hours after its replacement.",
  });
}
