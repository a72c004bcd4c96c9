import { z } from "@hono/zod-openapi";
import { CITY_CODE } from "../../domain/subscriptions/business-calendar.ts";
import { subscriptionView } from "../../domain/subscriptions/subscription-view.ts";
import {
  PERIODS,
  RETRIES_MAX,
  RETRY_DAYS_MAX,
  SUBSCRIPTION_JOURNEYS,
  SUBSCRIPTION_STATUSES,
} from "../../domain/subscriptions/subscription.ts";
import { isCalendarDay } from "../../domain/shared/calendar-day.ts";
import { DOCUMENT_TYPES, parseDocument } from "../../domain/shared/document.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import {
  cursor,
  EMAIL_MAX,
  EVEN_AFTER_OTHER_ERRORS,
  integer,
  isEmail,
  isoTimeText,
  metadata,
  pageLimit,
  text,
} from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";
import { Dunning, DunningInput } from "./dunning/schemas.ts";
import { EXAMPLE_SUBSCRIPTION } from "./examples.ts";
import { SubscriptionMandate } from "./mandates/mandate-schema.ts";

/** BACEN Pix API 2.9.0, `vinculo.objeto`: what the payer's bank shows. */
const DESCRIPTION_MAX = 35;
/** `vinculo.devedor.nome`. */
const NAME_MAX = 140;
/** `recebedor.convenio`. */
const REF_MAX = 60;

const EXAMPLE = subscriptionView(EXAMPLE_SUBSCRIPTION, "https://pay.example.com");

export const day = z
  .string({ error: breaks("calendarDay") })
  .refine(isCalendarDay, breaks("calendarDay"))
  .openapi({ type: "string", format: "date" });

const ISPB = /^\d{8}$/;
const BRANCH = /^\d{1,4}$/;
const ACCOUNT = /^\d{1,20}$/;

/** A CPF or CNPJ in canonical form. */
const document = z
  .object({
    number: text(30),
    type: z
      .enum(DOCUMENT_TYPES, { error: breaks("value", { values: DOCUMENT_TYPES.join(" or ") }) })
      .optional(),
  })
  .transform(({ number, type }, context) => {
    const parsed = parseDocument(number, type);
    if (parsed !== null) return parsed;
    context.addIssue({ code: "custom", path: ["number"], message: breaks("document") });
    return z.NEVER;
  })
  .openapi("SubscriptionDocumentInput");

const email = text(EMAIL_MAX)
  .refine((value) => value === "" || isEmail(value), breaks("email"))
  .optional();

const customer = z.object({
  name: text(NAME_MAX).trim().min(1, breaks("notEmpty")),
  document,
  email,
  externalRef: text(REF_MAX).optional(),
  city: text(7)
    .regex(CITY_CODE, breaks("digits", { sizes: "7" }))
    .optional()
    .openapi({
      description: "The payer's town by its IBGE code, whose holidays move a debit.",
      example: "3550308",
    }),
});

const payerAccount = z.object({
  ispb: text(8).regex(ISPB, breaks("digits", { sizes: "8" })),
  branch: text(4)
    .regex(BRANCH, breaks("digits", { sizes: "1 to 4" }))
    .optional(),
  account: text(20).regex(ACCOUNT, breaks("digits", { sizes: "1 to 20" })),
  document: document.optional().openapi({
    description: "Of the account's owner, where that is not the customer.",
  }),
});

export const cents = () => integer(1, MAX_AMOUNT_CENTS, "centavos");

const retry = z
  .union(
    [
      z.literal("none"),
      z
        .array(z.int().min(1).max(RETRY_DAYS_MAX))
        .min(1)
        .max(RETRIES_MAX)
        .refine((days) => days.every((each, at) => at === 0 || each > (days[at - 1] ?? 0))),
    ],
    { error: breaks("retryDays", { min: 1, max: RETRY_DAYS_MAX }) },
  )
  .optional()
  .openapi({
    description:
      "Days after the due date on which an unpaid debit is tried again: up to three, from 1 to 7, ascending " +
      "(PERMITE_3R_7D). `none` where left out: the payer approves no retries, and none can be ordered later.",
    example: [1, 3, 5],
  });

