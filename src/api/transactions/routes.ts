import { EXITS } from "../../domain/exits/exits.ts";
import { z } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import {
  toReplayedRecord,
  toTransactionRecord,
  type TransactionRow,
} from "../../db/projection/transaction-mapper.ts";
import { EXAMPLE_PAYER_REQUEST } from "../../domain/events/api-examples.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import type { Company } from "../../domain/shared/company.ts";
import { reaisText } from "../../domain/shared/money.ts";
import { methodOf, METHODS } from "../../methods/registry.ts";
import { visibleTransaction } from "../../domain/access/payer-masks.ts";
import { creationView, detailView, listItemView } from "../../methods/transaction-view.ts";
import { issuerOf, publicOrigin } from "../../config.ts";
import { OWNER_CHECKS_VERSION, requireScope } from "../../http/auth/auth.ts";
import { NO_FIELDS, jsonBody, optionalJsonBody } from "../../http/body.ts";
import { companyDeps, requesterOf, type AppContext } from "../../http/context.ts";
import { pageEnvelope, PageQuery, pageWindow } from "../../http/fields/fields.ts";
import { writeOptimistically } from "../../http/auth/optimistic-auth.ts";
import { audited } from "../../http/audit.ts";
import {
  optionalIdempotencyKey,
  requiredIdempotencyKey,
  REPLAYED_HEADER,
} from "../../http/idempotency.ts";
import { BODY_PROBLEMS, jsonResponse } from "../../http/openapi/openapi.ts";
import { problemResponse } from "../../http/problems.ts";
import { IGNORED } from "../../http/fields/unknown-fields.ts";
import { webhookUrlField } from "../../http/fields/webhook-url.ts";
import { createTransaction } from "./create.ts";
import { checkMethodFields } from "./method-fields.ts";
import {
  cancelTransaction,
  captureTransaction,
  changeDueDate,
  refundTransaction,
  type RefundAsked,
  type OperationRequest,
  type OperationResult,
} from "./operation-requests.ts";
import { CaptureBody, DueDateBody, RefundBody } from "./operation-schemas.ts";
import { listTransactions } from "./repository.ts";
import {
  CreateTransaction,
  TransactionDetail,
  TransactionEnvelope,
  TransactionPage,
} from "./schemas.ts";
import { askedBy } from "../refunds/asked-by.ts";
import { currentRecord, requireTransaction, requireTransactionId } from "./service.ts";
import { transactionQrRoute } from "./qr/routes.ts";
import { timelineRoute } from "./timeline/routes.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Transactions");
const ANSWERS = METHODS.map(
  ({ name, answerSummary }, index) =>
    `${name}${index === 0 ? " answers" : ""} with ${answerSummary}`,
).join(", ");

const create = route.post("/api/v1/transactions/create", {
  operationId: "createTransaction",
  summary: "Create a transaction",
  description:
    `Charges a payer. Amounts in centavos. ${ANSWERS}. A field ` +
    "that nobody here knows is ignored and named in a header; one that is known elsewhere in the body, or " +
    "nearly spelt as one we know, is a 400 that asks what was meant.",
  guard: requireScope("transactions:write", { ...OWNER_CHECKS_VERSION, orScope: "cashier:write" }),
  body: jsonBody(CreateTransaction, {
    unknownFields: "ignored",
    examples: Object.fromEntries(
      METHODS.map(({ name, exampleRequest }) => [
        name,
        { value: { ...EXAMPLE_PAYER_REQUEST, ...exampleRequest } },
      ]),
    ),
  }),
  idempotencyKey: optionalIdempotencyKey("tx_01JD8ZC3"),
  checks: [webhookUrlField("postbackUrl"), webhookUrlField("returnUrl"), checkMethodFields],
  answers: { 200: jsonResponse("The transaction", TransactionEnvelope, IGNORED) },
  problems: [
    "IDEMPOTENCY_IN_PROGRESS",
    "CARD_ATTEMPTS_EXCEEDED",
    "QUOTA_EXCEEDED",
    "INSTALLMENTS_NOT_ALLOWED",
    "AMOUNT_TOO_LARGE",
    "PROVIDER_NOT_CONFIGURED",
    "NOT_SUPPORTED_BY_PROVIDER",
    "RAW_CARD_NOT_ALLOWED",
    "RETRY_FORBIDDEN",
    "CHARGE_REFUSED",
    "COMPANY_FROZEN",
    "PROVIDER_UNAVAILABLE",
    "STORAGE_FULL",
  ],
});

