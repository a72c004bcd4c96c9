import { getPixKeyInfo, isValidCPF, isValidMobilePhone } from "@brazilian-utils/brazilian-utils";

/** The key types of BACEN's DICT, in the contract's names. */
export const PIX_KEY_TYPES = ["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

export interface PixKey {
  type: PixKeyType;
  /** In the canonical form of DICT: `+5511987654321`, lower-case e-mail and EVP, unmasked documents. */
  value: string;
}

export type PixKeyParseResult =
  | { kind: "valid"; key: PixKey }
  | { kind: "ambiguous" }
  | { kind: "invalid" };

const BARE_ELEVEN_DIGITS = /^\d{11}$/;
/** Area code (DDD) and number, without the country code. */
const NATIONAL_PHONE = /^\d{10,11}$/;
/** A Brazilian mobile number: nine digits after the area code, starting with 9. */
const MOBILE = /^\+55\d{2}9\d{8}$/;

/**
 * Validates a PIX key (BACEN, Manual de Padrões para Iniciação do Pix; DICT API). The key must match a
 * declared type. Without one the type is inferred, except for eleven bare digits that may be a phone number:
 * these are `ambiguous`.
 */
export function parsePixKey(raw: string, declared?: PixKeyType): PixKeyParseResult {
  const text = raw.trim();
  if (declared === undefined && BARE_ELEVEN_DIGITS.test(text) && !isOnlyCpf(text)) {
    return { kind: "ambiguous" };
  }
  const fullKey = declared === "PHONE" && NATIONAL_PHONE.test(text) ? `+55${text}` : text;
  const info = getPixKeyInfo(fullKey);
  if (info === null) return { kind: "invalid" };
  const type = info.type.toUpperCase() as PixKeyType;
  if (declared !== undefined && declared !== type) return { kind: "invalid" };
  if (type === "PHONE" && !MOBILE.test(info.value)) return { kind: "invalid" };
  return { kind: "valid", key: { type, value: info.value } };
}

/** Whether eleven digits are a CPF, and no mobile number of an area code that there is. */
function isOnlyCpf(digits: string): boolean {
  return isValidCPF(digits) && !isValidMobilePhone(digits);
}

/** The owner's document when the key is a CPF or CNPJ; otherwise `""` until the provider reports it. */
export function ownerDocumentOfPixKey(key: PixKey): string {
  return key.type === "CPF" || key.type === "CNPJ" ? key.value : "";
}
