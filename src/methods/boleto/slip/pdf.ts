import { PDFDocument, rgb, StandardFonts, type PDFFont, type PDFPage } from "@cantoo/pdf-lib";
import {
  breakLines,
  fittingSize,
  replaceUnprintable,
  truncateToWidth,
} from "../../../lib/pdf-text.ts";
import {
  amountCells,
  AMOUNTS_SHARE,
  closedNotice,
  FORM_TITLE,
  formRows,
  payerLines,
  PIX_TITLE,
  RECEIPT_TITLE,
  receiptRows,
  ROW_SHARES,
  TERMS_LABEL,
  TEST_NOTICE,
  type Cell,
} from "./rows.ts";
import type { BoletoSlip } from "./slip.ts";
import { svgPath } from "../../../lib/symbols/bars.ts";
import { QR_QUIET_ZONE, qrSymbol } from "../../../lib/symbols/qr.ts";
import { BARCODE_MM, barcodeSymbol, QUIET_ZONE_MM } from "./barcode-symbol.ts";

const POINTS_PER_MM = 72 / 25.4;
/** A4. */
const PAGE_MM = { width: 210, height: 297 };
const MARGIN_MM = 15;
const WIDTH_MM = PAGE_MM.width - 2 * MARGIN_MM;
const ROW_MM = 8.5;
const PADDING_MM = 1.2;
const LINE_MM = 3.5;
const QR_MM = 40;
const LABEL_PT = 6;
const VALUE_PT = 9;
const SMALL_PT = 8;
const MIN_VALUE_PT = 6;
const TITLE_PT = 14;
const BLACK = rgb(0, 0, 0);
const GREY = rgb(0.35, 0.35, 0.35);
const RED = rgb(0.64, 0.09, 0.11);

/** Where the next thing goes: millimetres from the page's upper left corner. */
interface Sheet {
  page: PDFPage;
  regular: PDFFont;
  bold: PDFFont;
  y: number;
}

interface TextStyle {
  font?: PDFFont;
  size?: number;
  color?: ReturnType<typeof rgb>;
}

/**
 * The slip as a PDF of one A4 page, the same bytes for the same slip. The fonts are those that every
 * reader has, which know the letters of Portuguese; any other character is a question mark.
 */
export async function slipPdf(slip: BoletoSlip): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(`Boleto - ${slip.beneficiary.name}`);
  document.setLanguage("pt-BR");
  const sheet = {
    page: document.addPage([points(PAGE_MM.width), points(PAGE_MM.height)]),
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    y: MARGIN_MM,
  };
  if (slip.isTest) writeLine(sheet, TEST_NOTICE, { font: sheet.bold, color: RED });
  drawReceipt(sheet, slip);
  drawCutLine(sheet);
  drawForm(sheet, slip);
  return new Uint8Array(await document.save());
}

function drawReceipt(sheet: Sheet, slip: BoletoSlip): void {
  sheet.y += 4;
  text(sheet, RECEIPT_TITLE, MARGIN_MM, sheet.y, { font: sheet.bold, size: VALUE_PT });
  if (slip.stamp !== null) drawStamp(sheet, slip.stamp, 50);
  sheet.y += 2;
  for (const row of receiptRows(slip)) drawRow(sheet, row);
  const qrcode = slip.payment?.qrcode ?? null;
  if (qrcode !== null) drawPix(sheet, qrcode);
}

function drawPix(sheet: Sheet, qrcode: string): void {
  const symbol = qrSymbol(qrcode);
  const module = QR_MM / (symbol.width + 2 * QR_QUIET_ZONE);
  const top = sheet.y + 2;
  sheet.page.drawSvgPath(svgPath(symbol), {
    x: points(MARGIN_MM + QR_QUIET_ZONE * module),
    y: points(PAGE_MM.height - top - QR_QUIET_ZONE * module),
    scale: points(module),
    color: BLACK,
    borderWidth: 0,
  });
  const left = MARGIN_MM + QR_MM + 3;
  sheet.y = top + 8;
  text(sheet, PIX_TITLE, left, sheet.y, { font: sheet.bold });
  sheet.y += 5;
  paragraph(sheet, "PIX copia e cola:", left, WIDTH_MM - QR_MM - 3);
  paragraph(sheet, qrcode, left, WIDTH_MM - QR_MM - 3);
  sheet.y = Math.max(sheet.y, top + QR_MM);
}

function drawCutLine(sheet: Sheet): void {
  sheet.y += 6;
  line(sheet, MARGIN_MM, sheet.y, MARGIN_MM + WIDTH_MM, sheet.y, [3, 3]);
  sheet.y += 8;
}

function drawForm(sheet: Sheet, slip: BoletoSlip): void {
  const { payment, stamp } = slip;
  text(sheet, slip.bank, MARGIN_MM, sheet.y, { font: sheet.bold, size: TITLE_PT });
  line(sheet, MARGIN_MM + 20, sheet.y - 5, MARGIN_MM + 20, sheet.y + 1);
  if (stamp !== null) drawStamp(sheet, stamp, 24);
  if (payment !== null) {
    text(sheet, payment.formattedLine, MARGIN_MM + 24, sheet.y, { font: sheet.bold, size: 12 });
  }
  sheet.y += 2;
  for (const row of formRows(slip)) drawRow(sheet, row);
  drawTerms(sheet, slip);
  drawBox(sheet, "Pagador", payerLines(slip), WIDTH_MM, 0);
  if (payment === null) {
    sheet.y += 8;
    writeLine(sheet, closedNotice(stamp ?? ""), { font: sheet.bold, color: RED });
  } else {
    drawBarcode(sheet, payment.barcode);
  }
  const title = `Autenticação mecânica - ${FORM_TITLE}`;
  const width = millimetres(sheet.regular.widthOfTextAtSize(title, LABEL_PT));
  text(sheet, title, MARGIN_MM + WIDTH_MM - width, sheet.y + 3, { size: LABEL_PT, color: GREY });
}

