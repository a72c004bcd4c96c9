import type { Payee } from "../../api/checkout/repository.ts";
import { requireTexts } from "../../api/transactions/service.ts";
import { configOf } from "../../config.ts";
import {
  toTransactionRecord,
  type TransactionRow,
} from "../../db/projection/transaction-mapper.ts";
import { toCreateStatus } from "../../domain/charges/charge-status.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { signaturesOf } from "../../webhooks/signing/sign.ts";
import type { CheckoutContext } from "./context.ts";
import { depsOfCompany } from "../../http/context.ts";

/** A transaction with its company. */
interface Found {
  row: TransactionRow;
  payee: Payee;
}

/**
 * Leads the payer back to the merchant's `returnUrl`. The address says the transaction and its status as of now,
 * signed (docs/checkout.md). Null without a `returnUrl`. Throws 503 while the archive has it and does not answer.
 */
export async function answerReturn(
  c: CheckoutContext,
  { row, payee }: Found,
): Promise<Response | null> {
  requireTexts(row);
  if (row.returnUrl === null) return null;
  const { outer } = c.env;
  const { platformClock, clock } = depsOfCompany(outer.get("deps"), payee);
  const record = withExpiryApplied(toTransactionRecord(row), clock.now());
  const status = toCreateStatus(record.status);
  const nowMs = platformClock.now();
  const timestamp = Math.floor(nowMs / 1_000);
  const text = returnText(record.id, status, timestamp);
  const { secretsKeys } = configOf(outer.env);
  const url = new URL(row.returnUrl);
  url.searchParams.set("transactionId", record.id);
  url.searchParams.set("status", status);
  url.searchParams.set("timestamp", String(timestamp));
  url.searchParams.set("signature", await signaturesOf(secretsKeys, payee, text, nowMs));
  return c.redirect(url.href, 303);
}

/**
 * The text that is signed: its domain, the transaction's id, its status and Unix seconds, a line each. No webhook has
 * it: a webhook's text joins its parts by two dots, and here is none. So a payer cannot send what he came back with
 * to the merchant's receiver of webhooks.
 */
function returnText(transactionId: string, status: string, timestamp: number): string {
  return `centavo:return-url\n${transactionId}\n${status}\n${timestamp}`;
}
