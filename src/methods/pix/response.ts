import { z } from "@hono/zod-openapi";
import type { AutomaticDebit, PixDueTerms } from "../../domain/charges/payment-details.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { isoTimeText } from "../../lib/fields/fields.ts";
import { pixAmountDue } from "./due-amount.ts";

const Adjustment = z.object({ type: z.enum(["FIXED", "PERCENTAGE"]), value: z.int() });
const day = z.string().openapi({ format: "date" });

/** Of a PIX with a due date only. */
const dueFields = {
  dueDate: day.openapi({ description: "In America/Sao_Paulo. Only of a PIX with a due date." }),
  validityAfterDue: z.int().openapi({ description: "days" }),
  fine: Adjustment.nullable(),
  interest: z.object({ value: z.int() }).nullable(),
  discount: Adjustment.extend({ untilDate: day }).nullable(),
  amountDue: z.int().openapi({ description: "centavos; owed on `amountDueOn`" }),
  amountDueOn: day.openapi({
    description: "The day of payment, else of the transaction's last change, in America/Sao_Paulo.",
  }),
};

/** `pix` of a transaction's answer. */
export const PixResponse = z
  .object({
    kind: z.literal("AUTOMATIC").optional().openapi({
      description: "Only of a subscription's debit, which the payer's bank pays by itself.",
    }),
    qrcode: z.string().openapi({ description: "BR Code; empty of an automatic debit." }),
    url: z.string().nullable(),
    expirationDate: isoTimeText,
    ...z.object(dueFields).partial().shape,
  })
  .openapi("TransactionPix");

/** A registered PIX; nothing before it is registered. */
export function pixView({ pix, ...record }: TransactionRecord) {
  if (pix?.automatic !== undefined) return automaticView(pix.automatic, record);
  if (pix?.qrcode === undefined || pix.expirationDate === undefined) return {};
  const { qrcode, url = null, expirationDate, due } = pix;
  return {
    pix: {
      qrcode,
      url,
      expirationDate: isoTime(expirationDate),
      ...(due === undefined ? {} : dueView(due, record)),
    },
  };
}

function automaticView(
  { dueDate }: AutomaticDebit,
  { expiresAt, createdAt }: Pick<TransactionRecord, "expiresAt" | "createdAt">,
) {
  const expirationDate = isoTime(expiresAt ?? createdAt);
  return { pix: { kind: "AUTOMATIC" as const, qrcode: "", url: null, expirationDate, dueDate } };
}

type Dated = Pick<TransactionRecord, "amount" | "paidAt" | "updatedAt">;

function dueView(due: PixDueTerms, { amount, paidAt, updatedAt }: Dated) {
  const { dueDate, validityAfterDue, fine, interest, discount } = due;
  const amountDueOn = saoPauloDay(paidAt ?? updatedAt);
  return {
    dueDate,
    validityAfterDue,
    fine,
    interest,
    discount,
    amountDue: pixAmountDue(due, amount, amountDueOn),
    amountDueOn,
  };
}
