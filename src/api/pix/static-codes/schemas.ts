import { z } from "@hono/zod-openapi";
import { isoTime } from "../../../domain/shared/clock.ts";
import { staticTxidOf } from "../../../domain/shared/ids.ts";
import { MAX_AMOUNT_CENTS } from "../../../domain/shared/money.ts";
import { cursor, integer, isoTimeText, pageLimit, text } from "../../../http/fields/fields.ts";
import { encodeBrCode, MERCHANT_CITY } from "../../../methods/pix/br-code.ts";
import type { StaticCodeRow } from "./repository.ts";

/** BACEN's `infoAdicional`; a code shows as much of it as fits beside its key. */
const DESCRIPTION_MAX = 72;

const EXAMPLE_ID = "019aa6c0-5e00-8d2c-9f31-6b1f0c000001";

const EXAMPLE: StaticCodeRow = {
  companyId: 1,
  number: 1,
  id: EXAMPLE_ID,
  txid: staticTxidOf(EXAMPLE_ID),
  qrcode: encodeBrCode({
    target: { key: "00000000-0000-4000-8000-000000000000" },
    merchantName: "Loja Exemplo",
    merchantCity: MERCHANT_CITY,
    amount: 50_000,
    txid: staticTxidOf(EXAMPLE_ID),
    description: "Bar",
  }),
  amount: 50_000,
  description: "Bar",
  account: "sandbox",
  idempotencyKey: null,
  requestHash: "",
  createdAt: Date.UTC(2026, 10, 21, 12),
  deletedAt: null,
};

export const CreateStaticCode = z
  .object({
    amount: integer(1, MAX_AMOUNT_CENTS, "centavos")
      .optional()
      .openapi({ description: "centavos; where left out the payer chooses" }),
    description: text(DESCRIPTION_MAX).optional().openapi({
      description:
        "What is paid. The code shows as much of it, in ASCII, as fits beside the key; the transaction all of it.",
    }),
  })
  .openapi("CreateStaticCodeInput", { example: { amount: 50_000, description: "Bar" } });

const StaticCode = z
  .object({
    id: z.string().openapi({ format: "uuid" }),
    qrcode: z.string().openapi({ description: "BR Code; may be paid any number of times" }),
    txid: z.string().openapi({ description: "25 letters and digits, in each of its payments" }),
    description: z.string().openapi({ description: '`""` if there is none' }),
    amount: z.int().nullable().openapi({ description: "centavos; null where the payer chooses" }),
    createdAt: isoTimeText,
    deletedAt: isoTimeText.nullable().openapi({
      description: "Its payments become transactions even after it: printed codes live on.",
    }),
  })
  .openapi("StaticCode", { example: staticCodeView(EXAMPLE) });

export const StaticCodeEnvelope = z.object({ data: StaticCode }).openapi("StaticCodeEnvelope");

export const StaticCodeParam = z.object({
  id: z.string().openapi({ format: "uuid", example: EXAMPLE.id }),
});

export const StaticCodesQuery = z.object({
  after: cursor.default(Number.MAX_SAFE_INTEGER).openapi({ type: "string" }),
  limit: pageLimit,
});

export const StaticCodes = z
  .object({ items: z.array(StaticCode), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("StaticCodes", {
    example: { items: [staticCodeView(EXAMPLE)], after: "1", hasMore: false },
  });

/** A code as it is shown. Amount in centavos. */
export function staticCodeView(code: StaticCodeRow) {
  const { id, qrcode, txid, description, amount, createdAt, deletedAt } = code;
  return {
    id,
    qrcode,
    txid,
    description,
    amount,
    createdAt: isoTime(createdAt),
    deletedAt: deletedAt === null ? null : isoTime(deletedAt),
  };
}
