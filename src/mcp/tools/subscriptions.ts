import { z } from "zod";
import {
  cancelRoute,
  chargesRoute,
  createRoute,
  listRoute,
  pauseRoute,
  resumeRoute,
  showRoute,
} from "../../api/subscriptions/routes.ts";
import {
  PERIODS,
  RETRIES_MAX,
  SUBSCRIPTION_STATUSES,
} from "../../domain/subscriptions/subscription.ts";
import type { RouteBody } from "../../http/openapi/route-types.ts";
import { openPreview, previewId, sealPreview } from "../preview.ts";
import { amount, answerOf, tool, type ToolAnswer } from "../tool.ts";

const CANCEL = "cancel_subscription";
const Cancel = z.object({ id: z.string() });
const FOUND_MAX = 20;
const CHARGES_MAX = 12;
const id = z.string().describe("As create_subscription or find_subscriptions answers it.");
const day = z.iso.date();

type Subscription = RouteBody<typeof showRoute>["data"];
type Charge = RouteBody<typeof chargesRoute>["items"][number];

function subscriptionView(data: Subscription): ToolAnswer {
  return {
    id: data.id,
    status: data.status,
    description: data.description,
    payer: data.customer.name,
    amount: amount(data.amount),
    period: data.period,
    firstDueDate: data.firstDueDate,
    endDate: data.endDate,
    retryDays: data.retry,
    approvalPage: data.approvalUrl,
    approvalExpiresAt: data.approvalExpiresAt,
    pixCode: data.pix.qrcode,
    endedBecause: data.mandate.reason,
    nextDebits: data.nextCharges.map((next) => ({
      dueDate: next.dueDate,
      amount: amount(next.amount),
    })),
    externalRef: data.externalRef,
  };
}

function debitView({ id: chargeId, dueDate, status, attempts, ...charge }: Charge): ToolAnswer {
  return {
    chargeId,
    dueDate,
    status,
    amount: amount(charge.amount),
    attempts: attempts.map(({ at, status: state, code, message, action }) => ({
      at,
      status: state,
      code,
      message,
      action,
    })),
    retryOn: charge.retryDays.filter(({ allowed }) => allowed).map(({ date }) => date),
    cancellable: charge.cancellable,
  };
}

const createSubscription = tool({
  name: "create_subscription",
  title: "Ask a payer for a subscription",
  description:
    "Makes a subscription by Pix Automático and answers the page on which the payer approves it. Nothing is debited before " +
    "the payer approves. A day that a bank would refuse is refused with its rule.",
  scopes: ["transactions:write"],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.object({
    amountCents: z.int().min(1).describe("Centavos of each cycle: R$ 25,00 is 2500."),
    period: z.enum(PERIODS),
    firstDueDate: day.describe("The first debit's day, in America/Sao_Paulo."),
    endDate: day.optional().describe("No debit is due after it."),
    description: z.string().max(35).describe("What the payer's bank shows."),
    customer: z.object({
      name: z.string().max(140),
      document: z.string().describe("CPF or CNPJ."),
      email: z.string().optional(),
    }),
    retryDays: z
      .array(z.int())
      .max(RETRIES_MAX)
      .optional()
      .describe("Days after the due date, from 1 to 7, on which an unpaid debit is tried again."),
    externalRef: z.string().max(60).optional(),
    key: z
      .string()
      .regex(/^[\w.:-]{1,60}$/)
      .describe("A name for this intention, such as plan-77: the same again makes no second one."),
  }),
  run: (c, { amountCents, customer, retryDays = [], key, ...rest }) =>
    answerOf(c, createRoute, ({ data }) => subscriptionView(data), {
      json: {
        ...rest,
        amount: amountCents,
        journey: "QR",
        customer: { ...customer, document: { number: customer.document } },
        retry: retryDays.length === 0 ? "none" : retryDays,
      },
      idempotencyKey: `mcp_${key}`,
    }),
});

const findSubscriptions = tool({
  name: "find_subscriptions",
  title: "Find subscriptions",
  description: "Newest first, by state. Answers at most 20 and a cursor.",
  scopes: ["transactions:read"],
  annotations: { readOnlyHint: true },
  input: z.object({
    status: z.enum(SUBSCRIPTION_STATUSES).optional(),
    after: z.string().optional().describe("The cursor of the page before."),
  }),
  run: (c, query) =>
    answerOf(
      c,
      listRoute,
      ({ items, after }) => ({ items: items.map((item) => subscriptionView(item)), after }),
      { query: { ...query, limit: FOUND_MAX } },
    ),
});

const explainSubscription = tool({
  name: "explain_subscription",
  title: "Explain a subscription",
  description:
    "What is agreed, what is debited next, and the newest debits with each attempt, why it failed and what to do.",
  scopes: ["transactions:read"],
  annotations: { readOnlyHint: true },
  input: z.object({ id }),
  run: (c, { id: asked }) =>
    answerOf(
      c,
      showRoute,
      ({ data }) =>
        answerOf(
          c,
          chargesRoute,
          ({ items, hasMore }) => ({
            ...subscriptionView(data),
            debits: items.map((item) => debitView(item)),
            hasMore,
          }),
          { params: { id: asked }, query: { limit: CHARGES_MAX } },
        ),
      { params: { id: asked } },
    ),
});

const pauseSubscription = stateTool({
  name: "pause_subscription",
  title: "Pause a subscription",
  description:
    "Debits that are due meanwhile are skipped; one that can no longer be cancelled goes on. resume_subscription takes it back.",
  route: pauseRoute,
});

const resumeSubscription = stateTool({
  name: "resume_subscription",
  title: "Resume a subscription",
  description: "From the next debit that can be ordered in time.",
  route: resumeRoute,
});

const previewCancel = tool({
  name: "preview_subscription_cancel",
  title: "Preview a subscription's end",
  description:
    "Whose subscription would end, and which debits would not come, and its previewId. Does nothing.",
  scopes: ["transactions:write"],
  annotations: { readOnlyHint: true },
  input: z.object({ id }),
  run: (c, asked) =>
    answerOf(
      c,
      showRoute,
      async ({ data }) => ({
        previewId: await sealPreview(c, CANCEL, asked),
        ...subscriptionView(data),
      }),
      { params: asked },
    ),
});

const cancelSubscription = tool({
  name: "cancel_subscription",
  title: "Cancel a subscription",
  description:
    "Does what preview_subscription_cancel showed. For good: the payer would have to approve a new one.",
  scopes: ["transactions:write"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: z.object({ previewId }),
  run: async (c, given) => {
    const preview = await openPreview(c, CANCEL, Cancel, given.previewId);
    if ("refused" in preview) return preview;
    return answerOf(c, cancelRoute, ({ data }) => subscriptionView(data), {
      params: preview.asked,
      json: {},
    });
  },
});

function stateTool(declared: {
  name: string;
  title: string;
  description: string;
  route: typeof pauseRoute | typeof resumeRoute;
}) {
  const { route, ...described } = declared;
  return tool({
    ...described,
    scopes: ["transactions:write"],
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    input: z.object({ id }),
    run: (c, params) =>
      answerOf(c, route, ({ data }) => subscriptionView(data), { params, json: {} }),
  });
}

/** Subscriptions: ask for one, find, explain, pause, resume, and end it as previewed. */
export const SUBSCRIPTION_TOOLS = [
  createSubscription,
  findSubscriptions,
  explainSubscription,
  pauseSubscription,
  resumeSubscription,
  previewCancel,
  cancelSubscription,
];
