import { z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { auditedView } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { jsonBody } from "../../../http/body.ts";
import { pageLimit } from "../../../http/fields/fields.ts";
import { jsonResponse } from "../../../http/openapi/openapi.ts";
import { COMPANY, CompanyParam, requireCompany } from "../company-param.ts";
import { proposed } from "../proposals/propose.ts";
import { PROPOSAL_PROBLEMS } from "../proposals/responses.ts";
import { OneProposal } from "../proposals/schemas.ts";
import { DecisionBody, ReturnBody, PaymentsInSuspense, WithdrawDecisionBody } from "./schemas.ts";
import { pageOfPaymentsInSuspense } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const route = routesOf("Operator");

const suspense = route.get(`${COMPANY}/suspense`, {
  operationId: "listPaymentsInSuspense",
  summary: "List the unexpected payments of a company",
  guard: requireOperator("companies:read"),
  params: CompanyParam,
  query: z.object({
    after: z.string().max(64).default("").openapi({ description: "The last `paymentId`." }),
    limit: pageLimit,
  }),
  answers: { 200: jsonResponse("One page, by end-to-end id", PaymentsInSuspense) },
  problems: ["VALIDATION_FAILED", "NOT_FOUND"],
});

const returnFromSuspense = route.post(`${COMPANY}/suspense/{paymentId}/return`, {
  operationId: "returnPaymentInSuspense",
  summary: "Propose to return an unexpected payment",
  description:
    "Another operator approves the proposal. 409 while the payer's bank disputes the payment.",
  guard: requireOperator("money:decide"),
  params: CompanyParam.extend({ paymentId: z.string() }),
  body: jsonBody(ReturnBody),
  answers: { 202: jsonResponse("The proposal", OneProposal) },
  problems: [...PROPOSAL_PROBLEMS],
});

const decidePayout = route.post(`${COMPANY}/withdraws/{id}/decide`, {
  operationId: "decideWithdraw",
  summary: "Propose a decision on a withdraw whose provider gives no final answer, or returned it",
  description:
    "Another operator approves the proposal. Decide only what the provider has confirmed by other means: it is " +
    "asked, and a decision against what it says is 409. A Paid withdraw can be decided `returned`, also in part.",
  guard: requireOperator("money:decide"),
  params: CompanyParam.extend({
    id: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, breaks("withdrawNumber"))
      .transform(Number),
  }),
  body: jsonBody(WithdrawDecisionBody),
  answers: { 202: jsonResponse("The proposal", OneProposal) },
  problems: [...PROPOSAL_PROBLEMS],
});

const decideRefund = route.post(`${COMPANY}/operations/{operationId}/decide`, {
  operationId: "decideOperation",
  summary: "Propose a decision on a refund, cancel or return whose provider gives no final answer",
  description:
    "Another operator approves the proposal. `operationId` is the id at the provider; for a refund its `id`.",
  guard: requireOperator("money:decide"),
  params: CompanyParam.extend({ operationId: z.string() }),
  body: jsonBody(DecisionBody),
  answers: { 202: jsonResponse("The proposal", OneProposal) },
  problems: [...PROPOSAL_PROBLEMS],
});

export { decidePayout as decideWithdraw, decideRefund as decideOperation };

/** An operator's decisions on what a provider left open. */
export function decisionRoutes(app: Api): void {
  app.openapi(suspense, async (c) => {
    const company = await requireCompany(c, c.req.valid("param").companyId);
    await auditedView(c, company.id, "suspense", "suspense");
    return c.json(await pageOfPaymentsInSuspense(c.env, company, c.req.valid("query")), 200);
  });

  app.openapi(returnFromSuspense, async (c) => {
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
