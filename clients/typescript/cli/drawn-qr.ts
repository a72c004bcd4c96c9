import { renderUnicodeCompact } from "uqr";

/** Modules around the code; half of the standard's, which a screen's own border makes up for. */
const BORDER = 2;
const WHITE_ON_BLACK = "\u001B[97;40m";
const RESET = "\u001B[0m";

/** A QR code in half blocks: white is drawn, black is not; on a terminal whatever its colours are. */
export function drawnQr(text: string, isTerminal: boolean): string {
  const drawn = renderUnicodeCompact(text, { border: BORDER });
  if (!isTerminal) return drawn;
  return drawn
    .split("\n")
    .map((line) => `${WHITE_ON_BLACK}${line}${RESET}`)
    .join("\n");
}
