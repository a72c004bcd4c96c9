import { callCompany } from "../../company-client/stub.ts";
import { credentialsVersionOf } from "../../db/companies/credentials-version.ts";
import type { Env } from "../../config.ts";

/**
 * Makes a change to a company's data that authentication caches, and sends the new version to the company's
 * object, which then rejects commands with an older one. If that fails, the change may be repeated; cached
 * credentials expire after a minute in any case.
 */
export async function updateCredentials<Result>(
  env: Env,
  companyId: number,
  update: () => Promise<Result>,
): Promise<Result> {
  const result = await update();
  const version = await credentialsVersionOf(env, companyId);
  if (version !== null) {
    await callCompany(env, companyId, (account) => account.invalidateCredentials(version));
  }
  return result;
}
