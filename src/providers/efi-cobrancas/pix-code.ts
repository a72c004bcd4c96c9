import { parseBrCode } from "../../methods/pix/br-code-parser.ts";

/** The last part of a dynamic code's location, by which Efí names the Pix; null where it has none. */
export function txidOfCode(qrcode: string): string | null {
  const code = parseBrCode(qrcode);
  const location = code.valid ? (code.content.location ?? "") : "";
  return /\/([a-zA-Z0-9]{1,64})$/.exec(location)?.[1] ?? null;
}