const detail = route.get("/api/Transaction/transactionByTransactionId/{transactionId}", {
  operationId: "getTransactionDetailRecord",
  summary: "Get a transaction in the contract's detail record",
  guard: requireScope("transactions:read"),
  params: z.object({ transactionId: z.string() }),
  answers: { 200: jsonResponse("The transaction", TransactionDetail) },
  problems: ["NOT_FOUND"],
});

const list = route.get("/api/Transaction/company/transactions", {
  operationId: "listTransactions",
  summary: "List the company's transactions",
  guard: requireScope("transactions:read"),
  query: PageQuery,
  answers: { 200: jsonResponse("One page, with totals", TransactionPage) },
  problems: ["VALIDATION_FAILED"],
});

/** Problems of refund, cancel and capture. */
const OPERATION_PROBLEMS = [
  ...BODY_PROBLEMS,
  "NOT_FOUND",
  "IDEMPOTENCY_KEY_INVALID",
  "IDEMPOTENCY_KEY_REUSED",
  "IDEMPOTENCY_IN_PROGRESS",
  "QUOTA_EXCEEDED",
  "INVALID_STATE",
  "PROVIDER_DISCONNECTED",
] as const;

const ID_PARAM = z.object({ id: z.string() });

const refund = route.post("/api/v1/transactions/{id}/refund", {
  operationId: "refundTransaction",
  summary: "Give a payment back",
  description:
    "Wholly or in part, repeatedly up to what was paid. The money comes from the transaction's own " +
    "credit first, then from the available balance; fees are not given back. 202 while the " +
    "provider has not answered: the outcome follows by webhook. Above `refundApprovalAbove`, or with a right that an " +
    "operator gave within the cool-down, also 202: its money is held, and it is sent once somebody else approved it " +
    "(`approval`). Instead of an open dispute (`insteadOf`): of exactly its amount, from what it has blocked.",
  guard: requireScope(EXITS.refund.scope),
  params: ID_PARAM,
  body: optionalJsonBody(RefundBody),
  idempotencyKey: requiredIdempotencyKey("refund_01JD8ZC3"),
  answers: {
    200: jsonResponse("The transaction, with its refunds", TransactionEnvelope),
    202: jsonResponse(
      "The provider has not answered yet, or it waits for an approval",
      TransactionEnvelope,
    ),
  },
  problems: [
    ...OPERATION_PROBLEMS,
    "COMPANY_FROZEN",
    "REFUND_LIMIT_EXCEEDED",
    "REFUND_EXCEEDS_PAID",
    "REFUND_NOT_DISPUTED_AMOUNT",
    "REFUND_REFUSED",
    "NOT_SUPPORTED_BY_PROVIDER",
    "INSUFFICIENT_BALANCE",
  ],
});

const cancel = route.post("/api/v1/transactions/{id}/cancel", {
  operationId: "cancelTransaction",
  summary: "Cancel an unpaid transaction, or void an authorized card",
  description: "202 while the provider has not answered: the outcome follows by webhook.",
  guard: requireScope("transactions:write"),
  params: ID_PARAM,
  body: NO_FIELDS,
  idempotencyKey: optionalIdempotencyKey("cancel_01JD8ZC3"),
  answers: {
    200: jsonResponse("The transaction", TransactionEnvelope),
    202: jsonResponse("The provider has not answered yet", TransactionEnvelope),
  },
  problems: [...OPERATION_PROBLEMS],
});

