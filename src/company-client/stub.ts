import { systemClock } from "../domain/shared/clock.ts";
import type { Env } from "../config.ts";
import { currentTrace } from "../lib/trace/trace.ts";
import {
  Overloaded,
  isClientCall,
  type ClientCall,
  type TracedCall,
  type UntypedCalls,
} from "../company/deadline-calls.ts";
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
    return call(withTraceOnly(companyStub(env, companyId)));
  }
}

/** A stub without deadline or retry. */
export function companyStub(env: Env, companyId: number) {
  return env.COMPANY_ACCOUNT.getByName(`company-${companyId}`, { locationHint: LOCATION_HINT });
}

/** The same object; clients' calls carry the time at which they were made, and all the trace. */
function withDeadlines(account: CompanyRpc): CompanyRpc {
  return new Proxy(account, {
    get:
      (_, name) =>
      (...parameters: unknown[]) =>
        isClientCall(name)
          ? callWithDeadline(account, name, parameters)
          : callTraced(account, name, parameters),
  });
}

/** The same object; calls carry the trace. */
function withTraceOnly(account: CompanyRpc): CompanyRpc {
  return new Proxy(account, {
    get:
      (_, name) =>
      (...parameters: unknown[]) =>
        callTraced(account, name, parameters),
  });
}

function callTraced(account: CompanyRpc, name: PropertyKey, parameters: unknown[]): unknown {
  const traceId = currentTrace();
  const call = name as TracedCall["call"];
  if (traceId !== undefined) return account.callWithTrace({ call, parameters, traceId });
  const calls: UntypedCalls = account;
  return calls[call](...parameters);
}

async function callWithDeadline(
  account: CompanyRpc,
  call: ClientCall,
  parameters: unknown[],
): Promise<unknown> {
  const answer = await account.callWithDeadline({
    call,
    parameters,
    calledAt: systemClock.now(),
    traceId: currentTrace() ?? null,
  });
  if (answer.kind === "overloaded") throw new Overloaded(call);
  return answer.answer;
}

function isRetryable(error: unknown): boolean {
  const flags = error as { retryable?: boolean; overloaded?: boolean } | null;
  return flags?.retryable === true && flags.overloaded !== true;
}
