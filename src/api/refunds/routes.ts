import { z } from "@hono/zod-openapi";
import { EXAMPLE_REQUESTED_EXIT } from "../../domain/events/api-examples.ts";
import type { Api } from "../../http/api.ts";
import { audited } from "../../http/audit.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { optionalJsonBody } from "../../http/body.ts";
import { optionalIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { takeReservedQuota } from "../settings/take-quota.ts";
import {
  RefundDecisionBody,
  RequestedRefundEnvelope,
  RequestedRefunds,
  RequestedRefundsQuery,
} from "./schemas.ts";
import { decideRefund, pageOfWaiting, requireExit } from "./service.ts";
import { requestedExitView } from "./views.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { companyDeps } from "../../http/context.ts";

const route = routesOf("Refunds");
const PATH = "/api/v1/refunds";
const ID_PARAM = z.object({ id: z.string().openapi({ example: EXAMPLE_REQUESTED_EXIT.id }) });

const list = route.get(PATH, {
  operationId: "listWaitingRefunds",
  summary: "List refunds and returns that wait for an approval",
  description:
    "Newest first. Above `refundApprovalAbove`, or with a right that an operator gave within the cool-down, a refund, " +
    "or the return of an unexpected payment, is sent once somebody else approved it; after 72 hours its money comes back.",
  guard: requireScope("transactions:read"),
  query: RequestedRefundsQuery,
  answers: { 200: jsonResponse("The list", RequestedRefunds) },
  problems: ["VALIDATION_FAILED"],
});

const DECISIONS = {
  approve: {
    operationId: "approveRefund",
    summary: "Approve a refund or return",
    description:
      "Of somebody else. It is sent at once; what came of it stands in its transaction or payment. The caller's right must be older than the request, and must not come " +
      "from who asked; the caller's own limit must cover the amount.",
    problems: ["COMPANY_FROZEN", "REFUND_LIMIT_EXCEEDED"],
  },
  refuse: {
    operationId: "refuseRefund",
    summary: "Refuse a refund or return",
    description: "Of somebody else. It fails, and its money comes back.",
    problems: [],
  },
} as const;

function decisionRoute(decision: keyof typeof DECISIONS) {
  const { operationId, summary, description, problems } = DECISIONS[decision];
  return route.post(`${PATH}/{id}/${decision}`, {
    operationId,
    summary,
    description,
    guard: requireScope("withdraws:approve"),
    params: ID_PARAM,
    body: optionalJsonBody(RefundDecisionBody),
    idempotencyKey: optionalIdempotencyKey(`${decision}_01JD8ZC3`),
    answers: { 200: jsonResponse("The refund or return", RequestedRefundEnvelope) },
    problems: ["NOT_FOUND", "INVALID_STATE", "QUOTA_EXCEEDED", ...problems],
  });
}

/** The routes of a decision, by its name. */
export const refundDecisions = {
  approve: decisionRoute("approve"),
  refuse: decisionRoute("refuse"),
};

export { list as listWaitingRefunds };

/** Refunds and returns that somebody else must approve. */
export function refundRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { id: companyId } = c.get("caller").company;
    return c.json(await pageOfWaiting(c.env, companyId, c.req.valid("query")), 200);
  });

  for (const decision of ["approve", "refuse"] as const) {
    app.openapi(refundDecisions[decision], async (c) => {
      const { id: companyId } = c.get("caller").company;
      const { id } = c.req.valid("param");
      const reason = c.req.valid("json").reason ?? null;
      // An unknown id is a text of the caller's, which no audit entry repeats.
      const { kind, amount } = await requireExit(c.env, companyId, id);
      await takeReservedQuota(c);
      const target = `refund:${id}`;
      const action = {
        companyId,
        action: `refund.${decision}`,
        target,
        after: { kind, amount },
        reason,
      };
      const request = { id, decision, reason, idempotencyKey: c.get("idempotencyKey") };
      const { exit, replayed } = await audited(c, action, () =>
        writeOptimistically(c, (caller) => decideRefund(c.env, companyDeps(c), caller, request)),
      );
      if (replayed) c.header(REPLAYED_HEADER, "true");
      return c.json({ data: requestedExitView(exit) }, 200);
    });
  }
}