const capture = route.post("/api/v1/transactions/{id}/capture", {
  operationId: "captureTransaction",
  summary: "Take the money of an authorized card",
  description:
    "Once, wholly or in part: what is left of the authorization is let go. 202 while the acquirer " +
    "has not answered: the outcome follows by webhook.",
  guard: requireScope("transactions:write"),
  params: ID_PARAM,
  body: optionalJsonBody(CaptureBody),
  idempotencyKey: requiredIdempotencyKey("capture_01JD8ZC3"),
  answers: {
    200: jsonResponse("The transaction", TransactionEnvelope),
    202: jsonResponse("The acquirer has not answered yet", TransactionEnvelope),
  },
  problems: [
    ...OPERATION_PROBLEMS,
    "CAPTURE_EXCEEDS_AUTHORIZED",
    "CAPTURE_REFUSED",
    "COMPANY_FROZEN",
  ],
});

const dueDate = route.post("/api/v1/transactions/{id}/due-date", {
  operationId: "changeDueDate",
  summary: "Change the due date of an unpaid boleto",
  description:
    "The boleto gets a new line and barcode, and its slip shows them; its expiry, fine and interest follow the day, " +
    "its discount does not. 202 while the provider has not answered: read the transaction, or repeat the request. " +
    "No webhook follows.",
  guard: requireScope("transactions:write"),
  params: ID_PARAM,
  body: jsonBody(DueDateBody),
  idempotencyKey: optionalIdempotencyKey("due_date_01JD8ZC3"),
  answers: {
    200: jsonResponse("The transaction, with its new boleto", TransactionEnvelope),
    202: jsonResponse("The provider has not answered yet", TransactionEnvelope),
  },
  problems: [...OPERATION_PROBLEMS, "DUE_DATE_REFUSED", "NOT_SUPPORTED_BY_PROVIDER"],
});

export {
  create as createTransaction,
  detail as getTransactionDetailRecord,
  refund as refundTransaction,
  cancel as cancelTransaction,
  capture as captureTransaction,
  dueDate as changeDueDate,
};

export function transactionRoutes(app: Api): void {
  writeRoutes(app);
  readRoutes(app);
}

function writeRoutes(app: Api): void {
  app.openapi(create, async (c) => {
    const request = c.req.valid("json");
    const result = await writeOptimistically(c, ({ company, cachedAuth }) =>
      createTransaction({
        env: c.env,
        deps: companyDeps(c),
        company,
        cachedAuth,
        request,
        idempotencyKey: c.get("idempotencyKey"),
        origin: publicOrigin(c.env, c.req.url),
        traceId: c.get("traceId"),
        requester: requesterOf(c.get("caller")),
      }),
    );
    if (result.replayed) c.header(REPLAYED_HEADER, "true");
    const { failure } = result.row;
    if (failure !== null) return problemResponse(c, failure.problem, failure.traceId) as never;
    const asRequested = methodOf(result.row.paymentMethod).asRequested(result.row, request);
    const record = toReplayedRecord(result.row, asRequested);
    const warnings = createWarnings(c.get("caller").company, result.row);
    const data = { ...createdView(c, record), ...(warnings.length === 0 ? {} : { warnings }) };
    return c.json({ data, status: 200, message: createdMessage(data) }, 200);
  });

  app.openapi(refund, async (c) => {
    const asked = (c.req.valid("json") as RefundAsked | undefined) ?? {};
    return operationResponse(
      c,
      await runOperation(c, { action: "refund", ...asked }, (operation) =>
        refundTransaction(operation, asked),
      ),
      "Refund",
    );
  });

  app.openapi(cancel, async (c) =>
    operationResponse(c, await runOperation(c, { action: "cancel" }, cancelTransaction), "Cancel"),
  );

  app.openapi(capture, async (c) => {
    const { amount } = (c.req.valid("json") as { amount?: number } | undefined) ?? {};
    return operationResponse(
      c,
      await runOperation(c, { action: "capture", amount }, (operation) =>
        captureTransaction(operation, amount),
      ),
      "Capture",
    );
  });

  app.openapi(dueDate, async (c) => {
    const { dueDate: day } = c.req.valid("json");
    return operationResponse(
      c,
      await runOperation(c, { action: "due_date", dueDate: day }, (operation) =>
        changeDueDate(operation, day),
      ),
      "Change of the due date",
    );
  });
}

