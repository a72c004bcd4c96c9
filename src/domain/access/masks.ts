import type { Address } from "../charges/transaction.ts";
import type { PixKey } from "../shared/pix-key.ts";

/** The kind of a key that the gateway issues, such as `sk_live_`. */
const KIND = /^sk_[a-z]+_/;
/** Characters after the kind: 24 of a key's 256 random bits. */
const SHOWN_AFTER_KIND = 4;

const MASK = "***";

/** A CPF as banks show it (`***.456.789-**`), without its first three and last two digits; a CNPJ likewise. */
export function maskDocument(document: string): string {
  if (document.length === 11) return `${MASK}.${document.slice(3, 6)}.${document.slice(6, 9)}-**`;
  if (document.length === 14) return `**.${document.slice(2, 5)}.${document.slice(5, 8)}/****-**`;
  return document === "" ? "" : MASK;
}

/** For `JSON.stringify`: masks the names and documents in what a PSP says of a payer. */
export function maskPspPayer(member: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (member === "cpf" || member === "cnpj") return maskDocument(value.replaceAll(/[./-]/g, ""));
  return member === "nome" ? maskName(value) : value;
}

/** `m***@example.com`. */
export function maskEmail(email: string): string {
  if (email === "") return "";
  const at = email.lastIndexOf("@");
  return at < 1 ? MASK : `${email.slice(0, 1)}${MASK}${email.slice(at)}`;
}

/** The last four digits. */
export function maskPhone(phone: string): string {
  return phone === "" ? "" : `${MASK}${phone.slice(-4)}`;
}

/** `***`; `""` where there is nothing. */
export function maskText(text: string): string {
  return text === "" ? "" : MASK;
}

/** A name as its initials: `M*** S***`. */
export function maskName(name: string): string {
  return name
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => `${Array.from(word)[0]}${MASK}`)
    .join(" ");
}

/** An address without what leads to a door: state and country stay. */
export function maskAddress(address: Partial<Address>): Partial<Address> {
  return Object.fromEntries(
    Object.entries(address).map(([line, text]) => [
      line,
      line === "state" || line === "country" ? text : maskText(text),
    ]),
  );
}

/** A PIX key, masked as what it is; a random key (EVP) keeps its first block. */
export function maskPixKey({ type, value }: PixKey): string {
  switch (type) {
    case "CPF":
    case "CNPJ":
      return maskDocument(value);
    case "EMAIL":
      return maskEmail(value);
    case "PHONE":
      return maskPhone(value);
    case "EVP":
      return `${value.slice(0, 8)}-${MASK}`;
  }
}

/** The part of an API key that lists and the audit trail show: its kind and its next four characters. */
export function keyPrefix(apiKey: string): string {
  const kind = KIND.exec(apiKey)?.[0] ?? "";
  return apiKey.slice(0, kind.length + SHOWN_AFTER_KIND);
}
