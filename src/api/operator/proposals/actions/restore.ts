import { z } from "@hono/zod-openapi";
import { callCompany } from "../../../../company-client/stub.ts";
import { invalidState } from "../../../../http/problems.ts";
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
        if (to >= deps.clock.now()) throw invalidState("The time is not in the past");
      },
      ask: async () => NOT_ASKED,
      async execute(by) {
        const undo = await callCompany(env, company.id, (account) => account.restoreToTime(to));
        if (undo === null) {
          throw invalidState("The platform cannot restore this company's object to that time");
        }
        // The freeze is gone with all else that the object knew since then, and withdraws that it sees as new would
        // repeat numbers that are paid.
        await scheduler.wait(RESTARTED_AFTER_MS);
        await bookDecision(context, { kind: "restored" }, by);
        return { undo };
      },
    };
  },
};
