import { z } from "@hono/zod-openapi";
import { parseDocument } from "../../domain/shared/document.ts";
import { EXAMPLE_ISSUER, EXAMPLE_TRANSACTION } from "../../domain/events/api-examples.ts";
import {
  cursor,
  integer,
  isoTimeText,
  pageLimit,
  text,
  TEXT_MAX,
} from "../../http/fields/fields.ts";
import { SavedCard } from "../cards/schemas.ts";
import { EventDetail } from "../events/schemas.ts";
import { SubscriptionSchema } from "../subscriptions/schemas.ts";
import { FullAddress, Item, Transaction } from "../transactions/schemas.ts";
import { Withdraw } from "../withdraws/schemas.ts";
import { CHARGES_SUMMED } from "./list-repository.ts";
import { exportedCharge } from "./views.ts";
import { breaks } from "../../lib/fields/rules.ts";

/** Charges of a page, each with its events. */
const EXPORT_LIMIT_MAX = 20;
const EXPORT_LIMIT_DEFAULT = 10;
const CURSOR = /^(charge|subscription|withdraw):(\d{1,15})$/;

const document = z
  .string({ error: breaks("documentExpected") })
  .refine((value) => parseDocument(value) !== null, breaks("document"))
  .openapi({ example: "12345678909", description: "CPF or CNPJ of the payer" });

/** Where a page of an export begins: first the charges by their number, then subscriptions, then withdraws by theirs. */
export interface ExportCursor {
  part: "charge" | "subscription" | "withdraw";
  after: number;
}

export const ExportPayer = z
  .object({
    document,
    after: text(TEXT_MAX)
      .regex(CURSOR, breaks("earlierPage"))
      .optional()
      .openapi({ description: "The `after` of the page before.", example: "charge:12" }),
    limit: integer(1, EXPORT_LIMIT_MAX, "charges")
      .default(EXPORT_LIMIT_DEFAULT)
      .openapi({ description: "Charges of a page.", example: EXPORT_LIMIT_DEFAULT }),
  })
  .openapi("ExportPayerInput");

export function parseCursor(after: string | undefined): ExportCursor {
  const [, part, number] = CURSOR.exec(after ?? "") ?? [];
  return part === undefined
    ? { part: "charge", after: 0 }
    : { part: part as ExportCursor["part"], after: Number(number) };
}

export function cursorText({ part, after }: ExportCursor): string {
  return `${part}:${after}`;
}

const ExportedCharge = z
  .object({
    number: z.int().openapi({ description: "The `id` of the list of transactions." }),
    payer: z.object({
      leadId: z.string(),
      externalId: z.string().nullable(),
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      documentNumber: z.string(),
      documentType: z.string(),
      address: FullAddress,
      ip: z.string().nullable(),
    }),
    shippingFee: z.int().nullable().openapi({ description: "centavos" }),
    items: z.array(Item),
    transaction: Transaction,
  })
  .openapi("ExportedCharge");

export const PayerExport = z
  .object({
    data: z.object({
      document: z.string(),
      charges: z.array(ExportedCharge),
      events: z.array(EventDetail).openapi({
        description:
          "The events of these charges or subscriptions as sent, with each attempt to deliver them.",
      }),
      subscriptions: z.array(SubscriptionSchema).openapi({
        description: "The payer's subscriptions, also those without a charge, after the charges.",
      }),
      withdraws: z.array(Withdraw).openapi({
        description: "Withdraws to a PIX key that is this document.",
      }),
      savedCards: z.array(SavedCard).openapi({
        description: "The payer's saved cards with the consent to each, on the first page.",
      }),
    }),
    after: z.string().nullable().openapi({ description: "Null at the end.", example: "charge:12" }),
    hasMore: z.boolean(),
  })
  .openapi("PayerExport", {
    example: {
      data: {
        document: EXAMPLE_TRANSACTION.payer.documentNumber,
        charges: [exportedCharge(EXAMPLE_TRANSACTION, { shippingFee: null }, EXAMPLE_ISSUER)],
        events: [],
        subscriptions: [],
        withdraws: [],
        savedCards: [],
      },
      after: "subscription:0",
      hasMore: true,
    },
  });

export const PayersQuery = z.object({ after: cursor.optional(), limit: pageLimit });

const ListedPayer = z
  .object({
    transactionId: z.string().openapi({ description: "The payer's newest charge." }),
    name: z.string(),
    documentMasked: z.string().openapi({ example: "***.456.789-**" }),
    charges: z.int().openapi({
      description: `Of the payer's newest ${CHARGES_SUMMED} charges, which the sums count.`,
      example: 3,
    }),
    paid: z.int().openapi({ description: "centavos paid, less refunds" }),
    open: z.int().openapi({ description: "centavos of charges that await their payment" }),
    lastChargedAt: isoTimeText,
    lastPaidAt: isoTimeText.nullable(),
  })
  .openapi("ListedPayer");

export const Payers = z
  .object({
    items: z.array(ListedPayer),
    after: z.string().nullable().openapi({
      description: "Send it back as `after` for the next page; null at the end.",
      example: "981",
    }),
    hasMore: z.boolean(),
  })
  .openapi("Payers");

export const ErasePayer = z.object({ document }).openapi("ErasePayerInput");

export const PayerErasure = z
  .object({
    data: z.object({
      document: z.string().openapi({ description: "masked" }),
      erased: z.int().openapi({ description: "Charges erased by this call." }),
      open: z.int().openapi({
        description: "Charges that have not ended. They are erased by themselves once they have.",
      }),
      subscriptions: z.object({ erased: z.int(), open: z.int() }).openapi({
        description: "The same of subscriptions: one that lasts loses its payer as it ends.",
      }),
      status: z.enum(["done", "pending"]).openapi({
        description: "`pending`: the gateway erases the rest by itself.",
      }),
    }),
  })
  .openapi("PayerErasure", {
    example: {
      data: {
        document: "***.456.789-**",
        erased: 3,
        open: 1,
        subscriptions: { erased: 1, open: 0 },
        status: "pending",
      },
    },
  });
