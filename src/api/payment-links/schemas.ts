import { z } from "@hono/zod-openapi";
import { PAYMENT_METHODS, type PaymentMethod } from "../../domain/charges/charge-status.ts";
import { MAX_URL_LENGTH } from "../../domain/events/webhook-target.ts";
import {
  LINK_FIELDS,
  LINK_STATUSES,
  paymentLinkView,
  type LinkTerms,
  type PaymentLink,
} from "../../domain/links/payment-link.ts";
import { MAX_AMOUNT_CENTS, type Cents } from "../../domain/shared/money.ts";
import {
  cursor,
  EVEN_AFTER_OTHER_ERRORS,
  integer,
  isoTimeText,
  metadata,
  NAME_MAX,
  pageLimit,
  text,
} from "../../http/fields/fields.ts";
import { methodOf } from "../../methods/registry.ts";
import { endTime } from "../applications/schemas.ts";
import { breaks } from "../../lib/fields/rules.ts";

const INSTALLMENTS_MAX = Math.max(...PAYMENT_METHODS.map(mostInstallments));
const BY_CARD = PAYMENT_METHODS.filter((method) => methodOf(method).initiation === "pull");
/** Amounts to choose from: what a page shows without scrolling. */
const AMOUNTS_MAX = 20;
const QUANTITY_MAX = 1_000;
/** A link with more is one without a limit. */
const PAYMENTS_MAX = 1_000_000;

/** A link for the API reference. */
export const EXAMPLE_LINK: PaymentLink = {
  number: 1,
  id: "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
  slug: "7h2k9m4q0xw3e000g8",
  name: "Curso de fotografia",
  isActive: true,
  terms: {
    amount: 50_000,
    minimum: null,
    maximum: null,
    amounts: null,
    maxQuantity: 1,
    paymentMethods: [...PAYMENT_METHODS],
    maxInstallments: 3,
    fields: [{ name: "email", required: true }],
    returnUrl: null,
  },
  maxPayments: 30,
  expiresAt: null,
  metadata: null,
  paidCount: 12,
  openCount: 1,
  createdAt: Date.UTC(2026, 10, 21, 12),
  updatedAt: Date.UTC(2026, 10, 22, 12),
  version: 14,
};
const EXAMPLE = paymentLinkView(EXAMPLE_LINK, "https://pay.example.com", EXAMPLE_LINK.updatedAt);

const cents = (description: string) =>
  integer(1, MAX_AMOUNT_CENTS, "centavos").optional().openapi({ description });

const name = text(NAME_MAX).trim().min(1, breaks("notEmpty")).openapi({
  description: "What is sold; the page shows it.",
  example: EXAMPLE.name,
});
const maxPayments = integer(1, PAYMENTS_MAX, "").nullable().optional().openapi({
  description: "The most payments; null or left out for any number. 1 makes a link for one use.",
});

const paymentMethods = z
  .array(
    z.enum(PAYMENT_METHODS, { error: breaks("value", { values: PAYMENT_METHODS.join(", ") }) }),
    {
      error: breaks("listOf", { things: "payment methods" }),
    },
  )
  .min(1, breaks("nameOne"))
  .max(PAYMENT_METHODS.length, breaks("nameOnce"))
  .transform((names) => PAYMENT_METHODS.filter((method) => names.includes(method)))
  .optional()
  .openapi({
    type: "array",
    items: { type: "string", enum: [...PAYMENT_METHODS] },
    description: "The payment methods that the payer may choose from; PIX where left out.",
    example: PAYMENT_METHODS,
  });

const fields = z
  .array(
    z.object({
      name: z.enum(LINK_FIELDS, { error: breaks("oneOf", { values: LINK_FIELDS.join(", ") }) }),
      required: z.boolean({ error: breaks("boolean") }).default(true),
    }),
    { error: breaks("listOf", { things: "fields" }) },
  )
  .max(LINK_FIELDS.length, breaks("nameEachOnce", { thing: "field" }))
  .refine((list) => new Set(list.map((field) => field.name)).size === list.length, {
    error: breaks("nameEachOnce", { thing: "field" }),
  })
  .optional()
  .openapi({
    description:
      "What the page asks of the payer, besides what the chosen method itself requires. It becomes the " +
      "charge's `customer`.",
    example: [{ name: "email", required: true }],
  });

