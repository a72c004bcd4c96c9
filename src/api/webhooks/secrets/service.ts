import { findSealedSecrets, replaceSecret } from "../../../db/companies/webhook-secrets.ts";
import { FIRST_ENDPOINT, type EndpointId } from "../../../domain/events/webhook-endpoint.ts";
import { webhookSecretContext, type Company } from "../../../domain/shared/company.ts";
import type { Problem } from "../../../domain/shared/problem.ts";
import { configOf, type Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { seal } from "../../../lib/secret-box.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import {
  newWebhookSecret,
  unexpiredSecrets,
  VALID_SECRETS_MAX,
  type SealedSecrets,
} from "../../../webhooks/signing/secrets.ts";

const HOUR_MS = 60 * 60_000;
/** Attempts while others change the same secrets: more than a person causes. */
const ATTEMPTS_MAX = 10;

/**
 * Replaces the secret of a company's webhook endpoint. The earlier ones sign until `until` (Unix milliseconds) at most, so with
 * 0 hours they end at once. Concurrent rotations each return a secret of their own. Throws 404 without the
 * endpoint, 409 if the maximum is valid already.
 */
export async function rotateSecret(
  env: Env,
  company: Company,
  deps: Pick<Dependencies, "platformClock" | "random">,
  { endpoint = FIRST_ENDPOINT, overlapHours }: { endpoint?: EndpointId; overlapHours: number },
): Promise<{ secret: string; until: number }> {
  const now = deps.platformClock.now();
  const until = now + overlapHours * HOUR_MS;
  const secret = newWebhookSecret(deps.random);
  const sealed = await seal(
    configOf(env).secretsKeys,
    secret,
    webhookSecretContext(company.providerCompanyId),
  );
  let row = await findSealedSecrets(env, company.id, endpoint);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (row === null) throw notFound("webhook endpoint");
    const previous = unexpiredSecrets(row.webhookSecretsPrevious, now);
    if (overlapHours > 0 && previous.length + 2 > VALID_SECRETS_MAX) throw tooManySecrets();
    const current = row.webhookSecretSealed;
    const ending = previous.map((each) => endingBy(each, until));
    row = await updateCredentials(env, company.id, () =>
      replaceSecret(env, company.id, endpoint, current, {
        sealed,
        previous: [{ sealed: current, until }, ...ending],
      }),
    );
    if (row !== null && hasSecret(row, sealed)) return { secret, until };
  }
  throw changedMeanwhile();
}

/** Ends all earlier secrets of a company's first endpoint at once; only the current one signs. Returns how many ended. */
export async function endPreviousSecrets(
  env: Env,
  company: Company,
  { platformClock }: Pick<Dependencies, "platformClock">,
): Promise<number> {
  const now = platformClock.now();
  let row = await findSealedSecrets(env, company.id, FIRST_ENDPOINT);
  const signing = unexpiredSecrets(row?.webhookSecretsPrevious ?? null, now).length;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const previous = row?.webhookSecretsPrevious ?? [];
    if (row === null || unexpiredSecrets(previous, now).length === 0) return signing;
    const sealed = row.webhookSecretSealed;
    row = await updateCredentials(env, company.id, () =>
      replaceSecret(env, company.id, FIRST_ENDPOINT, sealed, {
        sealed,
        previous: previous.map((each) => endingBy(each, now)),
      }),
    );
  }
  throw changedMeanwhile();
}

function endingBy(secret: { sealed: string; until: number }, until: number) {
  return { sealed: secret.sealed, until: Math.min(secret.until, until) };
}

/** Whether a secret was stored, also if another rotation has replaced it since. */
function hasSecret(row: SealedSecrets, sealed: string): boolean {
  return (
    row.webhookSecretSealed === sealed ||
    (row.webhookSecretsPrevious ?? []).some((previous) => previous.sealed === sealed)
  );
}

function tooManySecrets(): Problem {
  return invalidState(
    `The endpoint has ${VALID_SECRETS_MAX} valid webhook secrets, which is the limit. ` +
      "With overlapHours 0 the earlier ones end at once",
    "too_many",
  );
}

function changedMeanwhile(): Problem {
  return invalidState(
    "Other requests change the webhook secrets at the same time. Try again",
    "changed_meanwhile",
  );
}
