import { createRoute, z } from "@hono/zod-openapi";
import { withdrawView } from "../../../domain/withdraws/withdraw.ts";
import type { Api } from "../../../http/api.ts";
import { audited } from "../../../http/audit.ts";
import { requireOperator } from "../../../http/auth/operator-auth.ts";
import { NO_FIELDS, noFieldsBody, jsonBody } from "../../../http/body.ts";
import { pageLimit } from "../../../http/fields/fields.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../../http/openapi/openapi.ts";
import { Withdraw } from "../../withdraws/schemas.ts";
import {
  COMPANY,
  CompanyParam,
  retryOnStaleCompany,
  requireCompany,
  companyContext,
} from "../company-param.ts";
import {
  DecidedOperation,
  DecisionBody,
  WithdrawDecisionBody,
  SuspendedPayments,
  SuspendedPaymentSchema,
} from "./schemas.ts";
import {
  pageOfSuspendedPayments,
  resolveOperationManually,
  resolveWithdrawManually,
  returnPayment,
} from "./service.ts";

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
  summary: "Return a suspended payment",
  description:
    "Idempotent. 202 until the provider answers, 409 while the payer's bank disputes the payment.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("money:decide"), noFieldsBody] as const,
  request: { params: CompanyParam.extend({ paymentId: z.string() }), body: NO_FIELDS },
  responses: {
    200: jsonResponse("The payment is returned", SuspendedPaymentSchema),
    202: jsonResponse("The provider has not answered yet", SuspendedPaymentSchema),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND", "INVALID_STATE", "REFUND_REFUSED"),
  },
});

const decidePayout = createRoute({
  method: "post",
  path: `${COMPANY}/withdraws/{id}/decide`,
  operationId: "decideWithdraw",
  summary: "Decide a withdraw whose provider gives no final answer, or returned it",
  description:
    "Decide only what the provider has confirmed by other means. A Paid withdraw can be decided " +
    "`returned`, also in part.",
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
    200: jsonResponse("The withdraw", Withdraw),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND", "INVALID_STATE"),
  },
});

const decideRefund = createRoute({
  method: "post",
  path: `${COMPANY}/operations/{operationId}/decide`,
  operationId: "decideOperation",
  summary: "Decide a refund, cancel or return whose provider gives no final answer",
  description: "`operationId` is the id at the provider; for a refund its `id`.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireOperator("money:decide"), jsonBody(DecisionBody)] as const,
  request: {
    params: CompanyParam.extend({ operationId: z.string() }),
    body: { required: true, content: { "application/json": { schema: DecisionBody } } },
  },
  responses: {
    200: jsonResponse("The operation", DecidedOperation),
    ...problemResponses(...BODY_PROBLEMS, "NOT_FOUND", "INVALID_STATE"),
  },
});

/** An operator's decisions on what a provider left open. */
export function decisionRoutes(app: Api): void {
  app.openapi(suspense, async (c) => {
    const company = await requireCompany(c, c.req.valid("param").companyId);
    return c.json(await pageOfSuspendedPayments(c.env, company, c.req.valid("query")), 200);
  });

  app.openapi(returnSuspended, async (c) => {
    const { companyId, paymentId } = c.req.valid("param");
    await requireCompany(c, companyId);
    const action = { companyId, action: "payment.return", target: `payment:${paymentId}` };
    const { payment, done } = await audited(c, action, () =>
      retryOnStaleCompany(c, companyId, (context) =>
        returnPayment(context, paymentId, c.get("operator")),
      ),
    );
    return c.json(payment, done ? 200 : 202);
  });

  app.openapi(decidePayout, async (c) => {
    const { companyId, id } = c.req.valid("param");
    const context = await companyContext(c, companyId);
    const { reason, ...decision } = c.req.valid("json");
    const action = { companyId, action: "withdraw.decide", target: `withdraw:${id}` };
    const withdraw = await audited(c, { ...action, after: decision, reason }, () =>
      resolveWithdrawManually(context, id, c.req.valid("json")),
    );
    return c.json(withdrawView(withdraw), 200);
  });

  app.openapi(decideRefund, async (c) => {
    const { companyId, operationId } = c.req.valid("param");
    const context = await companyContext(c, companyId);
    const { reason, ...decision } = c.req.valid("json");
    const action = { companyId, action: "operation.decide", target: `operation:${operationId}` };
    const decided = await audited(c, { ...action, after: decision, reason }, () =>
      resolveOperationManually(context, operationId, c.req.valid("json")),
    );
    return c.json(decided, 200);
  });
}