const CreateFields = z.object({
  name,
  amount: cents("A fixed amount, in centavos."),
  minimum: cents("An open amount: the least that the payer may choose, in centavos."),
  maximum: cents("An open amount: the most that the payer may choose, in centavos."),
  amounts: z
    .array(integer(1, MAX_AMOUNT_CENTS, "centavos"), {
      error: breaks("listOf", { things: "amounts" }),
    })
    .min(1, breaks("holdOne", { thing: "amount" }))
    .max(AMOUNTS_MAX, breaks("holdAtMost", { max: AMOUNTS_MAX, things: "amounts" }))
    .optional()
    .openapi({ description: "Amounts that the payer chooses from, in centavos." }),
  maxQuantity: integer(1, QUANTITY_MAX, "")
    .optional()
    .openapi({ description: "How many the payer may buy in one payment; 1 asks for none." }),
  maxPayments,
  expiresAt: endTime,
  paymentMethods,
  maxInstallments: integer(1, INSTALLMENTS_MAX, "").optional().openapi({
    description: "The most installments of a card that the payer may choose; 1 where left out.",
  }),
  saveCard: z
    .boolean({ error: breaks("boolean") })
    .optional()
    .openapi({
      description:
        "True offers the payer of a card to have it kept, as `card.saveCard` of a create does, where the account that " +
        "takes it can keep cards. The charge then has `card.savedCardId`.",
    }),
  fields,
  metadata: metadata.nullable().optional().openapi({ description: "Goes into each charge." }),
  returnUrl: text(MAX_URL_LENGTH)
    .optional()
    .openapi({ description: "Where the payer goes back to, as on create." }),
});

export const CreatePaymentLink = CreateFields.superRefine((body, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message, input: undefined });
  const isOpen = body.minimum !== undefined || body.maximum !== undefined;
  const ways = [body.amount !== undefined, isOpen, body.amounts !== undefined];
  if (ways.filter(Boolean).length !== 1) refuse("amount", breaks("oneAmount"));
  if ((body.minimum ?? 0) > (body.maximum ?? MAX_AMOUNT_CENTS))
    refuse("maximum", breaks("maximumBelowMinimum"));
  const amounts = itemsOf(body.amounts);
  if (new Set(amounts).size !== amounts.length)
    refuse("amounts", breaks("holdEachOnce", { thing: "amount" }));
  const { maxInstallments = 1 } = body;
  const named = itemsOf(body.paymentMethods);
  const methods = PAYMENT_METHODS.filter((method) => named.includes(method));
  if (maxInstallments > Math.max(1, ...methods.map(mostInstallments)))
    refuse("maxInstallments", breaks("tooManyInstallments"));
  if (body.saveCard === true && !methods.some((method) => BY_CARD.includes(method)))
    refuse("saveCard", breaks("onlyAllowedWith", { action: BY_CARD.join(", ") }));
  if (mostOf(body) * (body.maxQuantity ?? 1) > MAX_AMOUNT_CENTS)
    refuse("maxQuantity", breaks("paymentTooLarge", { max: MAX_AMOUNT_CENTS }));
}, EVEN_AFTER_OTHER_ERRORS).openapi("CreatePaymentLinkInput", {
  example: {
    name: EXAMPLE.name,
    amount: 50_000,
    maxPayments: 30,
    paymentMethods: EXAMPLE.paymentMethods,
    maxInstallments: EXAMPLE.maxInstallments,
    fields: EXAMPLE.fields,
  },
});

function mostInstallments(method: PaymentMethod): number {
  return methodOf(method).maxInstallments;
}

/** A list, or an empty one: rules between fields also see fields that are of a wrong type. */
function itemsOf<Item>(value: Item[] | undefined): Item[] {
  return Array.isArray(value) ? value : [];
}

