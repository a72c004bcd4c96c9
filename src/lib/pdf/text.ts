import type { PDFFont } from "@cantoo/pdf-lib";

const UNKNOWN = "?";
const ELLIPSIS = "…";
const WHITE = /\s+/u;
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Less than the width of any character, of a font's size: what has more characters than fit need not be measured. */
const NARROWEST = 0.1;
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

/**
 * The largest size, from `maxSize` down to `minSize`, at which the text fits the width (all in points), and as much
 * of the text's beginning as fits at it.
 */
export function fitToWidth(
  font: PDFFont,
  text: string,
  width: number,
  { maxSize, minSize }: { maxSize: number; minSize: number },
): { text: string; size: number } {
  const wanted = font.widthOfTextAtSize(text, maxSize);
  if (wanted <= width) return { text, size: maxSize };
  const size = (maxSize * width) / wanted;
  if (size >= minSize) return { text, size };
  const length = longestPrefix(text, fitter(font, width, minSize, ELLIPSIS));
  return { text: text.slice(0, length) + ELLIPSIS, size: minSize };
}

/** The text in lines that fit the width, in points; a word that is longer than a line is broken. */
export function breakLines(font: PDFFont, text: string, width: number, size: number): string[] {
  const fits = fitter(font, width, size);
  const lines: string[] = [];
  let current = "";
  for (const word of text.trim().split(WHITE)) {
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

/** Whether a text fits the width, with `end` behind it. */
function fitter(font: PDFFont, width: number, size: number, end = "") {
  const most = width / (size * NARROWEST);
  return (text: string) => text.length <= most && font.widthOfTextAtSize(text + end, size) <= width;
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
