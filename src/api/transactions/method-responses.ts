import { z } from "@hono/zod-openapi";
import { isoTimeText } from "../../http/fields/fields.ts";

/** A boleto as a transaction's answer shows it. */
export const BoletoResponse = z
  .object({
    barcode: z.string().openapi({ description: "44 digits (FEBRABAN)" }),
    digitableLine: z.string().openapi({ description: "47 digits" }),
    formattedLine: z.string().openapi({ description: "The line as people type it" }),
    ourNumber: z.string(),
    dueDate: z.string().openapi({ description: "YYYY-MM-DD in America/Sao_Paulo" }),
    expirationDate: isoTimeText,
    url: z.string().openapi({ description: "The slip as a page; needs no credentials" }),
    pdfUrl: z.string().openapi({ description: "The slip as PDF" }),
    qrcode: z.string().nullable().openapi({ description: "BR Code of the same debt" }),
  })
  .openapi("TransactionBoleto");

/** A card as a transaction's answer shows it: never its whole number, never its CVV. */
export const CardResponse = z
  .object({
    brand: z.string().openapi({ example: "visa" }),
    firstDigits: z.string().openapi({ example: "424242" }),
    lastDigits: z.string().openapi({ example: "4242" }),
    holderName: z.string(),
    expirationMonth: z.int(),
    expirationYear: z.int(),
    authorizationCode: z.string().nullable(),
  })
  .openapi("TransactionCard");

/** Why an acquirer refused a card. */
export const RefusedReasonResponse = z
  .object({
    code: z.string().openapi({ example: "INSUFFICIENT_FUNDS" }),
    message: z.string(),
    retryable: z
      .boolean()
      .openapi({ description: "Whether the same card may be tried again later" }),
  })
  .openapi("TransactionRefusedReason");
