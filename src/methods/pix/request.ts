import { z } from "@hono/zod-openapi";
import type { PixDetails } from "../../domain/charges/payment-details.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import { EVEN_AFTER_OTHER_ERRORS, integer, isMissing, text } from "../../lib/fields/fields.ts";
import { withoutUndefined } from "../../lib/without-undefined.ts";
import {
  calendarDay,
  dueTermErrors,
  dueTermFields,
  dueTerms,
  termIssue,
} from "../terms/request.ts";
import { EXPIRY_DAYS, EXPIRY_DAYS_MAX, EXPIRY_SECONDS_MAX } from "./expiry.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** A payer needs as long to open the bank's app. */
const EXPIRY_SECONDS_MIN = 60;
/** The PACS.008 message carries so much of the payer's answer (BACEN Pix API, `solicitacaoPagador`). */
const PAYER_MESSAGE_MAX = 140;
/** BACEN Pix API, `infoAdicionais`. */
const INFO_MAX = 50;
const INFO_NAME_MAX = 50;
const INFO_VALUE_MAX = 200;
/** Five years of instalments. */
const DUE_DAYS_MAX = 1_827;
const VALIDITY_DAYS_MAX = 365;
/** BACEN's own default (`validadeAposVencimento`). */
const VALIDITY_DAYS_DEFAULT = 30;

/** What a charge must have to name its debtor (BACEN, `CobVSolicitada.devedor`). */
const DEBTOR_FIELDS = [
  ["customer", "name"],
  ["customer", "document", "number"],
] as const;

/** `pix` of the create request. */
export const PixRequest = z
  .object({
    expiresInDays: integer(1, EXPIRY_DAYS_MAX, "days").optional().openapi({ default: 1 }),
    expiresInSeconds: integer(EXPIRY_SECONDS_MIN, EXPIRY_SECONDS_MAX, "seconds")
      .optional()
      .openapi({ description: "Instead of `expiresInDays`." }),
    payerMessage: text(PAYER_MESSAGE_MAX).optional().openapi({
      description: "Asks the payer for a text (BACEN `solicitacaoPagador`).",
      example: "Número do pedido",
    }),
    additionalInfo: z
      .array(
        z.object({
          name: text(INFO_NAME_MAX).min(1, breaks("notEmpty")),
          value: text(INFO_VALUE_MAX).min(1, breaks("notEmpty")),
        }),
        { error: breaks("array") },
      )
      .max(INFO_MAX, breaks("maxItems", { max: INFO_MAX, things: "entries" }))
      .optional()
      .openapi({ description: "Shown to the payer in this order (BACEN `infoAdicionais`)." }),
    dueDate: calendarDay.optional().openapi({
      description:
        "Makes it a PIX with a due date (BACEN `cobv`): from today in America/Sao_Paulo, at most five " +
        "years ahead, without `expiresInDays` and `expiresInSeconds`. Needs `customer.name` and " +
        "`customer.document`.",
    }),
    validityAfterDue: integer(0, VALIDITY_DAYS_MAX, "days").optional().openapi({
      default: VALIDITY_DAYS_DEFAULT,
      description: "Days after the due date on which it may still be paid.",
    }),
    ...dueTermFields,
  })
  .superRefine(refuseContradictions, EVEN_AFTER_OTHER_ERRORS);

/** A PIX whose request says nothing of it. Zero interest is none. */
export const PIX_DEFAULTS = {
  expiresInDays: EXPIRY_DAYS,
  payerMessage: "",
  additionalInfo: [],
  validityAfterDue: VALIDITY_DAYS_DEFAULT,
  interest: { value: 0 },
};

type SentPix = z.output<typeof PixRequest>;

/** Fields that say nothing without a due date. */
const DUE_FIELDS = ["validityAfterDue", "fine", "interest", "discount"] as const;
/** Fields that say when a PIX ends which has no due date. */
const EXPIRY_FIELDS = ["expiresInDays", "expiresInSeconds"] as const;

function refuseContradictions(pix: SentPix, context: z.core.$RefinementCtx): void {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  const isSent = (field: keyof SentPix) => pix[field] !== undefined;
  if (EXPIRY_FIELDS.every(isSent)) {
    refuse("expiresInSeconds", breaks("notTogetherWith", { field: "expiresInDays" }));
  }
  if (isSent("dueDate")) {
    const first = EXPIRY_FIELDS.find(isSent);
    if (first !== undefined) refuse("dueDate", breaks("notTogetherWith", { field: first }));
    return;
  }
  for (const field of DUE_FIELDS.filter(isSent)) refuse(field, breaks("needsDueDate"));
}

/** What a request says of a PIX beyond amount and expiry; null for nothing. */
export function pixDetails(pix: SentPix | undefined): PixDetails | null {
  if (pix === undefined) return null;
  const { payerMessage, additionalInfo, dueDate, validityAfterDue, ...terms } = pix;
  const details = withoutUndefined({
    payerMessage: payerMessage === "" ? undefined : payerMessage,
    additionalInfo: additionalInfo?.length === 0 ? undefined : additionalInfo,
    due:
      dueDate === undefined
        ? undefined
        : {
            ...dueTerms(terms, dueDate),
            validityAfterDue: validityAfterDue ?? VALIDITY_DAYS_DEFAULT,
          },
  });
  return Object.keys(details).length === 0 ? null : details;
}

/** Faults of a due date and its terms, and the debtor that a PIX with a due date must name. */
export function* pixErrors(
  body: Record<string, unknown>,
  today: string,
): Generator<z.core.$ZodIssue> {
  const pix = body["pix"] as Record<string, unknown> | null | undefined;
  if (pix?.["dueDate"] === undefined) return;
  const lastDueDate = addDays(today, DUE_DAYS_MAX);
  yield* dueTermErrors(body, { member: "pix", today, lastDueDate });
  if (body["paymentMethod"] !== "PIX") return;
  for (const path of DEBTOR_FIELDS) {
    if (isMissing(body, path)) {
      yield termIssue([...path], breaks("requiredForDueDate"));
    }
  }
}
