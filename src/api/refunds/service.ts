import type { DecideExit } from "../../company/operations/command-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import type { RequestedExit } from "../../domain/exits/exit-limits.ts";
import { coolDownMs } from "../../domain/withdraws/withdraw-policy.ts";
import { newUuid } from "../../domain/shared/ids.ts";
import { StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import { requesterOf, type Caller, type CompanyDependencies } from "../../http/context.ts";
import { keyReused } from "../../http/idempotency.ts";
import { invalidState, notFound } from "../../http/problems.ts";
import { notApprover } from "../../http/auth/not-approver.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { processOperation } from "../transactions/operations.ts";
import { ownLimit } from "./asked-by.ts";
import { exitRefused } from "./problems.ts";
import { requestedExitView } from "./views.ts";

export interface RefundDecision {
  id: string;
  decision: DecideExit["decision"];
  reason: string | null;
  idempotencyKey: string | null;
}

/** A page of refunds and returns that wait for an approval, newest first. */
export async function pageOfWaiting(
  env: Env,
  companyId: number,
  { after = null, limit }: { after?: number | null | undefined; limit: number },
) {
  const found = await callCompany(env, companyId, (account) =>
    account.listWaitingExits({ before: after, limit: limit + 1 }),
  );
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)?.number : undefined;
  return {
    items: page.map(requestedExitView),
    after: next === undefined ? null : String(next),
    hasMore: next !== undefined,
  };
}

/** A refund or return by its id. Throws 404. */
export async function requireExit(env: Env, companyId: number, id: string): Promise<RequestedExit> {
  const exit = await callCompany(env, companyId, (account) => account.findExit(id));
  if (exit === null) throw notFound("refund");
  return exit;
}

/**
 * Approves or refuses a refund or return that waits for it. An approved one is sent at once; if that fails, the
 * object's own work sends it. Throws 403 for whoever is no second pair of eyes, 404, 409 if nothing waits, 422 while
 * the company is frozen and beyond the approver's own limit.
 */
export async function decideRefund(
  env: Env,
  deps: CompanyDependencies,
  caller: Caller,
  { id, decision, reason, idempotencyKey }: RefundDecision,
): Promise<{ exit: RequestedExit; replayed: boolean }> {
  const { company, application } = caller;
  const command: DecideExit = {
    companyId: company.id,
    credentialsVersion: company.credentialsVersion,
    operationId: id,
    decision,
    decidedBy: requesterOf(caller),
    standing: application.standing,
    ownLimit: ownLimit(caller),
    coolDownMs: coolDownMs(company.withdrawPolicy),
    reason,
    // Without a client's key the call gets a random one, so that an internal retry decides once.
    idempotencyKey: idempotencyKey ?? `auto:${newUuid(deps.random)}`,
    requestHash: await sha256Hex(canonicalJson({ id, reason })),
  };
  const answer = await callCompany(env, company.id, (account) => account.decideExit(command));
  switch (answer.kind) {
    case "decided":
    case "replayed": {
      const replayed = answer.kind === "replayed" && idempotencyKey !== null;
      // Shown as it was decided, so that a replay shows the same; what came of it stands in its transaction.
      if (decision === "approve" && !replayed) {
        await processOperation(env, deps, company.id, answer.exit.number);
      }
      return { exit: answer.exit, replayed };
    }
    case "version_conflict":
      throw new StaleVersionError(answer.newest);
    case "key_reused":
      throw keyReused();
    case "not_found":
      throw notFound("refund");
    case "not_approver":
      throw notApprover(answer.why, "refund");
    case "not_possible":
      throw invalidState(answer.reason, "refund_not_possible");
    case "not_allowed":
      throw invalidState(
        `The refund is ${answer.status}, its approval is ${answer.approval}; ` +
          "only one whose approval is pending can be decided",
        "decided_already",
      );
    case "frozen":
    case "exit_limit_exceeded":
      throw exitRefused(answer);
  }
}