const amountFields = {
  amount: cents()
    .optional()
    .openapi({ description: "centavos of each cycle, which the payer approves" }),
  minimumAmount: cents()
    .optional()
    .openapi({
      description:
        "Instead of `amount`: centavos that each cycle has at least. The payer sets his own limit at his bank. The " +
        "cycles are debited so much until their amount is changed.",
    }),
};

const createFields = z.object({
  externalRef: text(REF_MAX).optional(),
  customer,
  description: text(DESCRIPTION_MAX).trim().min(1, breaks("notEmpty")).openapi({
    description: "What the payer's bank shows.",
    example: EXAMPLE.description,
  }),
  ...amountFields,
  period: z.enum(PERIODS, { error: breaks("oneOf", { values: PERIODS.join(", ") }) }),
  firstDueDate: day.openapi({
    description:
      "The day of the first cycle, in America/Sao_Paulo. A later month without the day has its last one.",
  }),
  endDate: day.optional().openapi({ description: "No cycle is due after it." }),
  journey: z
    .enum(SUBSCRIPTION_JOURNEYS, {
      error: breaks("oneOf", { values: SUBSCRIPTION_JOURNEYS.join(", ") }),
    })
    .openapi({
      description:
        "How the payer approves: asked by his bank (REQUEST, with `payerAccount`), by a code (QR), by a code that " +
        "he pays at once (QR_AND_PAY), or with the charge of the first cycle (QR_ON_DUE).",
    }),
  payerAccount: payerAccount.optional(),
  retry,
  dunning: DunningInput.optional(),
  firstPayment: z
    .object({ amount: cents() })
    .optional()
    .openapi({ description: "Of QR_AND_PAY: what is paid with the approval, if not `amount`." }),
  metadata: metadata.optional(),
});

/** Which fields belong to which journey, and that one amount is said. */
function refuseContradictions(
  {
    amount,
    minimumAmount,
    journey,
    payerAccount: account,
    firstPayment,
    firstDueDate,
    endDate,
    dunning: dunned,
    customer: payer,
  }: Partial<z.output<typeof createFields>>,
  context: z.core.$RefinementCtx,
): void {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  if (amount !== undefined && minimumAmount !== undefined)
    refuse("minimumAmount", breaks("notTogetherWith", { field: "amount" }));
  if (amount === undefined && minimumAmount === undefined) refuse("amount", breaks("required"));
  if (journey === "REQUEST" && account === undefined)
    refuse("payerAccount", breaks("requiredWith", { field: "journey REQUEST" }));
  if (journey !== undefined && journey !== "REQUEST" && account !== undefined)
    refuse("payerAccount", breaks("onlyAllowedWith", { action: "journey REQUEST" }));
  if (journey !== undefined && journey !== "QR_AND_PAY" && firstPayment !== undefined)
    refuse("firstPayment", breaks("onlyAllowedWith", { action: "journey QR_AND_PAY" }));
  if (dunned?.link === "email" && (payer?.email ?? "") === "")
    refuse("dunning", breaks("requiredWith", { field: "customer.email" }));
  if (endDate !== undefined && firstDueDate !== undefined && endDate < firstDueDate)
    refuse("endDate", breaks("notBefore", { field: "firstDueDate" }));
}

export const CreateSubscription = createFields
  .superRefine(refuseContradictions, EVEN_AFTER_OTHER_ERRORS)
  .openapi("CreateSubscriptionInput", {
    example: {
      externalRef: EXAMPLE.externalRef,
      customer: {
        name: EXAMPLE.customer.name,
        document: { number: EXAMPLE.customer.document.number },
        email: EXAMPLE.customer.email,
      },
      description: EXAMPLE.description,
      amount: 4_990,
      period: "MONTHLY",
      firstDueDate: "2030-12-10",
      journey: "QR",
      retry: [1, 3, 5],
    },
  });

