import { z } from "@hono/zod-openapi";
import { callCompany } from "../../../../company-client/stub.ts";
import { rewindPasses } from "../../../../db/reconciliation/reconciliation.ts";
import { RESTORE_FREEZE_REASON } from "../../../../domain/access/freeze.ts";
import { invalidState } from "../../../../http/problems.ts";
import { copyFreeze } from "../../audit/service.ts";
import {
  bookDecision,
  NOT_ASKED,
  parseRequest,
  requireOwnTarget,
  type ActionDefinition,
} from "../action.ts";
import { RESTORE_TIME } from "../requests.ts";

/** An object that is taken back restarts half a second later. */
const RESTARTED_AFTER_MS = 1_000;

const RestoreTo = z.object(RESTORE_TIME);

/**
 * A company's object goes back to an earlier time: money that has left since is there again by its books, and a freeze
 * of since is gone until the company is frozen anew.
 */
export const restoreAction: ActionDefinition = {
  permission: "companies:write",
  auditAction: "company.restore",
  prepare(context, target, request) {
    requireOwnTarget(context, target);
    const { to } = parseRequest(RestoreTo, request);
    const { env, deps, company } = context;
    return {
      request: { to },
      audited: { to },
      async check() {
        if (to >= deps.platformClock.now())
          throw invalidState("The time is not in the past", "time_not_past");
      },
      ask: async () => NOT_ASKED,
      async execute(decision) {
        // Outside the object, which forgets its freeze: nothing leaves while it restarts. The restore's last step ends it.
        const by = { kind: "operator" as const, ...decision.approvedBy };
        const since = deps.platformClock.now();
        const own = { since, reason: RESTORE_FREEZE_REASON, by };
        const { companies } = await deps.pauses.pause(env, company.id, own);
        const undo = await callCompany(env, company.id, (account) => account.restoreToTime(to));
        if (undo === null) {
          // Not that of a restore which is under way.
          if (companies[company.id]?.since === since) await deps.pauses.resume(env, company.id);
          throw invalidState(
            "The platform cannot restore this company's object to that time",
            "decision_not_possible",
          );
        }
        // The freeze is gone with all else that the object knew since then, and withdraws that it sees as new would
        // repeat numbers that are paid.
        await scheduler.wait(RESTARTED_AFTER_MS);
        await bookDecision(context, { kind: "restored" }, decision);
        await copyFreeze(env, company.id);
        await rewindPasses(env, company.id, to, deps.platformClock.now());
        return { undo };
      },
    };
  },
};
