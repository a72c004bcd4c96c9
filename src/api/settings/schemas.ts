import { z } from "@hono/zod-openapi";
import { DEFAULT_FEES, FEE_KINDS, MAX_BASIS_POINTS } from "../../domain/ledger/fees.ts";
import { PAYMENT_METHODS, TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";
import { DEFAULT_RELEASE_DAYS } from "../../methods/registry.ts";
import { PROVIDER_NAMES } from "../../domain/charges/transaction.ts";
import { AccountProviderName } from "../../http/fields/account-provider.ts";
import { webhookTargetError } from "../../domain/events/webhook-target.ts";
import { PERSON_ROLES } from "../../domain/access/person-role.ts";
import { DEFAULT_ROLE_LIMITS } from "../../domain/exits/refund-policy.ts";
import { RETENTION_DAYS_MIN } from "../../domain/charges/payer-erasure.ts";
import { MAX_AMOUNT_CENTS, MIN_WITHDRAW_CENTS } from "../../domain/shared/money.ts";
import {
  DEFAULT_UNEXPECTED_RULES,
  UNEXPECTED_REASONS,
  UNEXPECTED_RULES,
} from "../../domain/charges/unexpected-payment.ts";
import { REMINDER_DAYS_MAX, REMINDERS_MAX } from "../../domain/reminders/reminder.ts";
import { integer, isoTimeText, text } from "../../http/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

const RELEASE_DAYS_MAX = 365;

/** Longest cool-down of an allowed key: a month. */
const COOL_DOWN_HOURS_MAX = 720;
/** Longest retention: ten years. */
const RETENTION_DAYS_MAX = 3_650;

/** What fits the top of a phone's page. */
const BRAND_NAME_MAX = 60;
const LOGO_URL_MAX = 500;
const EXAMPLE_BRAND = {
  name: "Padaria Pão Quente",
  color: "#0b6b4f",
  logoUrl: "https://padaria.example.com/logo.png",
};

/** Shops of one company; each stands in the header of each of its payers' pages. */
const EMBED_ORIGINS_MAX = 10;
/** `https://`, a host of 253 characters and a port. */
const ORIGIN_MAX = 267;
const EXAMPLE_EMBED_ORIGINS = ["https://shop.example"];

const HOUR_MAX = 23;
const REMINDERS_ABOUT =
  "E-mails to the payers of open charges, by the due day, where `email` is true. For charges made from now on.";
const EXAMPLE_REMINDERS = {
  email: true,
  daysBefore: [1],
  daysAfter: [3],
  quietHours: { from: 20, to: 8 },
};

const limitOf = (period: string) =>
  z
    .int()
    .nullable()
    .openapi({
      description: `centavos ${period} (America/Sao_Paulo); null for no limit`,
      example: null,
    });

/** Settings that were loosened and do not hold yet, of a company or an application. */
export const PendingSettings = z
  .array(
    z.object({
      field: z.string(),
      from: z.unknown().openapi({ description: "What holds until then." }),
      to: z.unknown(),
      effectiveAt: isoTimeText,
    }),
  )
  .openapi("PendingSettings", {
    description: "Loosened, and in effect from `effectiveAt` unless somebody refuses it.",
    example: [
      {
        field: "withdrawApprovalAbove",
        from: 100_000,
        to: 500_000,
        effectiveAt: "2026-11-23T12:00:00.000Z",
      },
    ],
  });

export const PendingParam = z.object({
  field: z.string().openapi({
    param: { name: "field", in: "path" },
    example: "withdrawApprovalAbove",
  }),
});

export const Settings = z
  .object({
    duplicateWithdrawGuard: z.boolean().openapi({
      description: "Refuse a withdraw to the same key with the same amount within ten minutes.",
      example: false,
    }),
    withdrawDailyLimit: limitOf("a day"),
    withdrawNightLimit: limitOf("a night, 20:00 to 06:00"),
    withdrawKeyDailyLimit: limitOf("a day to one PIX key"),
    withdrawApprovalAbove: z.int().nullable().openapi({
      description:
        "centavos of a day that nobody approved, above which a withdraw waits for somebody else's approval",
      example: null,
    }),
    allowedPixKeys: z.object({
      enforced: z.boolean().openapi({
        description: "Allow withdraws only to the main PIX key and the company's listed keys.",
        example: false,
      }),
      coolDownHours: z
        .int()
        .openapi({ description: "Hours until a key that is added counts.", example: 24 }),
    }),
    refundDailyLimit: limitOf("a day that go back to payers: refunds and returns"),
    refundApprovalAbove: z.int().nullable().openapi({
      description:
        "centavos of a day that nobody approved, above which a refund or return waits for approval",
      example: null,
    }),
    roleLimits: z
      .partialRecord(
        z.enum(PERSON_ROLES),
        z.object({ refundDailyLimit: z.int().nullable() }).openapi("RoleLimit"),
      )
      .openapi("RoleLimits", {
        description: "centavos a day that each person of a role sends back; null for no limit",
        example: DEFAULT_ROLE_LIMITS,
      }),
    unexpectedPayments: z
      .object(fieldFor(UNEXPECTED_REASONS, z.enum(UNEXPECTED_RULES)))
      .openapi("UnexpectedPaymentRules", {
        description: "What becomes of a payment that no charge expected as it came, by its reason.",
        example: DEFAULT_UNEXPECTED_RULES,
      }),
    retentionDays: z
      .int()
      .nullable()
      .openapi({
        description: `Days after a charge's end until its payer's data are erased, at least ${RETENTION_DAYS_MIN}; null for never`,
        example: null,
      }),
    brand: z
      .object({
        name: z.string().nullable().openapi({ description: "null: the company's own name" }),
        color: z.string().nullable().openapi({ description: "null: the gateway's colour" }),
        logoUrl: z.string().nullable(),
      })
      .openapi("Brand", {
        description: "How payers see the company (docs/checkout.md).",
        example: EXAMPLE_BRAND,
      }),
    embedOrigins: z.array(z.string()).openapi({
      description: "Origins whose pages may show the checkout in a frame (docs/checkout.md).",
      example: EXAMPLE_EMBED_ORIGINS,
    }),
    reminders: z
      .object({
        email: z.boolean(),
        daysBefore: z.array(z.int()).openapi({ description: "0 is the due day itself" }),
        daysAfter: z.array(z.int()),
        quietHours: z.object({ from: z.int(), to: z.int() }).openapi("QuietHours", {
          description: "America/Sao_Paulo, `from` included, `to` not",
        }),
      })
      .openapi("Reminders", { description: REMINDERS_ABOUT, example: EXAMPLE_REMINDERS }),
    pending: PendingSettings,
  })
  .openapi("CompanySettings");

const limit = integer(0, MAX_AMOUNT_CENTS, "centavos").nullable().optional();
const hour = integer(0, HOUR_MAX, "hours");
const daysOfReminders = (min: number) =>
  z
    .array(integer(min, REMINDER_DAYS_MAX, "days"), { error: breaks("list") })
    .max(REMINDERS_MAX, breaks("haveAtMost", { max: REMINDERS_MAX, things: "days" }));
const onOff = z.boolean({ error: breaks("boolean") }).optional();

/** The settings that decide about withdraws. */
export const WITHDRAW_SETTINGS = {
  duplicateWithdrawGuard: onOff,
  withdrawDailyLimit: limit,
  withdrawNightLimit: limit,
  withdrawKeyDailyLimit: limit,
  withdrawApprovalAbove: limit,
  allowedPixKeys: z
    .object({
      enforced: onOff,
      coolDownHours: integer(0, COOL_DOWN_HOURS_MAX, "hours").optional(),
    })
    .openapi("ChangeAllowedPixKeys")
    .optional(),
};

export const ChangeSettings = z
  .object({
    ...WITHDRAW_SETTINGS,
    refundDailyLimit: limit,
    refundApprovalAbove: limit,
    roleLimits: z
      .partialRecord(
        z.enum(PERSON_ROLES, { error: breaks("oneOf", { values: PERSON_ROLES.join(", ") }) }),
        z
          .object({ refundDailyLimit: integer(0, MAX_AMOUNT_CENTS, "centavos").nullable() })
          .openapi("ChangeRoleLimit"),
      )
      .openapi("ChangeRoleLimits", { example: DEFAULT_ROLE_LIMITS })
      .optional(),
    unexpectedPayments: z
      .object(
        fieldFor(
          UNEXPECTED_REASONS,
          z
            .enum(UNEXPECTED_RULES, {
              error: breaks("oneOf", { values: UNEXPECTED_RULES.join(", ") }),
            })
            .optional(),
        ),
      )
      .openapi("ChangeUnexpectedPaymentRules")
      .optional(),
    retentionDays: integer(RETENTION_DAYS_MIN, RETENTION_DAYS_MAX, "days").nullable().optional(),
    brand: z
      .object({
        name: text(BRAND_NAME_MAX).min(1, breaks("notEmpty")).nullable().optional(),
        color: z
          .string({ error: breaks("string") })
          .regex(/^#[0-9A-Fa-f]{6}$/, breaks("colour"))
          .nullable()
          .optional(),
        logoUrl: text(LOGO_URL_MAX).superRefine(checkLogoUrl).nullable().optional(),
      })
      .openapi("ChangeBrand", {
        description:
          "null removes a part. A colour that could not be read is shown darker or lighter.",
        example: EXAMPLE_BRAND,
      })
      .optional(),
    embedOrigins: z
      .array(text(ORIGIN_MAX), { error: breaks("list") })
      .max(EMBED_ORIGINS_MAX, breaks("haveAtMost", { max: EMBED_ORIGINS_MAX, things: "origins" }))
      .optional()
      .openapi({
        description: `The whole list, at most ${EMBED_ORIGINS_MAX}: scheme, host and port of each, https. An empty list forbids frames.`,
        example: EXAMPLE_EMBED_ORIGINS,
      }),
    reminders: z
      .object({
        email: z.boolean({ error: breaks("boolean") }),
        daysBefore: daysOfReminders(0),
        daysAfter: daysOfReminders(1),
        quietHours: z
          .object({ from: hour, to: hour }, { error: breaks("object") })
          .openapi("ChangeQuietHours"),
      })
      .openapi("ChangeReminders", { description: REMINDERS_ABOUT, example: EXAMPLE_REMINDERS })
      .optional(),
  })
  .openapi("ChangeCompanySettingsInput", { description: "Omitted fields keep their value." });

const Fee = z
  .object({
    basisPoints: z.int().openapi({ example: 99, description: "hundredths of a percent" }),
    fixed: z.int().openapi({ example: 30, description: "centavos" }),
  })
  .openapi("Fee");

const Fees = z.object(fieldFor(FEE_KINDS, Fee)).openapi("Fees", {
  example: { ...DEFAULT_FEES, [TRANSFER_METHOD]: { basisPoints: 99, fixed: 0 } },
});
const ReleaseDays = z
  .object(fieldFor(PAYMENT_METHODS, z.int()))
  .openapi("ReleaseDays", { example: DEFAULT_RELEASE_DAYS });

/** A company's fees, release days and limits, as its operator agreed with it. */
export const Terms = z
  .object({
    fees: Fees,
    releaseDays: ReleaseDays,
    minimumWithdraw: z.int().openapi({ description: "centavos" }),
    frozen: z.boolean().openapi({
      description: "Something of the company is refused and not sent.",
    }),
  })
  .openapi("CompanyTerms", {
    example: {
      fees: { ...DEFAULT_FEES, [TRANSFER_METHOD]: { basisPoints: 99, fixed: 0 } },
      releaseDays: DEFAULT_RELEASE_DAYS,
      minimumWithdraw: MIN_WITHDRAW_CENTS,
      frozen: false,
    },
  });

/** A company's terms as it sees them itself. */
export const OwnTerms = z
  .object({
    ...Terms.shape,
    freeze: z
      .object({
        withdraws: z.boolean().openapi({ description: "Withdraws, refunds, returns and credits." }),
        charges: z.boolean().openapi({ description: "Creates and captures." }),
        since: isoTimeText,
        reason: z.string(),
      })
      .nullable()
      .openapi({ description: "null while nothing is frozen." }),
  })
  .openapi("OwnTerms", {
    example: {
      fees: { ...DEFAULT_FEES, [TRANSFER_METHOD]: { basisPoints: 99, fixed: 0 } },
      releaseDays: DEFAULT_RELEASE_DAYS,
      minimumWithdraw: MIN_WITHDRAW_CENTS,
      frozen: true,
      freeze: {
        withdraws: true,
        charges: false,
        since: "2026-11-21T09:00:00.000Z",
        reason: "The bank reports a stolen key.",
      },
    },
  });

export const CompanyProviders = z
  .object({
    items: z.array(
      z.object({
        account: z.string().openapi({ description: "The gateway's name of the account." }),
        provider: AccountProviderName,
        host: z.string().openapi({ description: "Where the PSP answers." }),
        certificateExpiresAt: isoTimeText.nullable(),
        credentialsExpireAt: isoTimeText.nullable(),
        failingSince: isoTimeText.nullable().openapi({ description: "null while it answers." }),
      }),
    ),
    callbackUrls: z
      .array(z.object({ account: z.string(), provider: z.enum(PROVIDER_NAMES), url: z.string() }))
      .openapi({
        description:
          "URLs that a person types into a provider's dashboard, which no API takes. They are secret: only for " +
          "`settings:write`, else empty.",
      }),
  })
  .openapi("CompanyProviders", {
    example: {
      items: [
        {
          account: "first",
          provider: "PixApi",
          host: "pix.bank.example",
          certificateExpiresAt: "2026-12-21T03:00:00.000Z",
          credentialsExpireAt: null,
          failingSince: null,
        },
      ],
      callbackUrls: [
        {
          account: "cards",
          provider: "PagarMe",
          url: "https://api.example.com/callbacks/pagarme/8Jp2vQm4Zc6x0a1bT9nKrw",
        },
      ],
    },
  });

const ChangeFee = z
  .object({
    basisPoints: integer(0, MAX_BASIS_POINTS, "hundredths of a percent").optional(),
    fixed: integer(0, MAX_AMOUNT_CENTS, "centavos").optional(),
  })
  .openapi("ChangeFee");
const days = integer(0, RELEASE_DAYS_MAX, "days").optional();

export const ChangeTerms = z
  .object({
    fees: z.object(fieldFor(FEE_KINDS, ChangeFee.optional())).openapi("ChangeFees").optional(),
    releaseDays: z.object(fieldFor(PAYMENT_METHODS, days)).openapi("ChangeReleaseDays").optional(),
    minimumWithdraw: integer(MIN_WITHDRAW_CENTS, MAX_AMOUNT_CENTS, "centavos").optional(),
    frozen: z.boolean({ error: breaks("boolean") }).optional(),
  })
  .openapi("ChangeCompanyTermsInput", {
    description: "Omitted fields keep their value. Existing charges keep their terms.",
    example: { fees: { [TRANSFER_METHOD]: { basisPoints: 99 } } },
  });

/** The same schema under each name. */
function fieldFor<Name extends string, Schema>(names: readonly Name[], schema: Schema) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** An address that a content security policy can name alone: it has no query. */
function checkLogoUrl(url: string, context: z.RefinementCtx): void {
  const isPlain = !/[?#]/.test(url);
  const message = webhookTargetError(url, false) ?? (isPlain ? null : breaks("noQuery"));
  if (message !== null) context.addIssue({ code: "custom", message });
}