function drawStamp(sheet: Sheet, stamp: string, left: number): void {
  text(sheet, stamp, MARGIN_MM + left, sheet.y, { font: sheet.bold, size: TITLE_PT, color: RED });
}

/** Terms and instructions at the left, the amounts one below the other at the right. */
function drawTerms(sheet: Sheet, slip: BoletoSlip): void {
  const cells = amountCells(slip);
  const top = sheet.y;
  const amountsWidth = WIDTH_MM * (AMOUNTS_SHARE / ROW_SHARES);
  const width = WIDTH_MM - amountsWidth;
  drawBox(sheet, TERMS_LABEL, [...slip.terms, slip.instructions], width, cells.length * ROW_MM);
  const height = (sheet.y - top) / cells.length;
  cells.forEach((cell, index) => {
    drawCell(sheet, cell, {
      x: MARGIN_MM + width,
      y: top + index * height,
      width: amountsWidth,
      height,
    });
  });
}

/** A box with a label and as many lines as its texts need. */
function drawBox(
  sheet: Sheet,
  label: string,
  texts: string[],
  width: number,
  minHeight: number,
): void {
  const top = sheet.y;
  sheet.y += LINE_MM * 2;
  text(sheet, label, MARGIN_MM + PADDING_MM, top + 2.6, { size: LABEL_PT, color: GREY });
  for (const one of texts) paragraph(sheet, one, MARGIN_MM + PADDING_MM, width - 2 * PADDING_MM);
  const height = Math.max(minHeight, sheet.y - top - 1);
  frame(sheet, { x: MARGIN_MM, y: top, width, height });
  sheet.y = top + height;
}

function drawBarcode(sheet: Sheet, barcode: string): void {
  const { bars, width } = barcodeSymbol(barcode);
  const module = BARCODE_MM.width / width;
  sheet.y += 4 + BARCODE_MM.height;
  for (const bar of bars) {
    sheet.page.drawRectangle({
      x: points(MARGIN_MM + QUIET_ZONE_MM + bar.x * module),
      y: points(PAGE_MM.height - sheet.y),
      width: points(bar.width * module),
      height: points(BARCODE_MM.height),
      color: BLACK,
    });
  }
}

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

function drawRow(sheet: Sheet, cells: Cell[]): void {
  let x = MARGIN_MM;
  for (const cell of cells) {
    const width = WIDTH_MM * (cell.share / ROW_SHARES);
    drawCell(sheet, cell, { x, y: sheet.y, width, height: ROW_MM });
    x += width;
  }
  sheet.y += ROW_MM;
}

function drawCell(sheet: Sheet, { label, value, strong }: Cell, area: Area): void {
  frame(sheet, area);
  text(sheet, label, area.x + PADDING_MM, area.y + 2.6, { size: LABEL_PT, color: GREY });
  const font = strong === true ? sheet.bold : sheet.regular;
  const room = points(area.width - 2 * PADDING_MM);
  const known = replaceUnprintable(font, value);
  const size = fittingSize(font, known, room, VALUE_PT, MIN_VALUE_PT);
  const shown = truncateToWidth(font, known, room, size);
  const slack = strong === true ? room - font.widthOfTextAtSize(shown, size) : 0;
  const x = area.x + PADDING_MM + millimetres(slack);
  text(sheet, shown, x, area.y + area.height - 1.8, { font, size });
}

function frame({ page }: Sheet, { x, y, width, height }: Area): void {
  page.drawRectangle({
    x: points(x),
    y: points(PAGE_MM.height - y - height),
    width: points(width),
    height: points(height),
    borderColor: GREY,
    borderWidth: 0.5,
  });
}

function line(
  { page }: Sheet,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  dashArray?: number[],
): void {
  page.drawLine({
    start: { x: points(x1), y: points(PAGE_MM.height - y1) },
    end: { x: points(x2), y: points(PAGE_MM.height - y2) },
    thickness: 0.7,
    color: BLACK,
    ...(dashArray === undefined ? {} : { dashArray }),
  });
}

/** A line of its own at the left margin. */
function writeLine(sheet: Sheet, words: string, style: TextStyle): void {
  text(sheet, words, MARGIN_MM, sheet.y, style);
  sheet.y += LINE_MM;
}

/** Lines of small text from where the sheet is, which moves below them. */
function paragraph(sheet: Sheet, words: string, x: number, width: number): void {
  const known = replaceUnprintable(sheet.regular, words);
  for (const one of breakLines(sheet.regular, known, points(width), SMALL_PT)) {
    text(sheet, one, x, sheet.y, { size: SMALL_PT });
    sheet.y += LINE_MM;
  }
}

function text(sheet: Sheet, words: string, x: number, y: number, style: TextStyle = {}): void {
  const { font = sheet.regular, size = VALUE_PT, color = BLACK } = style;
  sheet.page.drawText(replaceUnprintable(font, words), {
    x: points(x),
    y: points(PAGE_MM.height - y),
    font,
    size,
    color,
  });
}

function points(mm: number): number {
  return mm * POINTS_PER_MM;
}

function millimetres(pt: number): number {
  return pt / POINTS_PER_MM;
}
