import { certificateOf, configOf, type Env } from "../config.ts";
import type { Clock } from "../domain/shared/clock.ts";
import type { TrialResult } from "../domain/psp/certificate-trial.ts";
import { PixApiClient } from "./pix-api/client.ts";
import { TokenCache } from "./calls/token-cache.ts";
import { openSecrets, type ProviderOwner, type StoredAccountOf } from "./registry.ts";

/**
 * Asks an account's PSP for a token with the client certificate of a binding (null: with none), and once more where no
 * answer came. The token is thrown away, and the call counts for nothing: it says nothing of the account's own
 * connection. Throws where the secrets cannot be opened.
 */
export async function tryCertificate(
  { env, clock }: { env: Env; clock: Clock },
  company: Pick<ProviderOwner, "providerCompanyId">,
  account: StoredAccountOf<"PixApi">,
  certificate: string | null,
): Promise<TrialResult> {
  const binding = certificate === null ? null : certificateOf(env, certificate);
  if (certificate !== null && binding === null) return "no_binding";
  const { settings } = account;
  const { clientSecret } = await openSecrets(env, company, account);
  const client = new PixApiClient({
    config: { ...settings, certificate, clientSecret },
    fetch: async (request) => (binding === null ? fetch(request) : binding.fetch(request)),
    clock,
    tokens: new TokenCache(),
    allowHttpLoopback: configOf(env).allowHttpLoopbackWebhooks,
  });
  const first = await client.tryToken();
  return first === "no_answer" ? client.tryToken() : first;
}
