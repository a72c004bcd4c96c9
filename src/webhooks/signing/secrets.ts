import type { RetiredSecret } from "../../db/schema/companies.ts";
import type { RandomSource } from "../../domain/shared/clock.ts";
import { webhookSecretContext } from "../../domain/shared/company.ts";
import { toBase64 } from "../../lib/base64.ts";
import { unseal, type KeyRing } from "../../lib/secret-box.ts";

export const SECRET_PREFIX = "whsec_";
/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;
/** How long earlier secrets still sign unless the merchant says otherwise: a day to deploy the new one. */
export const SECRET_OVERLAP_HOURS = 24;
/** Valid secrets at once. Each adds a signature to a header, whose length receivers limit. */
export const VALID_SECRETS_MAX = 5;

/** The secrets of a webhook endpoint as stored in D1. */
export interface SealedSecrets {
  providerCompanyId: string;
  webhookSecretSealed: string;
  webhookSecretsPrevious: RetiredSecret[] | null;
}

/** A secret in clear with its expiry in Unix milliseconds; null for the current one. */
export interface WebhookSecret {
  secret: string;
  until: number | null;
}

/** A random secret in the Standard Webhooks form, `whsec_` and base64. */
export function newWebhookSecret(random: RandomSource): string {
  return SECRET_PREFIX + toBase64(random.bytes(SECRET_BYTES));
}

/** The rotated-out secrets that still sign, newest first. */
export function unexpiredSecrets(previous: RetiredSecret[] | null, nowMs: number): RetiredSecret[] {
  return (previous ?? []).filter(({ until }) => until > nowMs);
}

/** An endpoint's secrets in clear, newest first. Throws if one cannot be unsealed. */
export async function openSecrets(
  secretsKeys: KeyRing,
  sealed: SealedSecrets,
): Promise<WebhookSecret[]> {
  const context = webhookSecretContext(sealed.providerCompanyId);
  const all = [
    { sealed: sealed.webhookSecretSealed, until: null },
    ...(sealed.webhookSecretsPrevious ?? []),
  ];
  return Promise.all(
    all.map(async (each) => ({
      secret: await unseal(secretsKeys, each.sealed, context),
      until: each.until,
    })),
  );
}