/** The largest amount that a payer may choose for one piece. Centavos. */
function mostOf({ amount, amounts, maximum }: z.output<typeof CreateFields>): Cents {
  const most = amount ?? maximum ?? Math.max(1, ...itemsOf(amounts));
  return Number.isSafeInteger(most) ? most : 1;
}

/** The terms that a valid request makes; an open amount without a maximum has the greatest there is. */
export function termsOf(body: z.output<typeof CreatePaymentLink>): LinkTerms {
  const isOpen = body.minimum !== undefined || body.maximum !== undefined;
  const maxQuantity = body.maxQuantity ?? 1;
  const greatest = Math.floor(MAX_AMOUNT_CENTS / maxQuantity);
  return {
    amount: body.amount ?? null,
    minimum: isOpen ? (body.minimum ?? 1) : null,
    maximum: isOpen ? (body.maximum ?? greatest) : null,
    amounts: body.amounts ?? null,
    maxQuantity,
    paymentMethods: body.paymentMethods ?? PAYMENT_METHODS.slice(0, 1),
    maxInstallments: body.maxInstallments ?? 1,
    ...(body.saveCard === true ? { saveCard: true } : {}),
    fields: body.fields ?? [],
    returnUrl: body.returnUrl === "" ? null : (body.returnUrl ?? null),
  };
}

export const UpdatePaymentLink = z
  .object({
    name: name.optional(),
    active: z
      .boolean({ error: breaks("boolean") })
      .optional()
      .openapi({ description: "Whether it takes payments." }),
    expiresAt: endTime,
    maxPayments: maxPayments.openapi({
      description: "Not below what was paid and what payers are paying right now.",
    }),
    metadata: metadata.nullable().optional(),
  })
  .openapi("UpdatePaymentLinkInput", { example: { active: false } });

export const PaymentLinkSchema = z
  .object({
    id: z.string().openapi({ format: "uuid" }),
    slug: z.string(),
    url: z.string().openapi({ description: "Where the payer opens it." }),
    name: z.string(),
    status: z.enum(LINK_STATUSES).openapi("PaymentLinkStatus"),
    amount: z.int().nullable().openapi({ description: "centavos" }),
    minimum: z.int().nullable().openapi({ description: "centavos" }),
    maximum: z.int().nullable().openapi({ description: "centavos" }),
    amounts: z.array(z.int()).nullable().openapi({ description: "centavos" }),
    maxQuantity: z.int(),
    maxPayments: z.int().nullable(),
    paidCount: z.int().openapi({ description: "Payments that came; refunds do not lower it." }),
    openCount: z
      .int()
      .openapi({ description: "Reservations that payers hold who have not paid yet." }),
    expiresAt: isoTimeText.nullable(),
    paymentMethods: z.array(z.enum(PAYMENT_METHODS).openapi("PaymentMethod")),
    maxInstallments: z.int(),
    saveCard: z.boolean(),
    fields: z.array(z.object({ name: z.enum(LINK_FIELDS), required: z.boolean() })),
    metadata: z.string().nullable(),
    returnUrl: z.string().nullable(),
    createdAt: isoTimeText,
    updatedAt: isoTimeText,
  })
  .openapi("PaymentLink", { example: EXAMPLE });

export const PaymentLinkEnvelope = z
  .object({ data: PaymentLinkSchema })
  .openapi("PaymentLinkEnvelope", { example: { data: EXAMPLE } });

export const PaymentLinkParam = z.object({
  id: z.string().openapi({ format: "uuid", example: EXAMPLE.id }),
});

export const PaymentLinksQuery = z.object({
  after: cursor.default(Number.MAX_SAFE_INTEGER).openapi({ type: "string" }),
  limit: pageLimit,
});

export const PaymentLinks = z
  .object({ items: z.array(PaymentLinkSchema), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("PaymentLinks", { example: { items: [EXAMPLE], after: "1", hasMore: false } });
