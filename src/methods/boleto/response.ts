import { z } from "@hono/zod-openapi";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import { isoTimeText } from "../../lib/fields/fields.ts";
import { formattedLine } from "./boleto-code.ts";

/** `boleto` of a transaction's answer. */
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

/** A registered boleto and the address of its slip; nothing before it is registered. */
export function boletoView({ id, secureRandom, boleto, expiresAt }: TransactionRecord) {
  if (boleto === null || boleto.registered === null || expiresAt === null) return {};
  const { barcode, digitableLine, ourNumber, qrcode } = boleto.registered;
  const url = `${boleto.origin}/boletos/${secureIdOf(id, secureRandom)}`;
  return {
    boleto: {
      barcode,
      digitableLine,
      formattedLine: formattedLine(digitableLine),
      ourNumber,
      dueDate: boleto.dueDate,
      expirationDate: isoTime(expiresAt),
      url,
      pdfUrl: `${url}.pdf`,
      qrcode,
    },
  };
}
