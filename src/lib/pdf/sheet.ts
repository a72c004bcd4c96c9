import { PDFDocument, rgb, StandardFonts, type PDFFont, type PDFPage } from "@cantoo/pdf-lib";
import { breakLines, fitToWidth, replaceUnprintable } from "./text.ts";

const POINTS_PER_MM = 72 / 25.4;
/** The height of a line, of its font's size. */
const LEADING = 1.35;
/** Points: a text that is too long for its line becomes no smaller. */
const MIN_SIZE = 6;
/** Points. */
const LINE_THICKNESS = 0.6;

/** ISO 216. */
export const A4 = { width: 210, height: 297 };
export const A5 = { width: 148, height: 210 };

const BLACK = rgb(0, 0, 0);
export const GREY = rgb(0.35, 0.35, 0.35);
export const RED = rgb(0.64, 0.09, 0.11);

/**
 * A PDF that is filled from top to bottom. Lengths are in millimetres, from a page's left and upper edge; sizes of
 * fonts are in points. The fonts are those that every reader has; a character that they lack is a question mark.
 */
export interface Sheet {
  document: PDFDocument;
  regular: PDFFont;
  bold: PDFFont;
  format: { width: number; height: number };
  margin: number;
  page: PDFPage;
  /** Where the next thing goes. */
  y: number;
}

type Color = ReturnType<typeof rgb>;

export interface TextStyle {
  size: number;
  isBold?: boolean;
  color?: Color;
  /** By default from the left margin on. */
  x?: number;
  /** By default up to the right margin. */
  width?: number;
}

interface Point {
  x: number;
  y: number;
}

export interface Area extends Point {
  width: number;
  height: number;
}

/** A sheet with one empty page, in Portuguese; of the same content come the same bytes. */
export async function newSheet(
  title: string,
  { format, margin }: Pick<Sheet, "format" | "margin">,
): Promise<Sheet> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setLanguage("pt-BR");
  return {
    document,
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    format,
    margin,
    page: addedPage(document, format),
    y: margin,
  };
}

/** The bytes of the PDF. */
export async function savedSheet({ document }: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await document.save());
}

/** Goes on at the next page unless this one has room for `height`. */
export function needRoom(sheet: Sheet, height: number): void {
  if (sheet.y + height <= sheet.format.height - sheet.margin) return;
  sheet.page = addedPage(sheet.document, sheet.format);
  sheet.y = sheet.margin;
}

/** Draws something on each page that there is, by its number from 1 on and their count. */
export function onEachPage(sheet: Sheet, draw: (number: number, count: number) => void): void {
  const pages = sheet.document.getPages();
  pages.forEach((page, index) => {
    sheet.page = page;
    draw(index + 1, pages.length);
  });
}

/** Texts side by side, each wrapped in its column, on as many lines as the longest needs; goes on below them. */
export function drawColumns(sheet: Sheet, columns: (TextStyle & { text: string })[]): void {
  const wrapped = columns.map((column) => ({ column, lines: linesOf(sheet, column) }));
  const size = Math.max(...columns.map((column) => column.size));
  const height = millimetres(size * LEADING);
  const count = Math.max(...wrapped.map(({ lines }) => lines.length));
  for (let index = 0; index < count; index++) {
    needRoom(sheet, height);
    const baseline = sheet.y + millimetres(size);
    for (const { column, lines } of wrapped) {
      drawText(sheet, lines[index] ?? "", { ...column, baseline });
    }
    sheet.y += height;
  }
}

/** A text on as many lines as it needs; goes on below it. */
export function drawParagraph(sheet: Sheet, text: string, style: TextStyle): void {
  drawColumns(sheet, [{ ...style, text }]);
}

/** A text on one line, which stands on `y`. One that is too long is made smaller, then cut. */
export function drawText(
  sheet: Sheet,
  text: string,
  {
    baseline = sheet.y,
    isRight = false,
    ...style
  }: TextStyle & { baseline?: number; isRight?: boolean },
): void {
  if (text === "") return;
  const { font, x, width } = placed(sheet, style);
  const limits = { maxSize: style.size, minSize: MIN_SIZE };
  const shown = fitToWidth(font, replaceUnprintable(font, text), points(width), limits);
  const slack = isRight ? points(width) - font.widthOfTextAtSize(shown.text, shown.size) : 0;
  sheet.page.drawText(shown.text, {
    x: points(x) + slack,
    y: fromBelow(sheet, baseline),
    font,
    size: shown.size,
    color: style.color ?? BLACK,
  });
}

/** A straight line between two points. */
export function drawLine(
  sheet: Sheet,
  from: Point,
  to: Point,
  { color = BLACK, dashArray }: { color?: Color; dashArray?: number[] } = {},
): void {
  sheet.page.drawLine({
    start: { x: points(from.x), y: fromBelow(sheet, from.y) },
    end: { x: points(to.x), y: fromBelow(sheet, to.y) },
    thickness: LINE_THICKNESS,
    color,
    ...(dashArray === undefined ? {} : { dashArray }),
  });
}

/** The border of an area. */
export function drawFrame(sheet: Sheet, { x, y, width, height }: Area): void {
  sheet.page.drawRectangle({
    x: points(x),
    y: fromBelow(sheet, y + height),
    width: points(width),
    height: points(height),
    borderColor: GREY,
    borderWidth: LINE_THICKNESS,
  });
}

/** A black SVG path from `x` and `y` on, its unit so many millimetres. */
export function drawPath(sheet: Sheet, path: string, { x, y }: Point, unit: number): void {
  sheet.page.drawSvgPath(path, {
    x: points(x),
    y: fromBelow(sheet, y),
    scale: points(unit),
    color: BLACK,
    borderWidth: 0,
  });
}

function addedPage(document: PDFDocument, { width, height }: Sheet["format"]): PDFPage {
  return document.addPage([points(width), points(height)]);
}

function linesOf(sheet: Sheet, { text, ...style }: TextStyle & { text: string }): string[] {
  const { font, width } = placed(sheet, style);
  return text
    .split("\n")
    .flatMap((line) => breakLines(font, replaceUnprintable(font, line), points(width), style.size));
}

/** A text's font, and where its line begins and ends. */
function placed(sheet: Sheet, { isBold = false, x = sheet.margin, width }: TextStyle) {
  return {
    font: isBold ? sheet.bold : sheet.regular,
    x,
    width: width ?? sheet.format.width - sheet.margin - x,
  };
}

/** As a PDF measures: points from the lower edge. */
function fromBelow({ format }: Sheet, y: number): number {
  return points(format.height - y);
}

function points(mm: number): number {
  return mm * POINTS_PER_MM;
}

function millimetres(pt: number): number {
  return pt / POINTS_PER_MM;
}
