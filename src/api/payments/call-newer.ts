import type { CompanyRpc } from "../../company/calls.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { isCallUnknown } from "../../db/storage-errors.ts";

/**
 * As `callCompany`, of a call that objects of the release before have not, for some minutes after a deploy: `older` answers
 * for them.
 */
export async function callNewer<Answer>(
  env: Env,
  companyId: number,
  call: (account: CompanyRpc) => Promise<Answer>,
  older: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await callCompany(env, companyId, call);
  } catch (error) {
    if (!isCallUnknown(error)) throw error;
    return older();
  }
}
