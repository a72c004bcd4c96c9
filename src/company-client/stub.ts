import { systemClock } from "../domain/shared/clock.ts";
import type { Env } from "../config.ts";
import { Overloaded, isClientCall, type ClientCall } from "../company/deadline-calls.ts";
import type { CompanyRpc } from "../company/rpc.ts";

/** Places objects in South America, near Brazil's merchants and banks. */
const LOCATION_HINT = "sam";

/**
 * Calls a company's object. Every call is idempotent, so one that failed in transit (`retryable`) is
 * repeated once on a new stub, unless the object is overloaded. Throws `Overloaded` if the object shed a
 * client's call; the repeat is never shed, because the first call may have been done.
 */
export async function callCompany<Answer>(
  env: Env,
  companyId: number,
  call: (account: CompanyRpc) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(withDeadlines(companyStub(env, companyId)));
  } catch (error) {
    if (!isRetryable(error)) throw error;
    return call(companyStub(env, companyId));
  }
}

/** A stub without deadline or retry. */
export function companyStub(env: Env, companyId: number) {
  return env.COMPANY_ACCOUNT.getByName(`company-${companyId}`, { locationHint: LOCATION_HINT });
}

/** The same object; clients' calls carry the time at which they were made. */
function withDeadlines(account: CompanyRpc): CompanyRpc {
  const methods = account as unknown as Record<PropertyKey, (...values: unknown[]) => unknown>;
  return new Proxy(account, {
    get:
      (_, name) =>
      (...parameters: unknown[]) =>
        isClientCall(name)
          ? callWithDeadline(account, name, parameters)
          : methods[name]?.(...parameters),
  });
}

async function callWithDeadline(
  account: CompanyRpc,
  call: ClientCall,
  parameters: unknown[],
): Promise<unknown> {
  const answer = await account.callWithDeadline({ call, parameters, calledAt: systemClock.now() });
  if (answer.kind === "overloaded") throw new Overloaded(call);
  return answer.answer;
}

function isRetryable(error: unknown): boolean {
  const flags = error as { retryable?: boolean; overloaded?: boolean } | null;
  return flags?.retryable === true && flags.overloaded !== true;
}
