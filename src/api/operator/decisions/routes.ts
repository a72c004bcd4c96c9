import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { auditedView } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { pageLimit } from "../../../http/fields/fields.ts";
import { jsonResponse, problemResponses, SECURITY } from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { proposed } from "../proposals/propose.ts";
import { PROPOSAL_PROBLEMS } from "../proposals/responses.ts";
import { OneProposal } from "../proposals/schemas.ts";
import { DecisionBody, ReturnBody, SuspendedPayments, WithdrawDecisionBody } from "./schemas.ts";
import { pageOfSuspendedPayments } from "./service.ts";

const TAGS = ["Operator"];

const suspense = createRoute({
  method: "get",
  path: `${COMPANY}/suspense`,
  operationId: "listSuspendedPayments",
  summary: "List the suspended payments of a company",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("companies:read")] as const,
  request: {
    params: CompanyParam,
    query: z.object({
      after: z.string().max(64).default("").openapi({ description: "The last `paymentId`." }),
      limit: pageLimit,
    }),
  },
  responses: {
    200: jsonResponse("One page, by end-to-end id", SuspendedPayments),
    ...problemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

const returnSuspended = createRoute({
  method: "post",
  path: `${COMPANY}/suspense/{paymentId}/return`,
  operationId: "returnSuspendedPayment",
  summary: "Propose to return a suspended payment",
  description:
    "Another operator approves the proposal. 409 while the payer's bank disputes the payment.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("money:decide"), jsonBody(ReturnBody)] as const,
  request: {
    params: CompanyParam.extend({ paymentId: z.string() }),
    body: { required: true, content: { "application/json": { schema: ReturnBody } } },
  },
  responses: {
    202: jsonResponse("The proposal", OneProposal),
    ...problemResponses(...PROPOSAL_PROBLEMS),
  },
});

const decidePayout = createRoute({
  method: "post",
  path: `${COMPANY}/withdraws/{id}/decide`,
  operationId: "decideWithdraw",
  summary: "Propose a decision on a withdraw whose provider gives no final answer, or returned it",
  description:
    "Another operator approves the proposal. Decide only what the provider has confirmed by other means: it is " +
    "asked, and a decision against what it says is 409. A Paid withdraw can be decided `returned`, also in part.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("money:decide"), jsonBody(WithdrawDecisionBody)] as const,
  request: {
    params: CompanyParam.extend({
      id: z
        .string()
        .regex(/^[1-9]\d{0,14}$/, "must be a withdraw's number")
        .transform(Number),
    }),
    body: { required: true, content: { "application/json": { schema: WithdrawDecisionBody } } },
  },
  responses: {
    202: jsonResponse("The proposal", OneProposal),
    ...problemResponses(...PROPOSAL_PROBLEMS),
  },
});

const decideRefund = createRoute({
  method: "post",
  path: `${COMPANY}/operations/{operationId}/decide`,
  operationId: "decideOperation",
  summary: "Propose a decision on a refund, cancel or return whose provider gives no final answer",
  description:
    "Another operator approves the proposal. `operationId` is the id at the provider; for a refund its `id`.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("money:decide"), jsonBody(DecisionBody)] as const,
  request: {
    params: CompanyParam.extend({ operationId: z.string() }),
    body: { required: true, content: { "application/json": { schema: DecisionBody } } },
  },
  responses: {
    202: jsonResponse("The proposal", OneProposal),
    ...problemResponses(...PROPOSAL_PROBLEMS),
  },
});

/** An operator's decisions on what a provider left open. */
export function decisionRoutes(app: Api): void {
  app.openapi(suspense, async (c) => {
    const company = await requireCompany(c, c.req.valid("param").companyId);
    await auditedView(c, company.id, "suspense", "suspense");
    return c.json(await pageOfSuspendedPayments(c.env, company, c.req.valid("query")), 200);
  });

  app.openapi(returnSuspended, async (c) => {
    const { companyId, paymentId } = c.req.valid("param");
    const { reason, evidence = null } = c.req.valid("json");
    const target = `payment:${paymentId}`;
    const decision = { action: "payment.decide" as const, companyId, target, request: {} };
    const answer = await proposed(c, { ...decision, reason, evidence });
    return c.json(answer, 202);
  });

  app.openapi(decidePayout, async (c) => {
    const { companyId, id } = c.req.valid("param");
    const { reason, evidence = null, ...request } = c.req.valid("json");
    const target = `withdraw:${id}`;
    const decision = { action: "payout.decide" as const, companyId, target, request };
    const answer = await proposed(c, { ...decision, reason, evidence });
    return c.json(answer, 202);
  });

  app.openapi(decideRefund, async (c) => {
    const { companyId, operationId } = c.req.valid("param");
    const { reason, evidence = null, ...request } = c.req.valid("json");
    const target = `operation:${operationId}`;
    const decision = { action: "operation.decide" as const, companyId, target, request };
    const answer = await proposed(c, { ...decision, reason, evidence });
    return c.json(answer, 202);
  });
}
