import type { CompanyRpc } from "../company/calls.ts";
import type { CompanyObject } from "../company/object.ts";
import type { Env } from "../config.ts";
import { systemClock } from "../domain/shared/clock.ts";
import { currentTrace } from "../lib/trace/trace.ts";

/** Places objects in South America, near Brazil's merchants and banks. */
const LOCATION_HINT = "sam";

/**
 * The object shed this call. Like the platform's own overload error: clients get 503 with `Retry-After`,
 * and the call is not retried at once.
 */
class Overloaded extends Error {
  readonly overloaded = true;

  constructor(name: string) {
    super(`the company's object is overloaded and did not run ${name}`);
  }
}

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
    return await call(callsOf(companyStub(env, companyId), { isShed: true }));
  } catch (error) {
    if (!isRetryable(error)) throw error;
    return call(callsOf(companyStub(env, companyId), { isShed: false }));
  }
}

/** A stub without deadline or retry. */
export function companyStub(env: Env, companyId: number) {
  return env.COMPANY_ACCOUNT.getByName(`company-${companyId}`, { locationHint: LOCATION_HINT });
}

/** The calls of an object by their names, with the trace; `isShed`: an overloaded object sheds a client's call. */
export function callsOf(
  object: Pick<CompanyObject, "call">,
  { isShed }: { isShed: boolean },
): CompanyRpc {
  const call = async (name: string, parameter: unknown): Promise<unknown> => {
    const calledAt = isShed ? systemClock.now() : null;
    const traceId = currentTrace() ?? null;
    const answer = await object.call({ name, parameter, calledAt, traceId });
    if (answer.kind === "overloaded") throw new Overloaded(name);
    return answer.answer;
  };
  return new Proxy<CompanyRpc>(Object.create(null), {
    // An `await` of the calls themselves asks for `then`.
    get: (_, name: string) =>
      name === "then" ? undefined : (parameter: unknown) => call(name, parameter),
  });
}

function isRetryable(error: unknown): boolean {
  const flags = error as { retryable?: boolean; overloaded?: boolean } | null;
  return flags?.retryable === true && flags.overloaded !== true;
}
