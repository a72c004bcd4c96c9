import type { findForPayer } from "../../api/checkout/payer.ts";
import type { Payee } from "../../api/checkout/repository.ts";
import { receiptPdf, signReceipt } from "../../api/receipts/service.ts";
import { paymentReceipt } from "../../api/receipts/views.ts";
import { publicOrigin } from "../../config.ts";
import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import { maskName } from "../../domain/access/masks.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { depsOfCompany } from "../../http/context.ts";

/** Where a receipt is checked. */
export const VERIFY_PATH = "/receipts/verify";

/** A payment's receipt as everybody with its link may see it. */
export interface PublicReceipt {
  secureId: string;
  payee: Payee;
  receipt: ReturnType<typeof paymentReceipt>;
}

/** The receipt of a payer's link, with the payer's name masked: it may be in many hands. Null before payment. */
export function findReceipt({
  row,
  payee,
}: NonNullable<Awaited<ReturnType<typeof findForPayer>>>): PublicReceipt | null {
  const record = toTransactionRecord(row);
  if (record.paidAt === null) return null;
  const receipt = paymentReceipt(payee, record);
  const payer = { ...receipt.payer, name: maskName(receipt.payer.name) };
  return {
    secureId: secureIdOf(record.id, record.secureRandom),
    payee,
    receipt: { ...receipt, payer },
  };
}

/** The receipt as a signed PDF, or as signed JSON. */
export async function receiptFile(
  c: CheckoutContext,
  { payee, receipt }: PublicReceipt,
  format: "pdf" | "json",
): Promise<Response> {
  const { outer } = c.env;
  const nowMs = depsOfCompany(outer.get("deps"), payee).clock.now();
  const name = `comprovante-${receipt.transactionId}.${format}`;
  c.header("Content-Disposition", `attachment; filename="${name}"`);
  if (format === "json") return c.json(await signReceipt(outer.env, payee, receipt, nowMs), 200);
  const verifyUrl = publicOrigin(outer.env, c.req.url) + VERIFY_PATH;
  const pdf = await receiptPdf(outer.env, payee, receipt, { verifyUrl, nowMs });
  return c.body(pdf, 200, { "Content-Type": "application/pdf" });
}
