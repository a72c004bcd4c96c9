import { z } from "@hono/zod-openapi";
import { endOfDay, startOfDay } from "../../domain/shared/business-day.ts";
import { daysBetween, isCalendarDay } from "../../domain/shared/calendar-day.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import type { PixKeyType } from "../../domain/shared/pix-key.ts";
import type { PageWindow } from "../../domain/shared/page.ts";
import { isJsonObject, isStorableText } from "../../lib/fields/fields.ts";
import { breaks } from "../../lib/fields/rules.ts";

export {
  EVEN_AFTER_OTHER_ERRORS,
  integer,
  isoTimeText,
  NAME_MAX,
  text,
  TEXT_MAX,
} from "../../lib/fields/fields.ts";

/** RFC 5321: the longest path, without its brackets. */
export const EMAIL_MAX = 254;
const Email = z.email();
/** Whether a text is an e-mail address, as far as a form can tell. */
export const isEmail = (text: string): boolean => Email.safeParse(text).success;

/** The sentence of a key that is none of its type, or of no type at all. */
export function pixKeyFault(declared: PixKeyType | undefined): string {
  return declared === undefined ? breaks("anyPixKey") : breaks("pixKey", { type: declared });
}

const METADATA_MAX = 4_096;
export const CURRENCY_IN_CAPITALS = breaks("currencyInCapitals", { currency: CURRENCY });

export const currency = z.literal(CURRENCY, {
  error: ({ input }) =>
    typeof input === "string" && input.toUpperCase() === CURRENCY
      ? CURRENCY_IN_CAPITALS
      : breaks("value", { values: CURRENCY }),
});

const jsonObject = z
  .custom<Record<string, unknown>>(isJsonObject)
  .openapi({ type: "object", additionalProperties: true });

/** A string is stored unchanged, an object as its JSON. */
export const metadata = z
  .union([z.string(), jsonObject], {
    error: breaks("stringOrObject"),
  })
  .superRefine((value, context) => {
    const stored = metadataText(value);
    if (stored.length > METADATA_MAX) {
      context.addIssue({ code: "custom", message: breaks("maxLength", { max: METADATA_MAX }) });
    }
    if (!isStorableText(stored)) {
      context.addIssue({
        code: "custom",
        message: breaks("unstorable"),
      });
    }
  })
  .openapi({ description: "Free text, or a JSON object stored as a JSON string." });

export function metadataText(value: string | Record<string, unknown>): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Page sizes of the lists; a larger one is reduced to the maximum. */
export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 100;
const WHOLE_NUMBER = /^\d{1,15}$/;

function wholeNumber(fallback: number) {
  return z
    .string()
    .regex(WHOLE_NUMBER, breaks("positiveInteger"))
    .transform(Number)
    .refine((value) => value >= 1, breaks("min", { min: 1 }))
    .default(fallback)
    .openapi({ type: "integer", minimum: 1, default: fallback });
}

export const PageQuery = z.object({
  page: wholeNumber(1),
  pageSize: wholeNumber(PAGE_SIZE_DEFAULT)
    .transform((size) => Math.min(size, PAGE_SIZE_MAX))
    .openapi({ type: "integer", minimum: 1, default: PAGE_SIZE_DEFAULT, maximum: PAGE_SIZE_MAX }),
  sort: z
    .enum(["createdAt_desc", "createdAt_asc"], {
      error: breaks("value", { values: "createdAt_desc or createdAt_asc" }),
    })
    .default("createdAt_desc"),
});

export type PageRequest = z.output<typeof PageQuery>;

/** An example for the API reference. */
export const EXAMPLE_PAGE_REQUEST: PageRequest = {
  page: 1,
  pageSize: PAGE_SIZE_DEFAULT,
  sort: "createdAt_desc",
};

export function pageWindow(request: PageRequest): PageWindow {
  return {
    offset: (request.page - 1) * request.pageSize,
    size: request.pageSize,
    newestFirst: request.sort === "createdAt_desc",
  };
}

export function pageEnvelope<Item>(items: Item[], totalItems: number, request: PageRequest) {
  return {
    ok: true,
    res: {
      items,
      totalItems,
      totalPages: Math.ceil(totalItems / request.pageSize),
      currentPage: request.page,
      pageSize: request.pageSize,
    },
  };
}

export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    ok: z.boolean().openapi({ example: true }),
    res: z.object({
      items: z.array(item),
      totalItems: z.int().openapi({ example: 1 }),
      totalPages: z.int().openapi({ example: 1 }),
      currentPage: z.int().openapi({ example: 1 }),
      pageSize: z.int().openapi({ example: 50 }),
    }),
  });
}

/** An amount in a query string. Centavos. */
export const amountParam = z
  .string()
  .regex(WHOLE_NUMBER, breaks("amountNotNegative"))
  .transform(Number)
  .openapi({ type: "integer", minimum: 0, description: "centavos" });

