import { EXITS } from "../../domain/exits/exits.ts";
import { z } from "@hono/zod-openapi";
import { visiblePayment } from "../../domain/access/payer-masks.ts";
import {
  unexpectedPaymentView,
  type UnexpectedPayment,
} from "../../domain/charges/unexpected-payment.ts";
import { EXAMPLE_UNEXPECTED_PAYMENT } from "../../domain/events/api-examples.ts";
import type { Api } from "../../http/api.ts";
import { requireScope } from "../../http/auth/auth.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { NO_FIELDS, optionalJsonBody } from "../../http/body.ts";
import { companyDeps, type AppContext, type Caller } from "../../http/context.ts";
import { requiredIdempotencyKey, REPLAYED_HEADER } from "../../http/idempotency.ts";
import { BODY_PROBLEMS, jsonResponse } from "../../http/openapi/openapi.ts";
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
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Payments");
const PATH = "/api/v1/payments/unexpected";
const ID_PARAM = z.object({
  id: z.string().openapi({ example: EXAMPLE_UNEXPECTED_PAYMENT.paymentId }),
});

const list = route.get(PATH, {
  operationId: "listUnexpectedPayments",
  summary: "List payments that no charge expected as they came",
  description:
    "Newest first: a second payment, one after the charge's end, one without a charge, one of another " +
    "amount. Send `after` of the response in the next call. With `reason` a page may end before `limit`; " +
    "`hasMore` tells if more follow.",
  guard: requireScope("transactions:read"),
  query: UnexpectedPaymentsQuery,
  answers: { 200: jsonResponse("One page", UnexpectedPayments) },
  problems: ["VALIDATION_FAILED"],
});

const show = route.get(`${PATH}/{id}`, {
  operationId: "getUnexpectedPayment",
  summary: "Show a payment that no charge expected",
  guard: requireScope("transactions:read"),
  params: ID_PARAM,
  answers: { 200: jsonResponse("The payment", UnexpectedPaymentEnvelope) },
  problems: ["NOT_FOUND"],
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

const giveBack = route.post(`${PATH}/{id}/return`, {
  operationId: "returnUnexpectedPayment",
  summary: "Return an unexpected payment to its payer",
  description:
    "Whole. The company's balance does not change, for the payment was never credited. 202 while the " +
    "provider has not answered: the outcome follows by webhook. A repeat returns it once.",
  guard: requireScope(EXITS.return.scope),
  params: ID_PARAM,
  body: NO_FIELDS,
  idempotencyKey: requiredIdempotencyKey("return_01JD8ZC3"),
  answers: {
    200: jsonResponse("The payment", UnexpectedPaymentEnvelope),
    202: jsonResponse("The provider has not answered yet", UnexpectedPaymentEnvelope),
  },
  problems: [
    ...DECISION_PROBLEMS,
    "REFUND_LIMIT_EXCEEDED",
    "REFUND_REFUSED",
    "PROVIDER_DISCONNECTED",
  ],
});

const credit = route.post(`${PATH}/{id}/credit`, {
  operationId: "creditUnexpectedPayment",
  summary: "Credit an unexpected payment",
  description:
    "To the transaction that is named, which must be one that can still be paid. Without one: to the " +
    "transaction that it came for, if that can still be paid, else to a new one, which is paid by it.",
  guard: requireScope(EXITS.credit.scope),
  params: ID_PARAM,
  body: optionalJsonBody(CreditBody),
  idempotencyKey: requiredIdempotencyKey("credit_01JD8ZC3"),
  answers: { 200: jsonResponse("The payment", UnexpectedPaymentEnvelope) },
  problems: [...DECISION_PROBLEMS],
});

export {
  list as listUnexpectedPayments,
  show as getUnexpectedPayment,
  giveBack as returnUnexpectedPayment,
  credit as creditUnexpectedPayment,
};

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
    deps: companyDeps(c),
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
