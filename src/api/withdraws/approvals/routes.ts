import { z } from "@hono/zod-openapi";
import { visibleWithdraw } from "../../../domain/access/payer-masks.ts";
import { withdrawView } from "../../../domain/withdraws/withdraw.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { writeOptimistically } from "../../../http/auth/optimistic-auth.ts";
import { optionalJsonBody } from "../../../http/body.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../../http/idempotency.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { takeReservedQuota } from "../../settings/take-quota.ts";
import { ApprovalFacts, DecidedWithdraw, DecisionBody } from "./schemas.ts";
import { approvalFacts } from "./facts.ts";
import { decideWithdraw, withdrawIdOf } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("Withdraws");

const DECISIONS = {
  approve: {
    operationId: "approveWithdraw",
    summary: "Approve a withdraw",
    description:
      "That somebody else asked for. Its payout is sent from now on. The caller's own spending limits must cover it. The right to " +
      "approve, and the key, must be older than the request and not come from who asked (403).",
    problems: [
      "COMPANY_FROZEN",
      "SPENDING_LIMITS_ENDED",
      "SPENDING_LIMITS_EXCEEDED",
      "PIX_KEY_NOT_ALLOWED",
      "PIX_KEY_COOLING_DOWN",
      "INSUFFICIENT_BALANCE",
    ],
  },
  refuse: {
    operationId: "refuseWithdraw",
    summary: "Refuse a withdraw",
    description:
      "That somebody else asked for. It is cancelled; amount and fee return to the balance.",
    problems: [],
  },
} as const;

function decisionRoute(decision: keyof typeof DECISIONS) {
  const { operationId, summary, description, problems } = DECISIONS[decision];
  return route.post(`/api/v1/withdraws/{id}/${decision}`, {
    operationId,
    summary,
    description,
    guard: requireScope("withdraws:approve"),
    params: z.object({ id: z.string().openapi({ example: "1" }) }),
    body: optionalJsonBody(DecisionBody),
    idempotencyKey: optionalIdempotencyKey(`${decision}_01JD8ZC3`),
    answers: { 200: jsonResponse("The withdraw", DecidedWithdraw) },
    problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED", ...problems],
  });
}

/** The routes of a decision, by its name. */
export const withdrawDecisions = {
  approve: decisionRoute("approve"),
  refuse: decisionRoute("refuse"),
};

export const getWithdrawApproval = route.get("/api/v1/withdraws/{id}/approval", {
  operationId: "getWithdrawApproval",
  summary: "Get what an approver should know",
  description:
    "Who asks and since when, how often the key was paid before, why the withdraw waits, and the balance without and with it.",
  guard: requireScope("withdraws:approve"),
  params: z.object({ id: z.string().openapi({ example: "1" }) }),
  answers: { 200: jsonResponse("The facts", ApprovalFacts) },
  problems: ["NOT_FOUND"],
});

export function withdrawApprovalRoutes(app: Api): void {
  app.openapi(getWithdrawApproval, async (c) => {
    const { id } = c.req.valid("param");
    const now = companyDeps(c).clock.now();
    return c.json({ data: await approvalFacts(c.env, c.get("caller"), id, now) }, 200);
  });
  for (const decision of ["approve", "refuse"] as const) {
    app.openapi(withdrawDecisions[decision], async (c) => {
      const request = {
        id: withdrawIdOf(c.req.valid("param").id),
        decision,
        reason: c.req.valid("json").reason ?? null,
        idempotencyKey: c.get("idempotencyKey"),
      };
      await takeReservedQuota(c);
      const { id: companyId } = c.get("caller").company;
      const target = `withdraw:${request.id}`;
      const action = { companyId, action: `withdraw.${decision}`, target, reason: request.reason };
      const { withdraw, replayed } = await audited(c, action, () =>
        writeOptimistically(c, (caller) =>
          decideWithdraw(c.env, caller, request, c.get("deps").random),
        ),
      );
      if (replayed) c.header(REPLAYED_HEADER, "true");
      return c.json({ data: withdrawView(visibleWithdraw(c.get("caller").scopes, withdraw)) }, 200);
    });
  }
}
