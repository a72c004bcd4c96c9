import { z } from "zod";
import { configOf, type Env } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import { visibleTransaction } from "../../domain/access/payer-masks.ts";
import type { Brand, Company } from "../../domain/shared/company.ts";
import type { Caller } from "../../http/context.ts";
import { requireTransaction } from "../transactions/service.ts";
import { requireWithdraw } from "../withdraws/service.ts";
import { signDocument, verifyDocument } from "../../webhooks/signing/signed-document.ts";
import { proofOfPdf, signPdf } from "./signed-pdf.ts";
import { paymentReceipt, withdrawReceipt, type Receipt } from "./views.ts";

/** Where anybody checks a receipt. */
export const VERIFY_PATH = "/receipts/verify";

/** The members of a signed receipt, or of a receipt PDF's proof, that its check reads. */
const SignedReceipt = z.looseObject({
  type: z.enum(["payment", "withdraw", "receipt_pdf"]),
  company: z.looseObject({ id: z.int().positive() }),
  signature: z.looseObject({ signedAt: z.string() }),
});

/** The receipt of a transaction as its caller may see it. Throws 404, or 409 for one that was never paid. */
export async function receiptOfTransaction(
  env: Env,
  { company, scopes }: Caller,
  id: string,
): Promise<Receipt> {
  const row = await requireTransaction(env, company, id);
  return paymentReceipt(company, visibleTransaction(scopes, toTransactionRecord(row)));
}

/** The receipt of a withdraw. Throws 404, or 409 for one that was never paid. */
export async function receiptOfWithdraw(
  env: Env,
  { company }: Caller,
  id: string,
): Promise<Receipt> {
  return withdrawReceipt(company, await requireWithdraw(env, company, id));
}

/** A receipt signed with the company's Ed25519 key. */
export function signReceipt<Shown extends Receipt>(
  env: Env,
  { providerCompanyId }: Pick<Company, "providerCompanyId">,
  receipt: Shown,
  nowMs: number,
) {
  return signDocument(configOf(env).secretsKeys, providerCompanyId, receipt, nowMs);
}

/** The receipt as a signed PDF. The code that draws it loads with the first one, so that the Worker starts fast. */
export async function receiptPdf(
  env: Env,
  company: Pick<Company, "id" | "mode" | "providerCompanyId"> & {
    brand: Partial<Brand> | null;
  },
  receipt: Receipt,
  { verifyUrl, nowMs }: { verifyUrl: string; nowMs: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const { drawReceipt } = await import("./pdf.ts");
  const isTest = company.mode === "sandbox";
  const name = company.brand?.name ?? receipt.company.name;
  const pdf = await drawReceipt(receipt, { name, isTest, verifyUrl, nowMs });
  return signPdf(configOf(env).secretsKeys, company, pdf, nowMs);
}

export type Verdict = { genuine: false } | { genuine: true; companyId: number; signedAt: string };

export const NOT_GENUINE: Verdict = { genuine: false };

/** Whether a company of this gateway signed this receipt. Says nothing that the receipt does not say itself. */
export async function verifyReceipt(env: Env, document: unknown): Promise<Verdict> {
  const read = SignedReceipt.safeParse(document);
  if (!read.success) return NOT_GENUINE;
  const { company, signature } = read.data;
  const issuer = await findCompany(env, company.id);
  if (issuer === null) return NOT_GENUINE;
  const { secretsKeys } = configOf(env);
  const isGenuine = await verifyDocument(secretsKeys, issuer.providerCompanyId, document);
  if (!isGenuine) return NOT_GENUINE;
  return { genuine: true, companyId: company.id, signedAt: signature.signedAt };
}

/** As `verifyReceipt`, of a PDF: none of its bytes may have changed. */
export async function verifyReceiptPdf(env: Env, bytes: Uint8Array<ArrayBuffer>): Promise<Verdict> {
  const proof = await proofOfPdf(bytes);
  return proof === null ? NOT_GENUINE : verifyReceipt(env, proof);
}
