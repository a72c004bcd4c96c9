import { z } from "@hono/zod-openapi";
import {
  CYCLE_STATUSES,
  MANDATE_STATES,
  NO_DEBIT,
  type Subscription,
  type SubscriptionCycle,
} from "../../domain/subscriptions/records.ts";
import {
  DEBIT_ACTIONS,
  DEBIT_FAILURE_CODES,
  debitReason,
  MANDATE_END_REASONS,
} from "../../domain/subscriptions/debit-codes.ts";
import { chargeView, subscriptionView } from "../../domain/subscriptions/subscription-view.ts";
import {
  ATTEMPT_KINDS,
  ATTEMPT_STATUSES,
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

/** BACEN Pix API 2.9.0, `vinculo.objeto`: what the payer's bank shows. */
const DESCRIPTION_MAX = 35;
/** `vinculo.devedor.nome`. */
const NAME_MAX = 140;
/** `recebedor.convenio`. */
const REF_MAX = 60;

/** A subscription for the API reference. */
export const EXAMPLE_SUBSCRIPTION: Subscription = {
  number: 1,
  id: "019aa6c0-5e00-8d2c-9f31-6b1f0c000001",
  externalRef: "assinatura-1001",
  status: "active",
  description: "Clube do livro",
  customer: {
    name: "Maria da Silva",
    email: "maria@example.com",
    externalRef: "cliente-7",
    city: "3550308",
    document: { number: "12345678909", type: "CPF" },
  },
  terms: {
    amount: { kind: "fixed", amount: 4_990 },
    period: "MONTHLY",
    firstDueDate: "2026-12-10",
    endDate: null,
    journey: "QR",
    retry: [1, 3, 5],
    payerAccount: null,
    firstPayment: null,
  },
  amount: 4_990,
  account: "sandbox",
  mandate: {
    id: "RR0000000020261121a1B2c3D4e5F",
    requestId: null,
    status: "approved",
    qrcode: "00020101021226580014br.gov.bcb.pix2536pix.sandbox.example/v2/rec/RR00000000",
    payerIspb: "00000000",
    reason: null,
    orderedAt: Date.UTC(2026, 10, 21, 12),
    isEnding: false,
  },
  nextCycle: 2,
  approvalExpiresAt: Date.UTC(2026, 11, 9, 2, 59, 59),
  metadata: null,
  createdAt: Date.UTC(2026, 10, 21, 12),
  updatedAt: Date.UTC(2026, 11, 5, 12),
  version: 5,
};

/** A cycle of it, whose first attempt failed. */
export const EXAMPLE_CYCLE: SubscriptionCycle = {
  number: 1,
  subscriptionId: EXAMPLE_SUBSCRIPTION.id,
  cycle: 1,
  dueDate: "2026-12-10",
  amount: 4_990,
  status: "open",
  transactionId: "019aa6c0-5e00-8d2c-9f31-6b1f0c000002",
  debit: { ...NO_DEBIT, status: "active", orderedAt: Date.UTC(2026, 11, 5, 12) },
  attempts: [
    {
      day: "2026-12-10",
      kind: "due",
      status: "failed",
      reason: debitReason("EXPR"),
      endToEndId: "E00000000202612100900a1b2c3d4e5f",
    },
    {
      day: "2026-12-11",
      kind: "retry",
      status: "scheduled",
      reason: null,
      endToEndId: "E00000000202612110900a1b2c3d4e5g",
    },
  ],
  createdAt: Date.UTC(2026, 11, 5, 12),
  updatedAt: Date.UTC(2026, 11, 11, 0, 30),
  version: 4,
};

const EXAMPLE = subscriptionView(EXAMPLE_SUBSCRIPTION);
const EXAMPLE_CHARGE = chargeView(EXAMPLE_SUBSCRIPTION, EXAMPLE_CYCLE);

const day = z
  .string({ error: breaks("calendarDay") })
  .refine(isCalendarDay, breaks("calendarDay"))
  .openapi({ type: "string", format: "date" });

const ISPB = /^\d{8}$/;
const CITY = /^\d{7}$/;
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
  });

const email = text(EMAIL_MAX)
  .refine((value) => value === "" || isEmail(value), breaks("email"))
  .optional();

const customer = z.object({
  name: text(NAME_MAX).trim().min(1, breaks("notEmpty")),
  document,
  email,
  externalRef: text(REF_MAX).optional(),
  city: text(7)
    .regex(CITY, breaks("digits", { sizes: "7" }))
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

const cents = () => integer(1, MAX_AMOUNT_CENTS, "centavos");

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
    { error: breaks("retryDays", { max: RETRIES_MAX, days: String(RETRY_DAYS_MAX) }) },
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
      firstDueDate: "2026-12-10",
      journey: "QR",
      retry: [1, 3, 5],
    },
  });