function readRoutes(app: Api): void {
  app.openapi(detail, async (c) => {
    const { transactionId } = c.req.valid("param");
    const row = await requireTransaction(c.env, c.get("caller").company, transactionId);
    return c.json(detailView(currentRecord(c, toTransactionRecord(row))), 200);
  });

  timelineRoute(app);
  transactionQrRoute(app);

  app.openapi(list, async (c) => {
    const page = c.req.valid("query");
    const { rows, total } = await listTransactions(
      c.env,
      c.get("caller").company.id,
      pageWindow(page),
    );
    const items = rows.map((row) => listItemView(currentRecord(c, row)));
    return c.json(pageEnvelope(items, total, page), 200);
  });
}

function createdView(c: AppContext, record: TransactionRecord) {
  const { company, scopes } = c.get("caller");
  return creationView(visibleTransaction(scopes, record), issuerOf(c.env, company));
}

/** What a sandbox company's create was accepted with and is likely a mistake. */
function createWarnings(
  { mode }: Pick<Company, "mode">,
  { amount, items, shippingFee }: Pick<TransactionRow, "amount" | "items" | "shippingFee">,
): string[] {
  if (mode !== "sandbox" || items.length === 0) return [];
  const goods = items.map(({ unitPrice = 0, quantity = 1 }) => unitPrice * quantity);
  const sum = goods.reduce((total, each) => total + each, shippingFee ?? 0);
  return sum === amount
    ? []
    : [`items and shipping.fee are ${reaisText(sum)}, amount is ${reaisText(amount)}`];
}

/** A refused charge was made, but it is no success. */
function createdMessage({ status, refusedReason }: ReturnType<typeof createdView>): string {
  if (status !== "REFUSED") return "Transaction created.";
  return `Transaction refused: ${refusedReason?.message ?? "the provider gave no reason"}`;
}

/** What the audit trail says of a request. `amount`: absent for the rest. */
type Asked =
  | { action: "cancel" }
  | ({ action: "refund" | "capture" } & RefundAsked)
  | { action: "due_date"; dueDate: string };

/** Has the audit trail know of an operation, refused or not, and executes it. */
function runOperation(
  c: AppContext,
  asked: Asked,
  execute: (request: OperationRequest) => Promise<OperationResult>,
): Promise<OperationResult> {
  const { id: companyId } = c.get("caller").company;
  const transactionId = c.req.param("id") ?? "";
  requireTransactionId(c.get("caller").company, transactionId);
  const entry = {
    companyId,
    action: `transaction.${asked.action}`,
    target: `transaction:${transactionId.toLowerCase()}`,
    ...afterOf(asked),
  };
  const run = () =>
    writeOptimistically(c, (caller) =>
      execute({
        env: c.env,
        deps: companyDeps(c),
        company: caller.company,
        askedBy: askedBy(caller),
        transactionId,
        idempotencyKey: c.get("idempotencyKey"),
        traceId: c.get("traceId"),
      }),
    );
  return audited(c, entry, run, (result) => ("problem" in result ? result.problem : null));
}

function afterOf(asked: Asked): { after?: Record<string, unknown> } {
  if (asked.action === "cancel") return {};
  if (asked.action === "due_date") return { after: { dueDate: asked.dueDate } };
  const { amount = "rest", insteadOf } = asked;
  return { after: { amount, ...(insteadOf === undefined ? {} : { insteadOf }) } };
}

function operationResponse(c: AppContext, result: OperationResult, label: string) {
  if (result.replayed) c.header(REPLAYED_HEADER, "true");
  if ("problem" in result) return problemResponse(c, result.problem, result.traceId) as never;
  const data = createdView(c, result.record);
  const message = result.status === 200 ? `${label} done.` : `${label} accepted.`;
  return c.json({ data, status: result.status, message }, result.status);
}
