import type { RetiredSecret } from "../../db/schema/companies.ts";
import type { RandomSource } from "../../domain/shared/clock.ts";
import { webhookSecretContext } from "../../domain/shared/company.ts";
import { toBase64 } from "../../lib/base64.ts";
import { unseal } from "../../lib/secret-box.ts";

export const SECRET_PREFIX = "whsec_";
/** As SHA-256 gives; Standard Webhooks asks for 24 to 64. */
const SECRET_BYTES = 32;
/** How long a replaced secret goes on signing: a day to bring the new one to every server. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1_000;
/** Each one is a signature in a header of every webhook, which receivers limit in its length. */
export const VALID_SECRETS_MAX = 5;

/** A company's webhook secrets as D1 has them. */
export interface SealedSecrets {
  providerCompanyId: string;
  webhookSecretSealed: string;
  webhookSecretsPrevious: RetiredSecret[] | null;
}

/** A secret in clear; `until` (Unix milliseconds) it signs, null for the present one. */
export interface WebhookSecret {
  secret: string;
  until: number | null;
}

/** A fresh secret, as Standard Webhooks writes it. */
export function newWebhookSecret(random: RandomSource): string {
  return SECRET_PREFIX + toBase64(random.bytes(SECRET_BYTES));
}

/** Of the secrets that were rotated out those that still sign, newest first. */
export function unexpiredSecrets(previous: RetiredSecret[] | null, nowMs: number): RetiredSecret[] {
  return (previous ?? []).filter(({ until }) => until > nowMs);
}

/** A company's secrets in clear, newest first. Throws where one does not open. */
export async function openSecrets(
  secretsKey: string,
  sealed: SealedSecrets,
): Promise<WebhookSecret[]> {
  const context = webhookSecretContext(sealed.providerCompanyId);
  const all = [
    { sealed: sealed.webhookSecretSealed, until: null },
    ...(sealed.webhookSecretsPrevious ?? []),
  ];
  return Promise.all(
    all.map(async (each) => ({
      secret: await unseal(secretsKey, each.sealed, context),
      until: each.until,
    })),
  );
}