/** The `after` of a cursor-paged route: a number, which clients treat as opaque. */
export const cursor = z
  .string()
  .regex(WHOLE_NUMBER, breaks("earlierPage"))
  .transform(Number)
  .openapi({ type: "string" });

const limitParam = z
  .string()
  .regex(WHOLE_NUMBER, breaks("between", { min: 1, max: PAGE_SIZE_MAX }))
  .transform(Number)
  .refine(
    (limit) => limit >= 1 && limit <= PAGE_SIZE_MAX,
    breaks("between", { min: 1, max: PAGE_SIZE_MAX }),
  );

const LIMIT_FORMAT = { type: "integer", minimum: 1, maximum: PAGE_SIZE_MAX } as const;

/** Which entries of a list come first, for a route that answers both ways. */
export const listOrder = z
  .enum(["oldest", "newest"], { error: breaks("value", { values: "oldest or newest" }) })
  .default("oldest")
  .openapi({ description: "Which entries come first. Keep it from page to page." });
export type ListOrder = z.output<typeof listOrder>;

export const pageLimit = limitParam
  .default(PAGE_SIZE_DEFAULT)
  .openapi({ ...LIMIT_FORMAT, default: PAGE_SIZE_DEFAULT });

/** Where a delivery goes, in an answer. */
export const deliveryTarget = z.string().openapi({
  pattern: "^(postback|endpoint(_[0-9]+)?)$",
  description: "`postback` (the transaction's `postbackUrl`), or the id of a webhook endpoint.",
  example: "endpoint",
});

/** A limit whose default depends on the media type. */
export const optionalLimit = limitParam.optional().openapi(LIMIT_FORMAT);

/** Days of one report or statement: a leap year, which is at most 1,098 rows of three methods. */
const RANGE_DAYS_MAX = 366;
const HOUR_MAX = 23;

/** A day in America/Sao_Paulo, `YYYY-MM-DD`. */
export const requiredDay = z
  .string()
  .refine(isCalendarDay, breaks("dayOfReport"))
  .openapi({ type: "string", format: "date", example: "2026-11-21" });

/** Such a day, or none. */
export const dayParam = requiredDay.optional();

/** An hour of a day, 0 to 23. */
export const hourParam = z
  .string()
  .regex(WHOLE_NUMBER, breaks("between", { min: 0, max: HOUR_MAX }))
  .transform(Number)
  .refine((hour) => hour <= HOUR_MAX, breaks("between", { min: 0, max: HOUR_MAX }))
  .openapi({ type: "integer", minimum: 0, maximum: HOUR_MAX });

/** A check for `superRefine`: days that do not end before they start, and are no more than a year. */
export function inDayRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (from === undefined || to === undefined) return;
  if (!isCalendarDay(from) || !isCalendarDay(to)) return;
  const fault = faultOfDays(from, to);
  if (fault !== null) context.addIssue(fault);
}

/** What is wrong with a range of days, for `inDayRange` and `requireDayRange`; null for nothing. */
export function faultOfDays(from: string, to: string, max = RANGE_DAYS_MAX) {
  const days = daysBetween(from, to) + 1;
  if (days >= 1 && days <= max) return null;
  const message = days < 1 ? breaks("notBefore", { field: "from" }) : breaks("withinDays", { max });
  return { code: "custom" as const, path: ["to"], message, input: undefined };
}

/** Of a second. */
const LAST_MS = 999;
const TIME_OR_DAY = {
  type: "string",
  description: "An ISO 8601 time with its offset, or a day (`YYYY-MM-DD`) in America/Sao_Paulo.",
  example: "2026-11-21",
} as const;
const timeOrDay = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: breaks("dayOrTime"),
});

/** Start of a range: an ISO 8601 time with offset, or the first millisecond of a day in São Paulo. */
export const isoInstant = timeOrDay
  .transform((value) => (value.includes("T") ? Date.parse(value) : startOfDay(value)))
  .openapi({ ...TIME_OR_DAY });

/** End of a range: an ISO 8601 time with offset, or the last millisecond of a day in São Paulo. */
export const rangeEnd = timeOrDay
  .transform((value) => (value.includes("T") ? Date.parse(value) : endOfDay(value) + LAST_MS))
  .openapi({ ...TIME_OR_DAY });

/** A check for `superRefine`: no range of the named fields ends before it starts. */
export function inOrder<Name extends string>(...ranges: [from: Name, to: Name][]) {
  return (values: { [name in Name]?: number | undefined }, context: z.core.$RefinementCtx) => {
    for (const [from, to] of ranges) {
      const [start, end] = [values[from], values[to]];
      if (start === undefined || end === undefined || start <= end) continue;
      const message = breaks("notBefore", { field: from });
      context.addIssue({ code: "custom", path: [to], message, input: undefined });
    }
  };
}