export const ChangeSubscription = z
  .object({
    amount: cents().optional().openapi({
      description: "centavos of the cycles that are not open yet; not below `minimumAmount`",
    }),
    dunning: DunningInput.optional(),
  })
  .refine(({ amount, dunning: dunned }) => amount !== undefined || dunned !== undefined, {
    path: ["amount"],
    error: breaks("required"),
  })
  .openapi("ChangeSubscriptionInput", { example: { amount: 5_990 } });

const documentView = z
  .object({ number: z.string(), type: z.enum(DOCUMENT_TYPES) })
  .openapi("SubscriptionDocument");

export const SubscriptionSchema = z
  .object({
    id: z.string().openapi({ format: "uuid" }),
    externalRef: z.string(),
    status: z.enum(SUBSCRIPTION_STATUSES).openapi("SubscriptionStatus"),
    description: z.string(),
    customer: z.object({
      name: z.string(),
      email: z.string(),
      externalRef: z.string(),
      city: z.string().nullable(),
      document: documentView,
    }),
    amount: z.int().openapi({ description: "centavos of the next cycles" }),
    minimumAmount: z.int().nullable().openapi({
      description: "centavos; null where the payer approved one amount",
    }),
    period: z.enum(PERIODS).openapi("SubscriptionPeriod"),
    firstDueDate: z.string().openapi({ format: "date" }),
    endDate: z.string().nullable().openapi({ format: "date" }),
    payerAccount: z
      .object({
        ispb: z.string(),
        branch: z.string().nullable(),
        account: z.string(),
        document: z.union([documentView, z.null()]),
      })
      .nullable(),
    retry: z.union([z.literal("none"), z.array(z.int())]),
    dunning: Dunning,
    firstPayment: z.object({ amount: z.int().openapi({ description: "centavos" }) }).nullable(),
    pix: z.object({
      qrcode: z.string().nullable().openapi({
        description:
          "What the payer scans to approve; null for REQUEST, and until the PSP has made it.",
      }),
      journey: z.enum(SUBSCRIPTION_JOURNEYS),
    }),
    secureId: z.string().nullable().openapi({
      description: "Opens the payer's own page, `/s/{secureId}`, and `/a/{secureId}`.",
    }),
    approvalUrl: z.string().nullable().openapi({
      description:
        "The page on which the payer reads what is agreed and approves it; null without a public address.",
    }),
    approvalExpiresAt: isoTimeText.openapi({
      description:
        "When nobody can approve it any more: after 30 days, or once the first debit cannot be ordered in time.",
    }),
    mandate: SubscriptionMandate,
    nextCharges: z.array(
      z.object({
        dueDate: z.string().openapi({ format: "date" }),
        amount: z.int().openapi({ description: "centavos" }),
      }),
    ),
    metadata: z.string().nullable(),
    createdAt: isoTimeText,
    updatedAt: isoTimeText,
  })
  .openapi("Subscription", { example: EXAMPLE });

export const SubscriptionEnvelope = z
  .object({ data: SubscriptionSchema })
  .openapi("SubscriptionEnvelope", { example: { data: EXAMPLE } });

export const SubscriptionParam = z.object({
  id: z.string().openapi({ format: "uuid", example: EXAMPLE.id }),
});

export const SubscriptionsQuery = z.object({
  status: z
    .enum(SUBSCRIPTION_STATUSES, {
      error: breaks("oneOf", { values: SUBSCRIPTION_STATUSES.join(", ") }),
    })
    .optional(),
  after: cursor.default(Number.MAX_SAFE_INTEGER).openapi({ type: "string" }),
  limit: pageLimit,
});

export const Subscriptions = z
  .object({
    items: z.array(SubscriptionSchema),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("Subscriptions", { example: { items: [EXAMPLE], after: "1", hasMore: false } });
