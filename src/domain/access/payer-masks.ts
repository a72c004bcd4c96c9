import type { Address, Payer } from "../charges/transaction.ts";
import type { Scope } from "../shared/company.ts";
import type { PixKeyType } from "../shared/pix-key.ts";
import { maskAddress, maskDocument, maskEmail, maskPhone, maskPixKey, maskText } from "./masks.ts";

type Scopes = ReadonlySet<Scope>;

/** Whether an application sees personal data in full. */
export function seesPersonalData(scopes: Scopes): boolean {
  return scopes.has("pii:read");
}

/** A transaction as an application may see it: document, e-mail, phone, address and IP masked without `pii:read`. */
export function visibleTransaction<Shown extends { payer: Payer; ip?: string | null }>(
  scopes: Scopes,
  record: Shown,
): Shown {
  if (seesPersonalData(scopes)) return record;
  const masked = { ...record, payer: maskedPayer(record.payer) };
  return record.ip == null ? masked : { ...masked, ip: maskText(record.ip) };
}

/** A withdraw as an application may see it: its PIX key and its owner's document masked without `pii:read`. */
export function visibleWithdraw<Shown extends PayeeFields>(scopes: Scopes, record: Shown): Shown {
  return seesPersonalData(scopes) ? record : { ...record, ...maskedPayee(record) };
}

/** The `data` of an event as an application may see it. A webhook to the merchant's own URL is never masked. */
export function visibleEventData(
  scopes: Scopes,
  data: Record<string, unknown>,
): Record<string, unknown> {
  if (seesPersonalData(scopes)) return data;
  const { ip } = data;
  return {
    ...data,
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
