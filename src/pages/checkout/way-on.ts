import type { Payee } from "../../api/checkout/repository.ts";
import { receiptPdf } from "../../api/receipts/service.ts";
import { paymentReceipt } from "../../api/receipts/views.ts";
import { configOf, publicOrigin } from "../../config.ts";
import {
  toTransactionRecord,
  type TransactionRow,
} from "../../db/projection/transaction-mapper.ts";
import { maskName } from "../../domain/access/masks.ts";
import { toCreateStatus } from "../../domain/charges/charge-status.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { signatureHeader } from "../../webhooks/signing/sign.ts";
import type { CheckoutContext } from "./context.ts";

/** A transaction with its company. */
interface Found {
  row: TransactionRow;
  payee: Payee;
}

const VERIFY_PATH = "/receipts/verify";

/** The signed receipt as a PDF, with the payer's name masked: the link may be in many hands. Null before payment. */
export async function answerReceipt(
  c: CheckoutContext,
  { row, payee }: Found,
): Promise<Response | null> {
  const record = toTransactionRecord(row);
  if (record.paidAt === null) return null;
  const { outer } = c.env;
  const receipt = paymentReceipt(payee, record);
  const masked = { ...receipt, payer: { ...receipt.payer, name: maskName(receipt.payer.name) } };
  const pdf = await receiptPdf(outer.env, payee, masked, {
    verifyUrl: publicOrigin(outer.env, c.req.url) + VERIFY_PATH,
    nowMs: outer.get("deps").clock.now(),
  });
  return c.body(pdf, 200, {
    "Content-Type": "application/pdf",
    "Content-Disposition": `attachment; filename="comprovante-${record.id}.pdf"`,
  });
}

/**
 * Leads the payer back to the merchant's `returnUrl`. The address says the transaction and its status as of now,
 * signed like a webhook whose id is the transaction's (docs/checkout.md). Null without a `returnUrl`.
 */
export async function answerReturn(
  c: CheckoutContext,
  { row, payee }: Found,
): Promise<Response | null> {
  if (row.returnUrl === null) return null;
  const { outer } = c.env;
  const nowMs = outer.get("deps").clock.now();
  const record = withExpiryApplied(toTransactionRecord(row), nowMs);
  const status = toCreateStatus(record.status);
  const timestamp = Math.floor(nowMs / 1_000);
  const body = JSON.stringify({ transactionId: record.id, status });
  const parts = { id: record.id, timestamp, body };
  const { secretsKeys } = configOf(outer.env);
  const url = new URL(row.returnUrl);
  url.searchParams.set("transactionId", record.id);
  url.searchParams.set("status", status);
  url.searchParams.set("timestamp", String(timestamp));
  url.searchParams.set("signature", await signatureHeader(secretsKeys, payee, parts, nowMs));
  return c.redirect(url.href, 303);
}
