import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils";

/** The key kinds of BACEN's DICT, in the contract's words. */
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
/** DDD and number, with or without the country code, as people type it. */
const NATIONAL_PHONE = /^\d{10,11}$/;
/** A mobile number of the Brazilian plan of numbers: nine digits after the area code, beginning with 9. */
const MOBILE = /^\+55\d{2}9\d{8}$/;

/**
 * Validates a PIX key (BACEN, Manual de Padrões para Iniciação do Pix; DICT API). A declared type
 * must hold. Without one the type is inferred, except from eleven bare digits, which are a CPF or a
 * phone and are never guessed.
 */
export function parsePixKey(raw: string, declared?: PixKeyType): PixKeyParseResult {
  const text = raw.trim();
  if (declared === undefined && BARE_ELEVEN_DIGITS.test(text)) return { kind: "ambiguous" };
  const written = declared === "PHONE" && NATIONAL_PHONE.test(text) ? `+55${text}` : text;
  const info = getPixKeyInfo(written);
  if (info === null) return { kind: "invalid" };
  const type = info.type.toUpperCase() as PixKeyType;
  if (declared !== undefined && declared !== type) return { kind: "invalid" };
  if (type === "PHONE" && !MOBILE.test(info.value)) return { kind: "invalid" };
  return { kind: "valid", key: { type, value: info.value } };
}

/** The document of the key's owner where the key itself is one, else `""` until the provider says. */
export function ownerDocumentOfPixKey(key: PixKey): string {
  return key.type === "CPF" || key.type === "CNPJ" ? key.value : "";
}
