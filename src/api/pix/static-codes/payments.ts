import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import { TRANSFER_METHOD } from "../../../domain/charges/charge-status.ts";
import { whoPaid, type ReportedPayer } from "../../../domain/charges/payer-match.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { parseDocument } from "../../../domain/shared/document.ts";
import { staticCodeOfTxid } from "../../../domain/shared/ids.ts";
import type { Env } from "../../../config.ts";
import type { CompanyDependencies } from "../../../http/context.ts";
import type { ListedPayment, Provider } from "../../../providers/provider.ts";
import { payerKeyOfRequest } from "../../transactions/payer-key.ts";
import { createTransactionOfPayment } from "../../transactions/payment-charge.ts";
import { findStaticCode } from "./repository.ts";

interface PaymentContext {
  env: Env;
  deps: Pick<CompanyDependencies, "clock" | "random">;
  company: Company;
}

/**
 * The transaction of a static code's payment, made once for each payment; the caller books the payment on it.
 * Null where the payment's txid is no static code's. A deleted code's prints live on, so its payments become
 * transactions too.
 */
export async function transactionOfStaticCode(
  { env, deps, company }: PaymentContext,
  provider: Pick<Provider, "name" | "account">,
  payment: ListedPayment,
): Promise<TransactionRow | "other_company" | null> {
  const named = staticCodeOfTxid(payment.txid ?? "");
  if (named === null) return null;
  const code = await findStaticCode(env, named.companyId, named.id);
  // Others may use a txid of the same layout.
  if (code === null) return null;
  // Anyone can make a code of one company's txid to another's key. What names a key came to this company's.
  if (code.companyId !== company.id) return payment.pixKey == null ? "other_company" : null;
  const { paymentId, amount, paidAt, payer } = payment;
  return createTransactionOfPayment(env, deps, company, {
    paymentId,
    paymentMethod: TRANSFER_METHOD,
    // What was asked for, so that a payment of less shows as underpaid.
    amount: code.amount ?? amount,
    paidAt,
    account: provider.account,
    provider: provider.name,
    externalRef: "",
    description: code.description,
    payer: whoPaid({ paymentId, payer }, { name: "", documentNumber: "" }).paidBy,
    origin: "static_code",
    staticCodeId: code.id,
    leadKey: await payerKeyOf(env, deps, company, payer),
  });
}

/** Of a payer whose whole document is known, so that its data are found for an export or an erasure. */
async function payerKeyOf(
  env: Env,
  { random }: Pick<CompanyDependencies, "random">,
  company: Company,
  payer: ReportedPayer | "customer" | undefined,
): Promise<string | null> {
  const number = payer === undefined || payer === "customer" ? null : payer.document;
  const document = number === null ? null : parseDocument(number);
  if (document === null) return null;
  return payerKeyOfRequest(env, company, { customer: { document } }, random);
}
