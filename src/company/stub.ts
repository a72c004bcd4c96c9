import type { Env } from "../env.ts";
import type { CompanyRpc } from "./commands.ts";

/** Brazil's merchants and banks are in South America, and so are their objects. */
const LOCATION_HINT = "sam";

/**
 * Calls a company's object. Every call it serves is idempotent, so one that failed on the way
 * (`retryable`) is made once more on a new stub; an overloaded object is never hot-retried.
 */
export async function callCompany<Answer>(
  env: Env,
  companyId: number,
  call: (account: CompanyRpc) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(companyStub(env, companyId));
  } catch (error) {
    if (!isRetryable(error)) throw error;
    return call(companyStub(env, companyId));
  }
}

export function companyStub(env: Env, companyId: number) {
  return env.COMPANY_ACCOUNT.getByName(`company-${companyId}`, { locationHint: LOCATION_HINT });
}

function isRetryable(error: unknown): boolean {
  const flags = error as { retryable?: boolean; overloaded?: boolean } | null;
  return flags?.retryable === true && flags.overloaded !== true;
}
