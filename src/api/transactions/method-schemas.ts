import { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import type { BoletoTerms } from "../../methods/boleto/boleto.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays, isCalendarDay } from "../../domain/shared/calendar-day.ts";
import {
  withoutSeparators,
  cardErrors,
  containsCardNumber,
  isCardNumber,
  type RawCard,
} from "../../methods/card/card.ts";
import { MAX_AMOUNT_CENTS } from "../../domain/shared/money.ts";
import type { AppEnv } from "../../http/context.ts";
import {
  EVEN_AFTER_OTHER_ERRORS,
  integer,
  isMissing,
  NAME_MAX,
  text,
  TEXT_MAX,
} from "../../http/fields/fields.ts";
import { addFieldErrors } from "../../http/validation.ts";
import type { CardOrder } from "../../providers/provider.ts";
import { findByIdempotencyKey } from "./repository.ts";

const BOLETO_DAYS_MAX = 60;
const BOLETO_DAYS = 3;
const INSTRUCTIONS_MAX = 256;
const DOCUMENT_NUMBER_MAX = 16;
const STATEMENT_DESCRIPTOR_MAX = 13;
const BASIS_POINTS_MAX = 10_000;
/** The last day that a barcode's factor names before it begins again (FEBRABAN). */
const LAST_DUE_DATE = "2049-10-13";

export const cents = (min: number) => integer(min, MAX_AMOUNT_CENTS, "centavos");

const calendarDay = z
  .string({ error: "must be a string" })
  .refine(isCalendarDay, "must be a day of the calendar, YYYY-MM-DD")
  .openapi({ format: "date" });

const adjustment = z.object({
  type: z.enum(["FIXED", "PERCENTAGE"], { error: "must be FIXED or PERCENTAGE" }),
  value: cents(0).openapi({ description: "centavos, or hundredths of a percent" }),
});

const daysToPay = integer(0, BOLETO_DAYS_MAX, "days");

const Adjustment = adjustment.superRefine(limitPercentage);
const Discount = adjustment
  .extend({ untilDate: calendarDay.optional() })
  .superRefine(limitPercentage)
  .openapi({ description: "Until the due date where `untilDate` is left out." });

/** `boleto` of the create request. */
export const Boleto = z
  .object({
    expiresInDays: daysToPay.optional().openapi({ default: BOLETO_DAYS }),
    dueDate: calendarDay.optional().openapi({
      description: "From today in America/Sao_Paulo; instead of `expiresInDays`.",
    }),
    instructions: text(INSTRUCTIONS_MAX).optional(),
    documentNumber: text(DOCUMENT_NUMBER_MAX).optional(),
    fine: Adjustment.optional(),
    interest: z
      .object({ value: integer(0, BASIS_POINTS_MAX, "hundredths of a percent") })
      .optional()
      .openapi({ description: "A month, counted for each day after the due date." }),
    discount: Discount.optional(),
  })
  .superRefine(({ expiresInDays, dueDate }, context) => {
    if (expiresInDays === undefined || dueDate === undefined) return;
    context.addIssue({
      code: "custom",
      path: ["dueDate"],
      message: "must not be sent together with expiresInDays",
    });
  }, EVEN_AFTER_OTHER_ERRORS);

const RAW_FIELDS = ["number", "holderName", "expirationMonth", "expirationYear", "cvv"] as const;

/** A card's own fields, as a sandbox company may send them. */
export const rawCardFields = {
  number: z
    .string({ error: "must be a string" })
    .regex(/^(?:\d[ -]?){11,18}\d$/, "must be 12 to 19 digits"),
  holderName: text(NAME_MAX)
    .min(1, "must not be empty")
    .refine((name) => !containsCardNumber(name), "must not hold a card number"),
  expirationMonth: integer(1, 12, ""),
  expirationYear: integer(2000, 2100, ""),
  cvv: z.string({ error: "must be a string" }).regex(/^\d{3,4}$/, "must be 3 or 4 digits"),
};

/** `card` of the create request. */
export const Card = z
  .object({
    token: text(TEXT_MAX)
      .min(1, "must not be empty")
      .refine((token) => !isCardNumber(token), "must not be a card number")
      .optional(),
    ...z.object(rawCardFields).partial().shape,
    capture: z.boolean({ error: "must be true or false" }).optional().openapi({ default: true }),
    statementDescriptor: text(STATEMENT_DESCRIPTOR_MAX).optional(),
  })
  .superRefine((card, context) => {
    const { token }: { token?: unknown } = card;
    // Its own fault; whether it or the card's own fields were meant is not known.
    if (token !== undefined && typeof token !== "string") return;
    const given = RAW_FIELDS.filter((field) => card[field] !== undefined);
    const missing = RAW_FIELDS.filter((field) => card[field] === undefined);
    const faulty = token === undefined ? missing : given;
    const message =
      token === undefined
        ? "is required where no token is sent"
        : "must not be sent together with a token";
    for (const field of faulty) context.addIssue({ code: "custom", path: [field], message });
  }, EVEN_AFTER_OTHER_ERRORS);

type CardRequest = z.output<typeof Card>;
type BoletoRequest = z.output<typeof Boleto>;

/** BOLETO and CREDIT_CARD name their payer; a card charge needs its card. */
export function requirePayer(request: unknown, context: z.core.$RefinementCtx): void {
  const { paymentMethod } = request as { paymentMethod?: unknown };
  if (paymentMethod !== "BOLETO" && paymentMethod !== "CREDIT_CARD") return;
  const required = [
    ["customer", "name"],
    ["customer", "document", "number"],
    ...(paymentMethod === "CREDIT_CARD" ? [["card"]] : []),
  ];
  for (const path of required) {
    if (isMissing(request, path)) {
      context.addIssue({ code: "custom", path, message: `is required for ${paymentMethod}` });
    }
  }
}

/**
 * Judges by the calendar and the card networks' rules what no schema can hold: due dates, discounts
 * against the amount, and the fields of a card. Its verdict joins those of the schema. A repeated
 * request is judged by the day of its first: a due date or a card that was good then still is. Stands
 * after `jsonBody` and `optionalIdempotencyKey`.
 */
export const checkMethodFields = createMiddleware<AppEnv>(async (c, next) => {
  const body: Record<string, unknown> = await c.req.json();
  const errorsOnDay = (ms: number) => methodErrors(body, saoPauloDay(ms));
  const key = c.get("idempotencyKey");
  let errors = errorsOnDay(c.get("deps").clock.now());
  if (errors.length > 0 && key !== null) {
    const first = await findByIdempotencyKey(c.env, c.get("caller").company.id, key);
    if (first !== null) errors = errorsOnDay(first.createdAt);
  }
  addFieldErrors(c, errors);
  await next();
});

function methodErrors(body: Record<string, unknown>, today: string): z.core.$ZodIssue[] {
  const { boleto, card } = body;
  return [
    ...(boleto === undefined ? [] : boletoErrors(body, today)),
    ...(card === undefined ? [] : rawCardErrors(card, ["card"], today)),
  ];
}

/** What the networks' rules forbid of a card's own fields; those of a wrong type have their own fault. */
export function rawCardErrors(card: unknown, path: string[], today: string) {
  const schema = z.object(rawCardFields);
  const parts = Object.fromEntries(
    RAW_FIELDS.flatMap((field) => {
      const part = schema.shape[field].safeParse(
        (card as Record<string, unknown> | undefined)?.[field],
      );
      return part.success ? [[field, part.data]] : [];
    }),
  );
  return Object.entries(cardErrors(parts, today)).map(([field, message]) =>
    customIssue([...path, field], message),
  );
}

/** What a payer is asked, with the defaults of `product.md` section 3. */
export function boletoTerms(request: BoletoRequest | undefined, nowMs: number): BoletoTerms {
  const days = request?.expiresInDays ?? BOLETO_DAYS;
  const dueDate = request?.dueDate ?? addDays(saoPauloDay(nowMs), days);
  const { fine, interest, discount } = request ?? {};
  return {
    dueDate,
    instructions: request?.instructions ?? "",
    documentNumber: request?.documentNumber ?? "",
    fine: fine === undefined || fine.value === 0 ? null : fine,
    interest: interest === undefined || interest.value === 0 ? null : interest,
    discount:
      discount === undefined || discount.value === 0
        ? null
        : { ...discount, untilDate: discount.untilDate ?? dueDate },
  };
}

/** A card's own fields; null where a token was sent. */
export function rawCard(card: CardRequest): RawCard | null {
  const { number, holderName, expirationMonth, expirationYear, cvv } = card;
  if (number === undefined || cvv === undefined || holderName === undefined) return null;
  if (expirationMonth === undefined || expirationYear === undefined) return null;
  return { number: withoutSeparators(number), holderName, expirationMonth, expirationYear, cvv };
}

/** What the acquirer is asked. The schema has seen to it that there is a token or a whole card. */
export function cardOrder(card: CardRequest, installments: number): CardOrder {
  return {
    source: rawCard(card) ?? { token: card.token ?? "" },
    capture: card.capture ?? true,
    installments,
    statementDescriptor: card.statementDescriptor ?? "",
  };
}

function* boletoErrors(body: Record<string, unknown>, today: string) {
  const boleto = body["boleto"] as Record<string, unknown> | null | undefined;
  const sent = calendarDay.safeParse(boleto?.["dueDate"]);
  if (sent.success && sent.data < today) {
    yield customIssue(["boleto", "dueDate"], `must not be before today, ${today}`);
  } else if (sent.success && sent.data > LAST_DUE_DATE) {
    yield customIssue(["boleto", "dueDate"], `must not be after ${LAST_DUE_DATE}`);
  }
  const discount = boleto?.["discount"] as Record<string, unknown> | null | undefined;
  const untilDate = calendarDay.safeParse(discount?.["untilDate"]);
  const days = daysToPay.default(BOLETO_DAYS).safeParse(boleto?.["expiresInDays"]);
  const isByDays = boleto?.["dueDate"] === undefined && days.success;
  const dueDate = isByDays ? addDays(today, days.data) : sent.data;
  if (untilDate.success && dueDate !== undefined && untilDate.data > dueDate) {
    yield customIssue(
      ["boleto", "discount", "untilDate"],
      `must not be after the due date, ${dueDate}`,
    );
  }
  const discountTerms = Adjustment.safeParse(discount);
  if (!discountTerms.success) return;
  const whole = discountTerms.data.type === "FIXED" ? body["amount"] : BASIS_POINTS_MAX;
  if (typeof whole === "number" && discountTerms.data.value >= whole) {
    yield customIssue(["boleto", "discount", "value"], "must leave something to pay");
  }
}

function customIssue(path: string[], message: string): z.core.$ZodIssue {
  return { code: "custom", path, message, input: undefined };
}

function limitPercentage(
  { type, value }: { type: string; value: number },
  context: z.core.$RefinementCtx,
): void {
  if (type !== "PERCENTAGE" || value <= BASIS_POINTS_MAX) return;
  context.addIssue({
    code: "custom",
    path: ["value"],
    message: `must be at most ${BASIS_POINTS_MAX} hundredths of a percent`,
  });
}
