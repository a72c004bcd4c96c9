import { parseDocument } from "../../../../domain/shared/document.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** BACEN's id of a PIX: `E`, the payer's ISPB, a time and 11 characters; of a refund `D`. */
const END_TO_END_ID = /^[ED]\d{8}[A-Za-z0-9]{20,23}$/;
const WITHDRAW_NUMBER = /^#?(\d{1,9})$/;

/** A transaction's id, if the text is one. */
export function uuidIn(text: string): string | null {
  return UUID.test(text) ? text.toLowerCase() : null;
}

/** The end-to-end id of a PIX, if the text is one. */
export function endToEndIdIn(text: string): string | null {
  return END_TO_END_ID.test(text) ? text : null;
}

/** A withdraw's number, if the text is one. */
export function withdrawNumberIn(text: string): number | null {
  const [, digits] = WITHDRAW_NUMBER.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** A CPF or CNPJ as people write it among words. */
const WRITTEN_DOCUMENT =
  /(?<![\w-])(?:\d{3}\.?\d{3}\.?\d{3}-?\d{2}|[0-9A-Z]{2}\.?[0-9A-Z]{3}\.?[0-9A-Z]{3}\/?[0-9A-Z]{4}-?\d{2})(?![\w-])/gi;

/** The valid CPF or CNPJ that the text is or has among its words; null without one. */
export function documentIn(text: string): string | null {
  const candidates = [text, ...(text.match(WRITTEN_DOCUMENT) ?? [])];
  return candidates.find((each) => parseDocument(each) !== null) ?? null;
}

/** Whether the text has the length and form of a CPF or CNPJ, but other check digits. */
export function isMistypedDocument(text: string): boolean {
  return /^(?:\d{11}|\d{14})$/.test(text.replaceAll(/[.\-/\s]/g, "")) && documentIn(text) === null;
}

/** Whether the text reads as a value in reais: `309,53`, `R$ 1.234,56`, `50`. */
export function amountIn(text: string): boolean {
  return /^(?:R\$\s*)?(?:\d{1,9}|\d{1,3}(?:\.\d{3})+)(?:,\d{1,2})?$/i.test(text);
}

/** Whether the text may be a part of a name: it has two letters in a row. */
export function hasLetters(text: string): boolean {
  return /\p{L}{2}/u.test(text);
}