export const ChangeSubscription = z
  .object({
    amount: cents().openapi({
      description: "centavos of the cycles that are not open yet; not below `minimumAmount`",
    }),
  })
  .openapi("ChangeSubscriptionInput", { example: { amount: 5_990 } });

const documentView = z.object({ number: z.string(), type: z.enum(DOCUMENT_TYPES) });

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
        document: documentView.nullable(),
      })
      .nullable(),
    retry: z.union([z.literal("none"), z.array(z.int())]),
    firstPayment: z.object({ amount: z.int().openapi({ description: "centavos" }) }).nullable(),
    pix: z.object({
      qrcode: z.string().nullable().openapi({
        description:
          "What the payer scans to approve; null for REQUEST, and until the PSP has made it.",
      }),
      journey: z.enum(SUBSCRIPTION_JOURNEYS),
    }),
    approvalExpiresAt: isoTimeText.openapi({
      description:
        "When nobody can approve it any more: after 30 days, or once the first debit cannot be ordered in time.",
    }),
    mandate: z.object({
      id: z.string().nullable().openapi({ description: "BACEN `idRec`: case-sensitive." }),
      status: z.enum(MANDATE_STATES),
      payerIspb: z.string().nullable(),
      reason: z.enum(MANDATE_END_REASONS).nullable(),
    }),
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

/** A cycle's charge without the reasons of its days, as events show it. */
export const chargeFields = {
  transactionId: z.string().openapi({ format: "uuid", description: "The charge." }),
  cycle: z.int().openapi({ description: "Its place in the subscription, from 1." }),
  dueDate: z.string().openapi({ format: "date" }),
  amount: z.int().openapi({ description: "centavos" }),
  status: z.enum(CYCLE_STATUSES).openapi("SubscriptionChargeStatus"),
  attempts: z.array(
    z.object({
      at: z.string().openapi({ format: "date", description: "Its day." }),
      kind: z.enum(ATTEMPT_KINDS),
      status: z.enum(ATTEMPT_STATUSES),
      code: z.enum(DEBIT_FAILURE_CODES).nullable().openapi({ description: "Why it failed." }),
      message: z.string().nullable(),
      action: z.enum(DEBIT_ACTIONS).nullable().openapi({ description: "What to do about it." }),
      providerCode: z.string().nullable().openapi({ description: "The bank's own code." }),
    }),
  ),
  createdAt: isoTimeText,
  updatedAt: isoTimeText,
};

export const SubscriptionCharge = z
  .object({
    ...chargeFields,
    days: z
      .array(
        z.object({
          what: z.enum(["due", "settles", "ordered", "ordered_until", "cancelled_until"]),
          at: z.string().openapi({ description: "A day, or the time of a limit." }),
          why: z.string(),
          source: z.string(),
        }),
      )
      .openapi({ description: "Each day of the debit, and the rule that makes it this day." }),
  })
  .openapi("SubscriptionCharge", { example: EXAMPLE_CHARGE });

export const SubscriptionChargeEnvelope = z
  .object({ data: SubscriptionCharge })
  .openapi("SubscriptionChargeEnvelope", { example: { data: EXAMPLE_CHARGE } });

export const SubscriptionCharges = z
  .object({
    items: z.array(SubscriptionCharge),
    after: z.string().nullable(),
    hasMore: z.boolean(),
  })
  .openapi("SubscriptionCharges", {
    example: { items: [EXAMPLE_CHARGE], after: "1", hasMore: false },
  });

export const ChargesQuery = z.object({
  after: cursor.default(Number.MAX_SAFE_INTEGER).openapi({ type: "string" }),
  limit: pageLimit,
});

export const ChargeParam = z.object({
  id: z.string().openapi({ format: "uuid", example: EXAMPLE.id }),
  transactionId: z.string().openapi({ format: "uuid", example: EXAMPLE_CHARGE.transactionId }),
});

export const OpenCharge = z
  .object({
    dueDate: day.openapi({ description: "That of the next cycle (`nextCharges`)." }),
    amount: cents().optional().openapi({
      description: "centavos of this cycle alone; where left out those of the subscription",
    }),
  })
  .openapi("OpenSubscriptionChargeInput", { example: { dueDate: "2027-01-10" } });

export const RetryCharge = z
  .object({ date: day.openapi({ description: "One of the days that the rules allow." }) })
  .openapi("RetrySubscriptionChargeInput", { example: { date: "2026-12-14" } });
