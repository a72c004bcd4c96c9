import type { DecideWithdraw } from "../../../company/withdraws/command-types.ts";
import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import type { RandomSource } from "../../../domain/shared/clock.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import type { WithdrawRecord } from "../../../domain/withdraws/withdraw.ts";
import { requesterOf, type Caller } from "../../../http/context.ts";
import { StaleVersionError } from "../../../http/auth/optimistic-auth.ts";
import { keyReused } from "../../../http/idempotency.ts";
import { invalidState, notFound } from "../../../http/problems.ts";
import { notApprover } from "../../../http/auth/not-approver.ts";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import { mainPixKeyOf, WITHDRAW_ID } from "../service.ts";
import { problemOf } from "../views.ts";

export interface Decision {
  id: number;
  decision: DecideWithdraw["decision"];
  reason: string | null;
  idempotencyKey: string | null;
}

/** The number of a withdraw in a path. Throws 404 for a text that is none, which no audit entry repeats. */
export function withdrawIdOf(text: string): number {
  if (!WITHDRAW_ID.test(text)) throw notFound("withdraw");
  return Number(text);
}

/**
 * Approves or refuses a withdraw that waits for it, for somebody else than who asked. Throws 403 for who is no second
 * pair of eyes, 404, 409 if nothing waits, 422 if the approver's own spending limits, the list of allowed keys or the balance
 * without what contradictions hold does not cover it.
 */
export async function decideWithdraw(
  env: Env,
  caller: Caller,
  { id, decision, reason, idempotencyKey }: Decision,
  random: RandomSource,
): Promise<{ withdraw: WithdrawRecord; replayed: boolean }> {
  const { company, application } = caller;
  const command: DecideWithdraw = {
    companyId: company.id,
    credentialsVersion: company.credentialsVersion,
    id,
    decision,
    decidedBy: requesterOf(caller),
    standing: application.standing,
    spendingLimits: application.spendingLimits,
    reason,
    policy: company.withdrawPolicy,
    mainPixKey: mainPixKeyOf(company),
    sandbox: company.mode === "sandbox",
    // Without a client's key the call gets a random one, so that an internal retry decides once.
    idempotencyKey: idempotencyKey ?? `auto:${newUuid(random)}`,
    requestHash: await sha256Hex(canonicalJson({ id: String(id), reason })),
  };
  const answer = await callCompany(env, company.id, (account) => account.decideWithdraw(command));
  switch (answer.kind) {
    case "decided":
    case "replayed": {
      const replayed = answer.kind === "replayed" && idempotencyKey !== null;
      return { withdraw: answer.withdraw, replayed };
    }
    case "version_conflict":
      throw new StaleVersionError(answer.newest);
    case "key_reused":
      throw keyReused();
    case "not_found":
      throw notFound("withdraw");
    case "no_four_eyes":
      throw notApprover(answer.why, "withdraw");
    case "not_allowed":
      throw invalidState(
        `The withdraw is ${answer.status}, its approval is ${answer.approval}; ` +
          "only one whose approval is pending can be decided",
        "decided_already",
      );
    case "refused":
      throw new Problem(problemOf(answer.refusal));
  }
}
