import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import { findApplications } from "../../../db/companies/applications.ts";
import { standingOf } from "../../../db/companies/credentials.ts";
import { findPerson } from "../../../db/people/people.ts";
import { PERSON_PREFIX } from "../../../domain/access/client-id.ts";
import { visibleWithdraw } from "../../../domain/access/payer-masks.ts";
import type { PersonRole } from "../../../domain/access/person-role.ts";
import type { Requester } from "../../../domain/access/requester.ts";
import {
  FROM_THE_START,
  isFreshFromOperator,
  type Standing,
} from "../../../domain/access/standing.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { coolDownMs } from "../../../domain/withdraws/withdraw-policy.ts";
import type { Caller } from "../../../http/context.ts";
import { searchWithdraws } from "../search/service.ts";
import { requireWithdraw } from "../service.ts";

/** Earlier withdraws to the same key that are counted one by one. */
const EARLIER_MAX = 100;

/** Who asked, as he is now. `role` is null for an application, and for a person who has left the company. */
interface Asker {
  role: PersonRole | null;
  standing: Standing;
}

/**
 * What an approver of a withdraw should know: who asks and since when he may, what is known of the receiver, how often
 * the key was paid before, why it waits, and the balance without and with it. Centavos. Throws 404.
 */
export async function approvalFacts(env: Env, caller: Caller, id: string, nowMs: number) {
  const { company, scopes } = caller;
  const withdraw = await requireWithdraw(env, company, id);
  const { pixKey, amount, fee, requestedBy, createdAt } = withdraw;
  const [asker, earlier, { balances }] = await Promise.all([
    findAsker(env, company.id, requestedBy, nowMs),
    searchWithdraws(env, company.id, {
      pixKey,
      status: "Paid",
      after: null,
      limit: EARLIER_MAX,
    }),
    callCompany(env, company.id, (account) => account.balances()),
  ]);
  const [last] = earlier.items;
  const isFresh = isFreshFromOperator(
    asker.standing,
    createdAt,
    coolDownMs(company.withdrawPolicy),
  );
  const { creditorDocument } = visibleWithdraw(scopes, withdraw);
  const { since } = asker.standing;
  const hasLeftBalance = withdraw.status !== "Failed" && withdraw.status !== "Cancelled";
  const without = balances.available + (hasLeftBalance ? amount + fee : 0);
  return {
    requester: { role: asker.role, since: since === 0 ? null : isoTime(since) },
    // No provider tells a name before it has paid.
    receiver: { name: null, document: creditorDocument === "" ? null : creditorDocument },
    earlier: {
      count: earlier.items.length,
      hasMore: earlier.after !== null,
      lastAt: last === undefined ? null : isoTime(last.paidAt ?? last.updatedAt),
    },
    rule: isFresh ? ("right_from_operator" as const) : ("above_limit" as const),
    limit: isFresh ? null : company.withdrawPolicy.approvalAbove,
    balanceBefore: without,
    balanceAfter: without - amount - fee,
  };
}

async function findAsker(
  env: Env,
  companyId: number,
  requestedBy: Requester | null,
  nowMs: number,
): Promise<Asker> {
  const unknown = { role: null, standing: FROM_THE_START };
  if (requestedBy?.kind === "person") {
    const userId = requestedBy.id.slice(PERSON_PREFIX.length);
    const person = await findPerson(env, { userId });
    return person?.memberships.find((each) => each.companyId === companyId) ?? unknown;
  }
  if (requestedBy?.kind !== "application") return unknown;
  const found = await findApplications(env, companyId, [requestedBy.id], nowMs);
  const application = found.get(requestedBy.id);
  if (application === undefined) return unknown;
  return { role: null, standing: standingOf(application.givenAt, application.givenBy) };
}
