import { z } from "zod";
import { configOf, type Env } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { Company } from "../../domain/shared/company.ts";
import { signDocument, verifyDocument } from "../../webhooks/signing/signed-document.ts";
import { proofOfPdf, signPdf } from "./signed-pdf.ts";
import type { Receipt } from "./views.ts";

/** The members of a signed receipt, or of a receipt PDF's proof, that its check reads. */
const SignedReceipt = z.looseObject({
  type: z.enum(["payment", "withdraw", "receipt_pdf"]),
  company: z.looseObject({ id: z.int().positive() }),
  signature: z.looseObject({ signedAt: z.string() }),
});

/** A receipt signed with the company's Ed25519 key. */
export function signReceipt<Shown extends Receipt>(
  env: Env,
  { providerCompanyId }: Company,
  receipt: Shown,
  nowMs: number,
) {
  return signDocument(configOf(env).secretsKeys, providerCompanyId, receipt, nowMs);
}

/** The receipt as a signed PDF. The code that draws it loads with the first one, so that the Worker starts fast. */
export async function receiptPdf(
  env: Env,
  company: Pick<Company, "id" | "mode" | "providerCompanyId">,
  receipt: Receipt,
  { verifyUrl, nowMs }: { verifyUrl: string; nowMs: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const { drawReceipt } = await import("./pdf.ts");
  const isTest = company.mode === "sandbox";
  const pdf = await drawReceipt(receipt, { isTest, verifyUrl, nowMs });
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
