import type { Api } from "../../../http/api.ts";
import { audited, operatorRequester } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody, optionalJsonBody } from "../../../http/body.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { callCompany } from "../../../company-client/stub.ts";
import { invalidState } from "../../../http/problems.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { RESTORE_FREEZE_REASON } from "../../../domain/access/freeze.ts";
import { copyFreeze } from "../audit/service.ts";
import { proposed } from "../proposals/propose.ts";
import { OneProposal } from "../proposals/schemas.ts";
import { RestoreObject, RestoreResult, RestoreStep } from "./schemas.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { restoreStep } from "./service.ts";

const route = routesOf("Operator");

const restore = route.post(`${COMPANY}/restore`, {
  operationId: "restoreCompany",
  summary: "Bring a company's D1 and object together after a restore, one bounded step per call",
  description:
    "The first step pauses and freezes the company. The last one ends the pause; `npm run restore` proposes to end the " +
    "freeze once object and D1 agree. " +
    "Each step writes archived changes that D1 lacks again, with their events, under the same numbers and " +
    "`webhook-id`s. The last one raises the object's numbers above those of D1. Safe to repeat.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: optionalJsonBody(RestoreStep),
  answers: { 200: jsonResponse("The result of this step", RestoreResult) },
  problems: ["NOT_FOUND", "INVALID_STATE"],
});

const restoreObject = route.post(`${COMPANY}/restore/object`, {
  operationId: "restoreCompanyObject",
  summary: "Propose to restore a company's object to an earlier time",
  description:
    "Another operator approves the proposal. The object loses every commit since then, so do this only to undo damage " +
    "inside it. The company is paused first and frozen before the approval answers, with the bookmark that undoes this " +
    "(`outcome.undo`). Call the other restore next, whose last step ends the pause: `npm run restore -- --company 12`.",
  guard: requireOperator("companies:write"),
  params: CompanyParam,
  body: jsonBody(RestoreObject),
  answers: { 202: jsonResponse("The proposal", OneProposal) },
  problems: ["NOT_FOUND", "INVALID_STATE", "SECOND_OPERATOR_REQUIRED"],
});

export function restoreRoutes(app: Api): void {
  app.openapi(restoreObject, async (c) => {
    const { companyId } = c.req.valid("param");
    const { to, reason } = c.req.valid("json");
    const target = `company:${companyId}`;
    const request = { to };
    const action = "company.restore" as const;
    const answer = await proposed(c, {
      action,
      companyId,
      target,
      request,
      reason,
      evidence: null,
    });
    return c.json(answer, 202);
  });

  app.openapi(restore, async (c) => {
    const { id: companyId } = await requireCompany(c, c.req.valid("param").companyId);
    const { after, since } = c.req.valid("json");
    if (after === "") await begin(c, companyId);
    else await requireStopped(c, companyId);
    const nowMs = c.get("deps").platformClock.now();
    const step = await restoreStep(c.env, companyId, { after, since, nowMs });
    if (step.after === null) await c.get("deps").pauses.resume(c.env, companyId);
    return c.json(step, 200);
  });
}

/**
 * A pause or a freeze that ended meanwhile let charges or withdraws go on while D1 is written again: begin anew. Throws
 * 409.
 */
async function requireStopped(c: AppContext, companyId: number): Promise<void> {
  const [{ companies }, isFrozen] = await Promise.all([
    c.get("deps").pauses.ask(c.env),
    callCompany(c.env, companyId, (account) => account.isFrozen()),
  ]);
  if (isFrozen && companies[companyId] !== undefined) return;
  throw invalidState(
    "The company is not paused and frozen any more. Begin the restore anew",
    "restore_interrupted",
  );
}

/**
 * Pauses and freezes the company: a create under a key that D1 has forgotten would charge its payer again, and a
 * withdraw would repeat a number that is paid. The last step ends the pause; the freeze stays.
 */
async function begin(c: AppContext, companyId: number): Promise<void> {
  const { platformClock, pauses } = c.get("deps");
  const pause = {
    since: platformClock.now(),
    reason: RESTORE_FREEZE_REASON,
    by: operatorRequester(c),
  };
  // Also while the whole service is paused: that pause may end before the restore does.
  await pauses.pause(c.env, companyId, pause);
  await freeze(c, companyId);
  await copyFreeze(c.env, companyId);
}

/** A company that is frozen already keeps its reason. */
async function freeze(c: AppContext, companyId: number): Promise<void> {
  const isFrozen = await callCompany(c.env, companyId, (account) => account.isFrozen());
  const setFrozen = () =>
    callCompany(c.env, companyId, (account) =>
      account.setFrozen({
        companyId,
        change: "for_restore",
        cause: {
          reason: RESTORE_FREEZE_REASON,
          by: operatorRequester(c),
        },
      }),
    );
  // It outlasts a proposal of before to end the freeze.
  if (isFrozen) return setFrozen();
  const target = `company:${companyId}`;
  await audited(
    c,
    { companyId, action: "company.freeze", target, reason: RESTORE_FREEZE_REASON },
    setFrozen,
  );
}
