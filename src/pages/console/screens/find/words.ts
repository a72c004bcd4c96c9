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

/** Whether the text is a valid CPF or CNPJ. */
export function isDocument(text: string): boolean {
  return parseDocument(text) !== null;
}

/** Whether the text has the length and form of a CPF or CNPJ, but other check digits. */
export function isMistypedDocument(text: string): boolean {
  return /^(?:\d{11}|\d{14})$/.test(text.replaceAll(/[.\-/\s]/g, "")) && !isDocument(text);
}

/** A text without case and accents, to compare names with. */
export function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}
