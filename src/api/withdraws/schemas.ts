import { z } from "@hono/zod-openapi";
import { EXAMPLE_WITHDRAW, EXAMPLE_WITHDRAW_REQUEST } from "../../domain/events/api-examples.ts";
import { MAX_AMOUNT_CENTS, MIN_WITHDRAW_CENTS } from "../../domain/shared/money.ts";
import { parsePixKey, PIX_KEY_TYPES } from "../../domain/shared/pix-key.ts";
import { withdrawView } from "../../domain/withdraws/withdraw.ts";
import { APPROVAL_STATUSES, WITHDRAW_STATUSES } from "../../domain/withdraws/withdraw-status.ts";
import {
  isoTimeText,
  currency,
  EVEN_AFTER_OTHER_ERRORS,
  EXAMPLE_PAGE_REQUEST,
  integer,
  metadata,
  pageEnvelope,
  pageSchema,
  pixKeyFault,
  text,
  TEXT_MAX,
} from "../../http/fields/fields.ts";
import { RequesterSchema } from "../../http/fields/requester.ts";
import { FailureReasonSchema } from "../../http/fields/failure-reason.ts";
import { BELOW_MINIMUM } from "../../http/validation.ts";
import { NO_PIX_KEY_MESSAGE } from "./views.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Checks the key against its declared type. The fields' own schemas report values of a wrong type. */
export function checkPixKey(request: unknown, context: z.core.$RefinementCtx): void {
  const { pixKey, pixKeyType } = request as { pixKey?: unknown; pixKeyType?: unknown };
  const declared = PIX_KEY_TYPES.find((type) => type === pixKeyType);
  const typeIsWrong = pixKeyType !== undefined && pixKeyType !== "" && declared === undefined;
  if (typeof pixKey !== "string" || pixKey === "" || typeIsWrong) return;
  const verdict = parsePixKey(pixKey, declared);
  if (verdict.kind === "ambiguous") {
    context.addIssue({
      code: "custom",
      path: ["pixKeyType"],
      message: breaks("keyTypeNeeded"),
    });
  }
  if (verdict.kind === "invalid") {
    context.addIssue({
      code: "custom",
      path: ["pixKey"],
      message: pixKeyFault(declared),
    });
  }
}

export const RequestWithdrawBody = z
  .object({
    amount: integer(1, MAX_AMOUNT_CENTS, "centavos")
      .superRefine((amount, context) => {
        if (amount >= 1 && amount < MIN_WITHDRAW_CENTS) {
          context.addIssue({
            code: "custom",
            message: breaks("minWithdraw", { min: MIN_WITHDRAW_CENTS }),
            params: BELOW_MINIMUM,
          });
        }
      })
      .openapi({ example: 1000, description: "centavos, at least 1000" }),
    currency: currency.optional().openapi({ example: "BRL" }),
    pixKey: text(TEXT_MAX).min(1, breaks("notEmpty")).optional().openapi({
      example: "maria@example.com",
      description: "The receiving key; by default the company's registered main key.",
    }),
    pixKeyType: z
      .enum([...PIX_KEY_TYPES, ""], {
        error: breaks("oneOf", { values: PIX_KEY_TYPES.join(", ") }),
      })
      .optional()
      .openapi({ example: "EMAIL" }),
    description: text(TEXT_MAX).optional(),
    metadata: metadata.optional(),
  })
  .superRefine(checkPixKey, EVEN_AFTER_OTHER_ERRORS)
  .openapi("RequestWithdrawInput", { example: EXAMPLE_WITHDRAW_REQUEST });

export type RequestWithdrawRequest = z.output<typeof RequestWithdrawBody>;

export const Withdraw = z
  .object({
    id: z.int().openapi({ example: 1 }),
    companyId: z.int().openapi({ example: 1 }),
    idempotencyKey: z.string().openapi({ example: "wd_01JD8ZC3" }),
    value: z.number().openapi({ example: 10, description: "reais" }),
    fee: z.number().openapi({ example: 0, description: "reais" }),
    returnedValue: z
      .number()
      .openapi({ example: 0, description: "reais that the receiving bank returned" }),
    pixKey: z.string(),
    pixKeyType: z.enum(PIX_KEY_TYPES).openapi("PixKeyType"),
    creditorDocument: z.string(),
    description: z.string(),
    currency: z.string().openapi({ example: "BRL" }),
    enTransaction: z.enum(WITHDRAW_STATUSES),
    failureReason: z.union([FailureReasonSchema, z.null()]).openapi({
      description: "Why a Failed withdraw did; null in any other status.",
    }),
    metadata: z.string().nullable(),
    endToEndId: z.string().nullable(),
    approval: z.enum(APPROVAL_STATUSES).openapi({
      description: "`pending`: it waits until somebody else approves or refuses it.",
    }),
    approvalExpiresAt: isoTimeText
      .nullable()
      .openapi({ description: "While `pending`: then it is cancelled." }),
    requestedBy: z
      .union([RequesterSchema, z.null()])
      .openapi({ description: "Who asked for it; null for one that is older than this field." }),
    decidedBy: z
      .union([RequesterSchema, z.null()])
      .openapi({ description: "Who approved or refused it; null while nobody did." }),
    decisionReason: z.string().nullable(),
    paidAt: isoTimeText.nullable(),
    createdAt: isoTimeText,
    updatedAt: isoTimeText,
  })
  .openapi("Withdraw", { example: withdrawView(EXAMPLE_WITHDRAW) });

export const WithdrawPageSchema = pageSchema(Withdraw).openapi("WithdrawPage", {
  example: pageEnvelope([withdrawView(EXAMPLE_WITHDRAW)], 1, EXAMPLE_PAGE_REQUEST),
});

export const MissingPixKey = z
  .object({
    message: z.string().openapi({
      example: NO_PIX_KEY_MESSAGE,
    }),
  })
  .openapi("MissingPixKey");

export const WithdrawDryRun = z
  .object({
    dryRun: z.boolean().openapi({ example: true }),
    accepted: z.boolean().openapi({ example: true }),
    value: z.number().openapi({ example: 10, description: "reais" }),
    fee: z.number().openapi({ example: 0, description: "reais" }),
    currency: z.string().openapi({ example: "BRL" }),
    pixKey: z.string().nullable(),
    pixKeyType: z.enum(PIX_KEY_TYPES).nullable(),
    creditorDocument: z.string(),
    balanceBefore: z.number().openapi({ example: 150.25, description: "reais" }),
    balanceAfter: z.number().openapi({ example: 140.25, description: "reais" }),
    approval: z
      .enum(["none", "pending"])
      .openapi({ description: "Whether it would wait for an approval." }),
    checks: z.array(
      z.object({
        check: z.string().openapi({ example: "balance" }),
        passed: z.boolean(),
        code: z.string().nullable(),
        detail: z.string().nullable(),
      }),
    ),
  })
  .openapi("WithdrawDryRun");
