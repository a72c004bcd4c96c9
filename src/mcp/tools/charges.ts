import { z } from "zod";
import { getTransactionTimeline } from "../../api/transactions/timeline/routes.ts";
import { getTransaction, searchTransactionsByBody } from "../../api/transactions/read/routes.ts";
import { createTransaction } from "../../api/transactions/routes.ts";
import { paySandboxTransaction } from "../../api/sandbox/routes.ts";
import {
  METHODS_WITH_CODE,
  PAYMENT_METHODS,
  SEARCH_STATUSES,
} from "../../domain/charges/charge-status.ts";
import type { RouteBody } from "../../http/openapi/route-types.ts";
import { whatHappened } from "../../pages/console/screens/payment/what-happened.ts";
import { TEXTS } from "../../pages/console/texts.ts";
import { acceptedLanguage } from "../../pages/shared/language.ts";
import { amount, answerOf, tool, type ToolAnswer } from "../tool.ts";

const FOUND_MAX = 20;
const id = z.string().describe("The charge's UUID, as create_charge or find_charges answers it.");
const cents = z.int().min(1).describe("Centavos: R$ 25,00 is 2500.");

type Transaction = RouteBody<typeof createTransaction>["data"];

function chargeView(data: Transaction): ToolAnswer {
  const { status, externalRef, paymentMethod, secureUrl, paidAt } = data;
  return {
    id: data.id,
    status,
    amount: amount(data.amount),
    paid: data.paidAmount === null ? null : amount(data.paidAmount),
    refunded: amount(data.refundedAmount),
    paymentMethod,
    externalRef,
    payerPage: secureUrl,
    pixCode: data.pix?.qrcode ?? null,
    boletoLine: data.boleto?.digitableLine ?? null,
    paidAt: paidAt ?? null,
  };
}

const createCharge = tool({
  name: "create_charge",
  title: "Charge a payer",
  description:
    "Makes a PIX or boleto charge and answers its code and the payer's page. A boleto needs name and document. " +
    "Moves no money: the payer pays or does not.",
  scopes: ["transactions:write"],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.object({
    amountCents: cents,
    paymentMethod: z
      .enum(METHODS_WITH_CODE)
      .default(METHODS_WITH_CODE[0])
      .describe("A card is charged by a payment link, on its page."),
    externalRef: z.string().max(255).optional().describe("The order's number in the shop."),
    payerMessage: z.string().max(140).optional().describe("What the payer's bank shows, with PIX."),
    customer: z
      .object({
        name: z.string().max(120).optional(),
        email: z.string().optional(),
        document: z.string().optional().describe("CPF or CNPJ."),
      })
      .optional(),
    key: z
      .string()
      .regex(/^[\w.:-]{1,60}$/)
      .describe(
        "A name for this intention, such as order-77, of 1 to 60 letters, digits and _ . : -: the same again makes no second charge.",
      ),
  }),
  run: (c, { amountCents, paymentMethod, externalRef, payerMessage, customer, key }) =>
    answerOf(c, createTransaction, ({ data }) => chargeView(data), {
      json: {
        amount: amountCents,
        paymentMethod,
        externalRef,
        customer: {
          name: customer?.name,
          email: customer?.email,
          document: customer?.document === undefined ? undefined : { number: customer.document },
        },
        pix: payerMessage === undefined ? undefined : { payerMessage },
      },
      idempotencyKey: `mcp_${key}`,
    }),
});

const findCharges = tool({
  name: "find_charges",
  title: "Find charges",
  description:
    "Newest first, by state, method, payer's name or document, order, value, or day of creation or payment. Answers at most 20 and a cursor.",
  scopes: ["transactions:read"],
  annotations: { readOnlyHint: true },
  input: z.object({
    status: z.enum(SEARCH_STATUSES).optional(),
    paymentMethod: z.enum(PAYMENT_METHODS).optional(),
    payerName: z.string().optional().describe("How a word of the name begins."),
    document: z.string().optional().describe("The payer's CPF or CNPJ; needs the scope pii:read."),
    externalRef: z.string().optional(),
    fromCents: z.int().optional(),
    toCents: z.int().optional(),
    from: z
      .string()
      .optional()
      .describe("A day (YYYY-MM-DD) or a time with offset, of the creation."),
    to: z.string().optional(),
    paidFrom: z.string().optional().describe("The same, of the payment."),
    paidTo: z.string().optional(),
    after: z.string().optional().describe("The cursor of the page before."),
  }),
  run: (c, { fromCents, toCents, ...filters }) =>
    answerOf(
      c,
      searchTransactionsByBody,
      ({ items, after }) => ({
        items: items.map((item) => ({
          id: item.providerTxId,
          status: item.status,
          amount: amount(item.amount),
          paymentMethod: item.paymentMethod,
          payer: item.lead.name,
          externalRef: item.externalRef,
          createdAt: item.createdAt,
        })),
        after,
      }),
      { json: { ...filters, amountFrom: fromCents, amountTo: toCents, limit: FOUND_MAX } },
    ),
});

const explainCharge = tool({
  name: "explain_charge",
  title: "Explain a charge",
  description: "How a charge stands now, and all that happened about it, in words and in order.",
  scopes: ["transactions:read"],
  annotations: { readOnlyHint: true },
  input: z.object({ id }),
  run: (c, given) =>
    answerOf(
      c,
      getTransaction,
      ({ data }) => {
        const texts = TEXTS[acceptedLanguage(c.req.header("Accept-Language") ?? "en")];
        return answerOf(
          c,
          getTransactionTimeline,
          ({ items, hasMore }) => ({
            ...chargeView(data),
            timeline: items.map((item) => ({ at: item.at, what: whatHappened(item, texts) })),
            hasMore,
          }),
          { params: { id: given.id } },
        );
      },
      { params: { id: given.id } },
    ),
});

const sandboxPay = tool({
  name: "sandbox_pay",
  title: "Play the payer",
  description:
    "Pays a charge of a sandbox company, as its payer would. No money moves. Again is a second payment.",
  scopes: ["transactions:write"],
  isSandboxOnly: true,
  annotations: { readOnlyHint: false, destructiveHint: false },
  input: z.object({ id }),
  run: (c, given) =>
    answerOf(c, paySandboxTransaction, ({ data }) => chargeView(data), {
      params: { id: given.id },
    }),
});

/** Charges: make, find, explain, and in the sandbox pay. */
export const CHARGE_TOOLS = [createCharge, findCharges, explainCharge, sandboxPay];
