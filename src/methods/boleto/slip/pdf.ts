import { svgPath } from "../../../lib/symbols/bars.ts";
import { QR_QUIET_ZONE, qrSymbol } from "../../../lib/symbols/qr.ts";
import {
  A4,
  drawFrame,
  drawLine,
  drawParagraph,
  drawPath,
  drawText,
  GREY,
  newSheet,
  RED,
  savedSheet,
  type Area,
  type Sheet,
} from "../../../lib/pdf/sheet.ts";
import { BARCODE_MM, barcodeSymbol, QUIET_ZONE_MM } from "./barcode-symbol.ts";
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

/** Lengths are in millimetres. */
const MARGIN = 15;
const WIDTH = A4.width - 2 * MARGIN;
const ROW_HEIGHT = 8.5;
const PADDING = 1.2;
/** From a cell's upper edge to the line on which its label stands. */
const LABEL_BASELINE = 2.6;
const QR_SIZE = 40;
/** Sizes of fonts are in points. */
const LABEL = { size: 6, color: GREY };
const SMALL = { size: 8 };
const VALUE = { size: 9 };
const HEADING = { size: 9, isBold: true };
const NOTICE = { size: 9, isBold: true, color: RED };
const LINE = { size: 12, isBold: true };
const BANK = { size: 14, isBold: true };
const STAMP = { size: 14, isBold: true, color: RED };

/** The slip as a PDF of one A4 page, the same bytes for the same slip. */
export async function slipPdf(slip: BoletoSlip): Promise<Uint8Array<ArrayBuffer>> {
  const title = `Boleto - ${slip.beneficiary.name}`;
  const sheet = await newSheet(title, { format: A4, margin: MARGIN });
  if (slip.isTest) {
    drawParagraph(sheet, TEST_NOTICE, NOTICE);
    sheet.y += 2;
  }
  drawReceipt(sheet, slip);
  drawCutLine(sheet);
  drawForm(sheet, slip);
  return savedSheet(sheet);
}

function drawReceipt(sheet: Sheet, slip: BoletoSlip): void {
  sheet.y += 4;
  drawText(sheet, RECEIPT_TITLE, HEADING);
  if (slip.stamp !== null) drawText(sheet, slip.stamp, { ...STAMP, x: MARGIN + 50 });
  sheet.y += 2;
  for (const row of receiptRows(slip)) drawRow(sheet, row);
  const qrcode = slip.payment?.qrcode ?? null;
  if (qrcode !== null) drawPix(sheet, qrcode);
}

function drawPix(sheet: Sheet, qrcode: string): void {
  const symbol = qrSymbol(qrcode);
  const module = QR_SIZE / (symbol.width + 2 * QR_QUIET_ZONE);
  const quiet = QR_QUIET_ZONE * module;
  const top = sheet.y + 2;
  drawPath(sheet, svgPath(symbol), { x: MARGIN + quiet, y: top + quiet }, module);
  const x = MARGIN + QR_SIZE + 3;
  sheet.y = top + 8;
  drawText(sheet, PIX_TITLE, { ...HEADING, x });
  sheet.y += 2;
  drawParagraph(sheet, "Pix copia e cola:", { ...SMALL, x });
  drawParagraph(sheet, qrcode, { ...SMALL, x });
  sheet.y = Math.max(sheet.y, top + QR_SIZE);
}

function drawCutLine(sheet: Sheet): void {
  const y = sheet.y + 6;
  drawLine(sheet, { x: MARGIN, y }, { x: MARGIN + WIDTH, y }, { dashArray: [3, 3] });
  sheet.y = y + 8;
}

function drawForm(sheet: Sheet, slip: BoletoSlip): void {
  const { payment, stamp } = slip;
  const x = MARGIN + 20;
  drawText(sheet, slip.bank, BANK);
  drawLine(sheet, { x, y: sheet.y - 5 }, { x, y: sheet.y + 1 });
  if (stamp !== null) drawText(sheet, stamp, { ...STAMP, x: x + 4 });
  if (payment !== null) drawText(sheet, payment.formattedLine, { ...LINE, x: x + 4 });
  sheet.y += 2;
  for (const row of formRows(slip)) drawRow(sheet, row);
  drawTerms(sheet, slip);
  drawBox(sheet, "Pagador", payerLines(slip), { width: WIDTH, minHeight: 0 });
  if (payment === null) {
    sheet.y += 5;
    drawParagraph(sheet, closedNotice(stamp ?? ""), NOTICE);
    sheet.y += 2;
  } else {
    drawBarcode(sheet, payment.barcode);
  }
  sheet.y += 3;
  drawText(sheet, `Autenticação mecânica - ${FORM_TITLE}`, { ...LABEL, isRight: true });
}

/** Terms and instructions at the left, the amounts one below the other at the right. */
function drawTerms(sheet: Sheet, slip: BoletoSlip): void {
  const cells = amountCells(slip);
  const top = sheet.y;
  const amountsWidth = widthOfShare(AMOUNTS_SHARE);
  const width = WIDTH - amountsWidth;
  const minHeight = cells.length * ROW_HEIGHT;
  drawBox(sheet, TERMS_LABEL, [...slip.terms, slip.instructions], { width, minHeight });
  const height = (sheet.y - top) / cells.length;
  cells.forEach((cell, index) => {
    const y = top + index * height;
    drawCell(sheet, cell, { x: MARGIN + width, y, width: amountsWidth, height });
  });
}

/** A box with a label and as many lines as its texts need. */
function drawBox(
  sheet: Sheet,
  label: string,
  texts: string[],
  { width, minHeight }: { width: number; minHeight: number },
): void {
  const y = sheet.y;
  const inside = { x: MARGIN + PADDING, width: width - 2 * PADDING };
  drawText(sheet, label, { ...LABEL, ...inside, baseline: y + LABEL_BASELINE });
  sheet.y += LABEL_BASELINE + PADDING;
  for (const text of texts) drawParagraph(sheet, text, { ...SMALL, ...inside });
  const height = Math.max(minHeight, sheet.y - y + PADDING);
  drawFrame(sheet, { x: MARGIN, y, width, height });
  sheet.y = y + height;
}

function drawBarcode(sheet: Sheet, barcode: string): void {
  const symbol = barcodeSymbol(barcode);
  const module = BARCODE_MM.width / symbol.width;
  const bars = symbol.bars.map((bar) => ({ ...bar, height: BARCODE_MM.height / module }));
  const y = sheet.y + 4;
  drawPath(sheet, svgPath({ ...symbol, bars }), { x: MARGIN + QUIET_ZONE_MM, y }, module);
  sheet.y = y + BARCODE_MM.height;
}

function drawRow(sheet: Sheet, cells: Cell[]): void {
  let x = MARGIN;
  for (const cell of cells) {
    const width = widthOfShare(cell.share);
    drawCell(sheet, cell, { x, y: sheet.y, width, height: ROW_HEIGHT });
    x += width;
  }
  sheet.y += ROW_HEIGHT;
}

function drawCell(sheet: Sheet, { label, value, strong = false }: Cell, area: Area): void {
  drawFrame(sheet, area);
  const inside = { x: area.x + PADDING, width: area.width - 2 * PADDING };
  drawText(sheet, label, { ...LABEL, ...inside, baseline: area.y + LABEL_BASELINE });
  drawText(sheet, value, {
    ...(strong ? HEADING : VALUE),
    ...inside,
    baseline: area.y + area.height - 1.8,
    isRight: strong,
  });
}

function widthOfShare(share: number): number {
  return WIDTH * (share / ROW_SHARES);
}
