/**
 * The access key of a Brazilian fiscal document (DF-e: NF-e, NFC-e, CT-e ...): 44 digits. From 2026 on the
 * issuer's CNPJ (places 7 to 20) may have capital letters, but for its last two digits.
 */
const ACCESS_KEY = /^\d{6}[\dA-Z]{12}\d{26}$/;
/** No state has the code 00, and a key of zeros has the right check digit. */
const NO_STATE = "00";
const ZERO = "0".charCodeAt(0);

export const FISCAL_KEY_RULE = "must be the 44 digits of a DF-e's access key, check digit included";

/** Whether a text is an access key with the right check digit (Manual de Orientação do Contribuinte, NF-e). */
export function isFiscalKey(text: string): boolean {
  if (!ACCESS_KEY.test(text) || text.startsWith(NO_STATE)) return false;
  return Number(text.at(-1)) === checkDigit(text.slice(0, -1));
}

/** Module 11 with the weights 2 to 9 from the right. A letter counts its ASCII code less 48. */
function checkDigit(places: string): number {
  let sum = 0;
  for (let index = 0; index < places.length; index++) {
    const place = places.charCodeAt(places.length - 1 - index) - ZERO;
    sum += place * (2 + (index % 8));
  }
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}
