import { z } from "@hono/zod-openapi";
import { PAYMENT_METHODS, SEARCH_STATUSES } from "../../../domain/charges/charge-status.ts";
import { FAILURE_CODES } from "../../../domain/charges/failure-reason.ts";
import { FISCAL_KEY_RULE, isFiscalKey } from "../../../domain/charges/fiscal-key.ts";
import { EXAMPLE_ISSUER, EXAMPLE_TRANSACTION } from "../../../domain/events/api-examples.ts";
import { parseDocument } from "../../../domain/shared/document.ts";
import { MAX_AMOUNT_CENTS } from "../../../domain/shared/money.ts";
import {
  amountParam,
  inOrder,
  integer,
  isoInstant,
  isoTimeText,
  NAME_MAX,
  optionalLimit,
  PAGE_SIZE_MAX,
  rangeEnd,
  text,
  TEXT_MAX,
} from "../../../http/fields/fields.ts";
import { currentView, listItemView } from "../../../methods/transaction-view.ts";
import { Item, Transaction, TransactionListItem, FullAddress } from "../schemas.ts";
import { breaks } from "../../../lib/fields/rules.ts";

const IDS_MAX = 100;
/** Of an end-to-end id BACEN asks 32; PSPs' tests give shorter ones. */
const END_TO_END_ID = /^[A-Za-z0-9]{1,64}$/;
/** A `seq`, or, in a search by time of payment, that time and the `seq`. */
const CURSOR = /^\d{1,15}(?:\.\d{1,15})?$/;

/** Where the next page begins: below this `seq`, in a search by time of payment below this payment. */
export interface SearchCursor {
  seq: number;
  paidAt: number | null;
}

const cursor = z
  .string({ error: breaks("string") })
  .regex(CURSOR, breaks("earlierPage"))
  .transform((value): SearchCursor => {
    const [first = "", second] = value.split(".");
    return second === undefined
      ? { seq: Number(first), paidAt: null }
      : { seq: Number(second), paidAt: Number(first) };
  })
  .openapi({ type: "string" });

const document = z
  .string({ error: breaks("string") })
  .refine((value) => parseDocument(value) !== null, breaks("document"));

const ids = (list: string[]) => list.map((id) => id.trim().toLowerCase());

/** The filters that are the same in a query string and in a body. */
const FILTERS = {
  after: cursor.optional(),
  status: z
    .enum(SEARCH_STATUSES, { error: breaks("oneOf", { values: SEARCH_STATUSES.join(", ") }) })
    .optional(),
  paymentMethod: z
    .enum(PAYMENT_METHODS, { error: breaks("oneOf", { values: PAYMENT_METHODS.join(", ") }) })
    .optional(),
  failureCode: z
    .enum(FAILURE_CODES, { error: breaks("oneOf", { values: FAILURE_CODES.join(", ") }) })
    .optional()
    .openapi({ description: "Why it failed or was refused." }),
  from: isoInstant.optional(),
  to: rangeEnd.optional(),
  paidFrom: isoInstant
    .optional()
    .openapi({ description: "With `paidFrom` or `paidTo` alone the page is by time of payment." }),
  paidTo: rangeEnd.optional(),
  externalRef: text(TEXT_MAX).optional(),
  endToEndId: text(64)
    .regex(END_TO_END_ID, breaks("endToEndId"))
    .optional()
    .openapi({ example: "E00000000202611211200a1b2c3d4e5f" }),
  fiscalKey: text(44)
    .refine(isFiscalKey, FISCAL_KEY_RULE)
    .optional()
    .openapi({ example: "35261112345678000195550010000001231000001235" }),
  staticCodeId: text(36)
    .optional()
    .openapi({ format: "uuid", description: "The static code that was paid." }),
  paymentLinkId: text(36)
    .optional()
    .openapi({ format: "uuid", description: "The payment link that the charge was made under." }),
  payerName: text(NAME_MAX).min(1, breaks("notEmpty")).optional().openapi({
    description: "How the payer's name, or a word of it, begins; case and accents do not count.",
  }),
  document: document.optional(),
};

const RANGES = inOrder(["from", "to"], ["paidFrom", "paidTo"], ["amountFrom", "amountTo"]);

export const SearchQuery = z
  .object({
    ...FILTERS,
    limit: optionalLimit,
    amountFrom: amountParam.optional(),
    amountTo: amountParam.optional(),
    ids: z
      .string()
      .transform((value) => ids(value.split(",")))
      .refine((list) => list.length <= IDS_MAX, breaks("maxItems", { max: IDS_MAX, things: "ids" }))
      .optional()
      .openapi({ type: "string", description: "Up to 100 transaction ids, comma separated." }),
  })
  .superRefine(RANGES);

export type SearchRequest = z.output<typeof SearchQuery>;

const cents = integer(0, MAX_AMOUNT_CENTS, "centavos");

/** The same search as a body, for filters that no log of addresses should see. */
export const SearchBody = z
  .object({
    ...FILTERS,
    limit: integer(1, PAGE_SIZE_MAX, "").optional(),
    amountFrom: cents.optional(),
    amountTo: cents.optional(),
    ids: z
      .array(z.string({ error: breaks("string") }), { error: breaks("array") })
      .max(IDS_MAX, breaks("maxItems", { max: IDS_MAX, things: "ids" }))
      .transform(ids)
      .optional(),
  })
  .superRefine(RANGES)
  .openapi("SearchTransactionsInput", {
    example: {
      document: "12345678909",
      status: "PAID",
      paidFrom: "2026-11-01T00:00:00.000Z",
      limit: 50,
    },
  });

export const TransactionSearch = z
  .object({
    items: z.array(TransactionListItem),
    after: z
      .string()
      .nullable()
      .openapi({ description: "Send it back as `after` for the next page; null at the end." }),
    hasMore: z.boolean(),
  })
  .openapi("TransactionSearch", {
    example: { items: [listItemView(EXAMPLE_TRANSACTION)], after: null, hasMore: false },
  });

/** A transaction as it is now, with what the create request told of the payer and the goods. */
export const CurrentTransaction = z
  .object({
    data: z.object({
      ...Transaction.shape,
      returnUrl: z.string().nullable(),
      expiresAt: isoTimeText.nullable(),
      customer: z.object({
        externalRef: z.string().nullable().openapi({ description: "Else its `id`." }),
        name: z.string(),
        email: z.string(),
        phone: z.string(),
        document: z.object({ number: z.string(), type: z.string() }),
      }),
      shipping: z.object({
        fee: z.int().nullable().openapi({ description: "centavos" }),
        address: FullAddress,
      }),
      items: z.array(Item),
    }),
  })
  .openapi("CurrentTransaction", {
    example: {
      data: currentView(EXAMPLE_TRANSACTION, EXAMPLE_ISSUER, {
        shippingFee: 0,
        returnUrl: "https://loja.example.com/obrigado",
      }),
    },
  });
