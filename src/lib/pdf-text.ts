import type { PDFFont } from "@cantoo/pdf-lib";

const UNKNOWN = "?";
const ELLIPSIS = "…";
const WHITE = /\s+/u;
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** By font: asking it anew for each text would take longer than drawing. */
const characterSets = new WeakMap<PDFFont, ReadonlySet<number>>();

/** The text in characters that the font has: composed, on one line, others as question marks. */
export function replaceUnprintable(font: PDFFont, text: string): string {
  const characters = characterSets.get(font) ?? new Set(font.getCharacterSet());
  characterSets.set(font, characters);
  return Array.from(text.normalize("NFC").replaceAll(CONTROLS, " "), (character) =>
    characters.has(character.codePointAt(0) ?? 0) ? character : UNKNOWN,
  ).join("");
}

/** The largest size, from `most` down to `least`, at which the text fits; `least` where none does. */
export function fittingSize(
  font: PDFFont,
  text: string,
  width: number,
  maxSize: number,
  minSize: number,
): number {
  const wanted = font.widthOfTextAtSize(text, maxSize);
  return wanted <= width ? maxSize : Math.max(minSize, (maxSize * width) / wanted);
}

/** The text, or as much of its beginning as fits before an ellipsis. */
export function truncateToWidth(font: PDFFont, text: string, width: number, size: number): string {
  // A size that was made to fit may be out by a rounding.
  const room = width + 0.01;
  if (font.widthOfTextAtSize(text, size) <= room) return text;
  const length = longestPrefix(text, (part) => {
    return font.widthOfTextAtSize(part + ELLIPSIS, size) <= room;
  });
  return text.slice(0, length) + ELLIPSIS;
}

/** The text in lines that fit; a word that is longer than a line is broken. */
export function breakLines(font: PDFFont, text: string, width: number, size: number): string[] {
  const fits = (part: string) => font.widthOfTextAtSize(part, size) <= width;
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(WHITE)) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (fits(longer)) {
      current = longer;
      continue;
    }
    if (current !== "") lines.push(current);
    let rest = word;
    while (!fits(rest)) {
      const length = Math.max(1, longestPrefix(rest, fits));
      lines.push(rest.slice(0, length));
      rest = rest.slice(length);
    }
    current = rest;
  }
  return current === "" ? lines : [...lines, current];
}

/** How many characters of a text that does not fit do. */
function longestPrefix(text: string, fits: (part: string) => boolean): number {
  let [fitting, tooLong] = [0, text.length];
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1;
    if (fits(text.slice(0, middle))) fitting = middle;
    else tooLong = middle;
  }
  return fitting;
}
