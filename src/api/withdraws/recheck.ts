import type { RecheckOutcome } from "../../company/rpc-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { RecheckKind } from "../../company/contradictions/recheck-store.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { assert } from "../../lib/assert.ts";
import { log } from "../../lib/log.ts";
import { recheckDispute } from "../transactions/recheck.ts";
import { providerOfPayout, syncPayout } from "./tasks.ts";

type Deps = Pick<Dependencies, "clock" | "providers">;
type RecheckHandler = (
  env: Env,
  deps: Deps,
  company: Company,
  subject: string,
) => Promise<RecheckOutcome>;

const HANDLERS: Record<RecheckKind, RecheckHandler> = {
  payout: recheckPayout,
  dispute: recheckDispute,
};

/**
 * Asks a provider again about what seems settled, books what it says, and says when it is asked next.
 * May be run any number of times, by anybody: asking changes nothing.
 */
export async function processRecheck(
  env: Env,
  deps: Deps,
  companyId: number,
  recheckId: number,
): Promise<void> {
  const company = await findCompany(env, companyId);
  assert(company !== null, `company ${companyId} is in D1`);
  const claim = await callCompany(env, companyId, (account) =>
    account.claimRecheck(companyId, recheckId),
  );
  if (claim.kind !== "query") return;
  const { kind, subject } = claim.recheck;
  const outcome = await HANDLERS[kind](env, deps, company, subject);
  const answer = await callCompany(env, companyId, (account) =>
    account.recordRecheck(companyId, recheckId, outcome),
  );
  if (answer === "given_up") log("error", "recheck_abandoned", { companyId, kind, subject });
}

/** Asks how a withdraw stands that is Paid: its bank may have sent it back since. */
async function recheckPayout(
  env: Env,
  deps: Deps,
  company: Company,
  withdrawId: string,
): Promise<RecheckOutcome> {
  const withdraw = await callCompany(env, company.id, (account) =>
    account.findWithdraw(Number(withdrawId)),
  );
  if (withdraw?.status !== "Paid") return "done";
  const provider = await providerOfPayout(deps.providers(env), company, withdraw);
  if (provider === null) return "unknown";
  const answer = await syncPayout(env, provider, company, withdraw, deps.clock.now());
  return answer.kind === "unknown" ? "unknown" : "open";
}
