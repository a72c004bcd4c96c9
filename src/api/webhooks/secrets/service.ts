import { findSealedSecrets, replaceSecret } from "../../../db/companies/webhook-secrets.ts";
import { webhookSecretContext, type Company } from "../../../domain/shared/company.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { configOf, type Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { assert } from "../../../lib/assert.ts";
import { seal } from "../../../lib/secret-box.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import {
  newWebhookSecret,
  SECRET_OVERLAP_MS,
  unexpiredSecrets,
  VALID_SECRETS_MAX,
} from "../../../webhooks/signing/secrets.ts";

/**
 * Replaces a company's webhook secret; the replaced one signs until `until` (Unix milliseconds). Concurrent
 * rotations each return a valid secret. Throws 409 if the maximum is valid already.
 */
export async function rotateSecret(
  env: Env,
  company: Company,
  deps: Pick<Dependencies, "clock" | "random">,
): Promise<{ secret: string; until: number }> {
  const now = deps.clock.now();
  const until = now + SECRET_OVERLAP_MS;
  const secret = newWebhookSecret(deps.random);
  const sealed = await seal(
    configOf(env).secretsKeys,
    secret,
    webhookSecretContext(company.providerCompanyId),
  );
  let row = await findSealedSecrets(env, company.id);
  // Each lost race finds one more valid secret, so the limit bounds the attempts.
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

/** Whether a secret was stored, also if another rotation has replaced it since. */
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
