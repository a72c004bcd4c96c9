import { callCompany } from "../../company-client/stub.ts";
import { credentialsVersionOf } from "../../db/companies/credentials-version.ts";
import type { Env } from "../../config.ts";

/**
 * Changes something that authentication reads of a company, and tells its object, which then refuses
 * whatever is asked of it with what a Worker has kept from before. Where the object cannot be told, or
 * whoever tells it dies, the same change may be made again; what was kept ends after a minute anyhow.
 */
export async function updateCredentials<Answer>(
  env: Env,
  companyId: number,
  update: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await update();
  const version = await credentialsVersionOf(env, companyId);
  if (version !== null) {
    await callCompany(env, companyId, (account) => account.invalidateCredentials(version));
  }
  return answer;
}
