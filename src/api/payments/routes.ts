import { EXITS } from "../../domain/exits/exits.ts";
import { createRoute, z } from "@hono/zod-openapi";
import { visiblePayment } from "../../domain/access/payer-masks.ts";
import {
  unexpectedPaymentView,
  type UnexpectedPayment,
} from "../../domain/charges/unexpected-payment.ts";
import { EXAMPLE_UNEXPECTED_PAYMENT } from "../../domain/events/api-examples.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { NO_FIELDS, noFieldsBody, optionalJsonBody } from "../../http/body.ts";
import type { AppContext, Caller } from "../../http/context.ts";
import { requiredIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import {
  BODY_PROBLEMS,
  idempotencyKeyHeader,
  jsonResponse,
  problemResponses,
  REPLAYED_HEADERS,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { problemResponse } from "../../http/problems.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { audited, type AuditedAction } from "../../http/audit.ts";
import { askedBy } from "../refunds/asked-by.ts";
import { takeQuota } from "../settings/take-quota.ts";
import {
  CreditBody,
  UnexpectedPaymentEnvelope,
  UnexpectedPayments,
  UnexpectedPaymentsQuery,
} from "./schemas.ts";
import {
  creditRequested,
  pageOfPayments,
  requirePayment,
  returnPayment,
  type PaymentRequest,
} from "./service.ts";

const TAGS = ["Payments"];
const PATH = "/api/v1/payments/unexpected";
const ID_PARAM = z.object({
  id: z.string().openapi({ example: EXAMPLE_UNEXPECTED_PAYMENT.paymentId }),
});

const list = createRoute({
  method: "get",
  path: PATH,
  operationId: "listUnexpectedPayments",
  summary: "List payments that no charge expected as they came",
  description:
    "Newest first: a second payment, one after the charge's end, one without a charge, one of another " +
    "amount. Send `after` of the response in the next call. With `reason` a page may end before `limit`; " +
    "`hasMore` tells if more follow.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read")] as const,
  request: { query: UnexpectedPaymentsQuery },
  responses: {
    200: jsonResponse("One page", UnexpectedPayments),
    ...problemResponses("VALIDATION_FAILED"),
  },
});

const show = createRoute({
  method: "get",
  path: `${PATH}/{id}`,
  operationId: "getUnexpectedPayment",
  summary: "Show a payment that no charge expected",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope("transactions:read")] as const,
  request: { params: ID_PARAM },
  responses: {
    200: jsonResponse("The payment", UnexpectedPaymentEnvelope),
    ...problemResponses("NOT_FOUND"),
  },
});

/** Problems of both decisions. */
const DECISION_PROBLEMS = [
  ...BODY_PROBLEMS,
  "NOT_FOUND",
  "IDEMPOTENCY_KEY_REQUIRED",
  "IDEMPOTENCY_KEY_INVALID",
  "IDEMPOTENCY_KEY_REUSED",
  "INVALID_STATE",
  "QUOTA_EXCEEDED",
  "COMPANY_FROZEN",
] as const;

const giveBack = createRoute({
  method: "post",
  path: `${PATH}/{id}/return`,
  operationId: "returnUnexpectedPayment",
  summary: "Return an unexpected payment to its payer",
  description:
    "Whole. The company's balance does not change, for the payment was never credited. 202 while the " +
    "provider has not answered: the outcome follows by webhook. A repeat returns it once.",
  tags: TAGS,
  security: SECURITY,
  middleware: [requireScope(EXITS.return.scope), noFieldsBody, requiredIdempotencyKey] as const,
  request: {
    params: ID_PARAM,
    headers: idempotencyKeyHeader(true, "return_01JD8ZC3"),
    body: NO_FIELDS,
  },
  responses: {
    200: jsonResponse("The payment", UnexpectedPaymentEnvelope, REPLAYED_HEADERS),
    202: jsonResponse(
      "The provider has not answered yet",
      UnexpectedPaymentEnvelope,
      REPLAYED_HEADERS,
    ),
    ...problemResponses(
      ...DECISION_PROBLEMS,
      "REFUND_LIMIT_EXCEEDED",
      "REFUND_REFUSED",
      "PROVIDER_DISCONNECTED",
    ),
  },
});

const credit = createRoute({
  method: "post",
  path: `${PATH}/{id}/credit`,
  operationId: "creditUnexpectedPayment",
  summary: "Credit an unexpected payment",
  description:
    "To the transaction that is named, which must be one that can still be paid. Without one: to the " +
    "transaction that it came for, if that can still be paid, else to a new one, which is paid by it.",
  tags: TAGS,
  security: SECURITY,
  middleware: [
    requireScope(EXITS.credit.scope),
    optionalJsonBody(CreditBody),
    requiredIdempotencyKey,
  ] as const,
  request: {
    params: ID_PARAM,
    headers: idempotencyKeyHeader(true, "credit_01JD8ZC3"),
    body: { required: false, content: { "application/json": { schema: CreditBody } } },
  },
  responses: {
    200: jsonResponse("The payment", UnexpectedPaymentEnvelope, REPLAYED_HEADERS),
    ...problemResponses(...DECISION_PROBLEMS),
  },
});

export function paymentRoutes(app: Api): void {
  app.openapi(list, async (c) =>
    c.json(await pageOfPayments(c.env, c.get("caller"), c.req.valid("query")), 200),
  );

  app.openapi(show, async (c) => {
    const { id: companyId } = c.get("caller").company;
    const payment = await requirePayment(c.env, companyId, c.req.valid("param").id);
    return c.json(envelope(c, payment), 200);
  });

  app.openapi(giveBack, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const entry = await auditedDecision(c, "return", c.req.valid("param").id);
    const result = await audited(
      c,
      entry,
      () => writeOptimistically(c, (caller) => returnPayment(paymentRequest(c, caller))),
      (done) => ("problem" in done ? done.problem : null),
    );
    if (result.replayed) c.header(REPLAYED_HEADER, "true");
    if ("problem" in result) return problemResponse(c, result.problem, result.traceId) as never;
    return c.json(envelope(c, result.payment), result.status);
  });

  app.openapi(credit, async (c) => {
    await takeQuota(c, SMALL_WRITE_BYTES);
    const { transactionId } = c.req.valid("json");
    const entry = await auditedDecision(c, "credit", c.req.valid("param").id);
    const { payment, replayed } = await audited(c, entry, () =>
      writeOptimistically(c, (caller) => creditRequested(paymentRequest(c, caller), transactionId)),
    );
    if (replayed) c.header(REPLAYED_HEADER, "true");
    return c.json(envelope(c, payment), 200);
  });
}

/** Throws 404 for an unknown id: it is a text of the caller's, which no audit entry repeats. */
async function auditedDecision(
  c: AppContext,
  action: "return" | "credit",
  id: string,
): Promise<AuditedAction> {
  const { id: companyId } = c.get("caller").company;
  const { amount } = await requirePayment(c.env, companyId, id);
  return { companyId, action: EXITS[action].audit, target: `payment:${id}`, after: { amount } };
}

function paymentRequest(c: AppContext, caller: Caller): PaymentRequest {
  return {
    env: c.env,
    deps: c.get("deps"),
    company: caller.company,
    askedBy: askedBy(caller),
    paymentId: c.req.param("id") ?? "",
    idempotencyKey: c.get("idempotencyKey"),
    traceId: c.get("traceId"),
  };
}

function envelope(c: AppContext, payment: UnexpectedPayment) {
  return { data: unexpectedPaymentView(visiblePayment(c.get("caller").scopes, payment)) };
}
