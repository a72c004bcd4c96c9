import type { Address, PaidBy, Payer } from "../charges/transaction.ts";
import type { DisputeRecord } from "../disputes/dispute.ts";
import type { EvidenceFile } from "../disputes/evidence-file.ts";
import type { Scope } from "../shared/company.ts";
import type { PixKeyType } from "../shared/pix-key.ts";
import {
  maskAddress,
  maskDocument,
  maskEmail,
  maskName,
  maskPhone,
  maskPixKey,
  maskText,
} from "./masks.ts";

type Scopes = ReadonlySet<Scope>;

/** Whether an application sees personal data in full. */
export function seesPersonalData(scopes: Scopes): boolean {
  return scopes.has("pii:read");
}

/**
 * A transaction as an application may see it: document, e-mail, phone, address, IP and the name of who paid
 * masked without `pii:read`.
 */
export function visibleTransaction<
  Shown extends { payer: Payer; ip?: string | null; paidBy?: PaidBy | null },
>(scopes: Scopes, record: Shown): Shown {
  if (seesPersonalData(scopes)) return record;
  const paidBy = record.paidBy == null ? {} : { paidBy: maskedPaidBy(record.paidBy) };
  const masked = { ...record, payer: maskedPayer(record.payer), ...paidBy };
  return record.ip == null ? masked : { ...masked, ip: maskText(record.ip) };
}

/** A withdraw as an application may see it: its PIX key and its owner's document masked without `pii:read`. */
export function visibleWithdraw<Shown extends PayeeFields>(scopes: Scopes, record: Shown): Shown {
  return seesPersonalData(scopes) ? record : { ...record, ...maskedPayee(record) };
}

/** A PIX key as an application may see it: masked without `pii:read`. */
export function visiblePixKey<Shown extends { pixKey: string; pixKeyType: PixKeyType }>(
  scopes: Scopes,
  shown: Shown,
): Shown {
  if (seesPersonalData(scopes)) return shown;
  const { pixKey: value, pixKeyType: type } = shown;
  return { ...shown, pixKey: maskPixKey({ type, value }) };
}

/**
 * A dispute as an application may see it: without `pii:read` the evidence's text, the values of its proof of
 * delivery and the names of its files are masked, which usually name the customer.
 */
export function visibleDispute(scopes: Scopes, dispute: DisputeRecord): DisputeRecord {
  const { evidence } = dispute;
  if (seesPersonalData(scopes) || evidence === null) return dispute;
  const { text, delivery, files } = evidence;
  const masked = {
    ...evidence,
    text: text === null ? null : maskText(text),
    ...(files === undefined ? {} : { files: files.map(maskedFile) }),
    delivery:
      delivery === null
        ? null
        : Object.fromEntries(Object.keys(delivery).map((name) => [name, maskText(name)])),
  };
  return { ...dispute, evidence: masked };
}

function maskedFile(file: EvidenceFile): EvidenceFile {
  return { ...file, name: maskText(file.name) };
}

/** An unexpected payment as an application may see it: the payer's name masked without `pii:read`. */
export function visiblePayment<Shown extends { payer: PaidBy | null }>(
  scopes: Scopes,
  payment: Shown,
): Shown {
  const { payer } = payment;
  if (seesPersonalData(scopes) || payer === null) return payment;
  return { ...payment, payer: maskedPaidBy(payer) };
}

/** The `data` of an event as an application may see it. A webhook to the merchant's own URL is never masked. */
export function visibleEventData(
  scopes: Scopes,
  data: Record<string, unknown>,
): Record<string, unknown> {
  if (seesPersonalData(scopes)) return data;
  const { ip, payer } = data;
  return {
    ...data,
    ...(isPaidBy(payer) ? { payer: maskedPaidBy(payer) } : {}),
    ...(typeof ip === "string" ? { ip: maskText(ip) } : {}),
    ...(isPayee(data) ? maskedPayee(data) : {}),
  };
}

/** Whom a withdraw pays. */
interface PayeeFields {
  pixKey: string | null;
  pixKeyType: PixKeyType | null;
  creditorDocument: string;
}

function maskedPayer(payer: Payer): Payer {
  return {
    ...payer,
    email: maskEmail(payer.email),
    phone: maskPhone(payer.phone),
    documentNumber: maskDocument(payer.documentNumber),
    address: maskAddress(payer.address satisfies Partial<Address>),
  };
}

/** Its document is masked as it is stored. */
function maskedPaidBy(paidBy: PaidBy): PaidBy {
  return { ...paidBy, name: paidBy.name === null ? null : maskName(paidBy.name) };
}

function isPaidBy(payer: unknown): payer is PaidBy {
  return typeof payer === "object" && payer !== null && "documentMasked" in payer;
}

function maskedPayee({ pixKey, pixKeyType, creditorDocument }: PayeeFields) {
  const key =
    pixKey === null || pixKeyType === null
      ? pixKey
      : maskPixKey({ type: pixKeyType, value: pixKey });
  return { pixKey: key, creditorDocument: maskDocument(creditorDocument) };
}

function isPayee(data: Record<string, unknown>): data is Record<string, unknown> & PayeeFields {
  return typeof data["pixKey"] === "string" && typeof data["creditorDocument"] === "string";
}
