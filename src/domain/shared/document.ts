import { isValidCnpj, isValidCpf, parseCnpj, parseCpf } from "@brazilian-utils/brazilian-utils";

export const DOCUMENT_TYPES = ["CPF", "CNPJ"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export interface TaxDocument {
  type: DocumentType;
  /** Unmasked and upper case: 11 digits of a CPF or 14 characters of a (possibly alphanumeric) CNPJ. */
  number: string;
}

const SEPARATORS = /[.\-/\s]/g;

/**
 * A CPF or CNPJ in canonical form; null when its check digits fail (RFB, IN 2229/2024 for the alphanumeric
 * CNPJ). Without a declared type the length decides.
 */
export function parseDocument(number: string, declared?: DocumentType): TaxDocument | null {
  const bare = number.replaceAll(SEPARATORS, "");
  const type = declared ?? (bare.length === 11 ? "CPF" : "CNPJ");
  if (type === "CPF") {
    return bare.length === 11 && isValidCpf(bare) ? { type, number: parseCpf(bare) } : null;
  }
  return bare.length === 14 && isValidCnpj(bare, { version: 2 })
    ? { type, number: parseCnpj(bare, { version: 2 }) }
    : null;
}
