import { parseBrCode } from "../../../methods/pix/br-code-parser.ts";

/** Whether a code is that of a payment as well: until the bank has told another one, which approves alone. */
export function asksForMoney(code: string | null): boolean {
  if (code === null) return true;
  const read = parseBrCode(code);
  if (!read.valid) return true;
  return read.content.location !== null && read.content.recurrenceLocation !== null;
}
