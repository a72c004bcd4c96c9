import { PDFDocument, rgb, StandardFonts, type PDFFont, type PDFPage } from "@cantoo/pdf-lib";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import { breakLines, replaceUnprintable } from "../../../lib/pdf-text.ts";
import type { Signed } from "../../../webhooks/signing/signed-document.ts";
import type { DossierDocument } from "./document.ts";
import { dossierSections, type Entry, type Section } from "./sections.ts";

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = 48;
const BOTTOM = 64;
const LABEL_WIDTH = 118;
const TEXT_WIDTH = PAGE.width - 2 * MARGIN - LABEL_WIDTH;
const TITLE_PT = 16;
const HEADING_PT = 11;
const TEXT_PT = 8.5;
const FOOTER_PT = 7;
const LINE = 11.5;
const BLACK = rgb(0, 0, 0);
const GREY = rgb(0.38, 0.38, 0.38);
const RULE = rgb(0.75, 0.75, 0.75);
/** A word that fills a line, broken before it is measured: measuring takes time by its length. */
const LONG_WORD = /\S{90}/gu;
/** Hex digits of the JSON's hash in the footer: enough to compare by eye. */
const HASH_SHOWN = 16;
const TITLE = "Dossiê da contestação";

interface Sheet {
  document: PDFDocument;
  regular: PDFFont;
  bold: PDFFont;
  page: PDFPage;
  /** Points from the lower edge. */
  y: number;
}

/**
 * The dossier as a PDF of A4 pages, with the signed JSON attached, whose hash and key each page names. The
 * fonts are those that every reader has; a character that they lack is a question mark.
 */
export async function dossierPdf(
  dossier: Signed<DossierDocument>,
): Promise<Uint8Array<ArrayBuffer>> {
  const json = canonicalJson(dossier);
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(`${TITLE} ${dossier.dispute.id}`);
  document.setLanguage("pt-BR");
  await document.attach(new TextEncoder().encode(json), "dossie.json", {
    mimeType: "application/json",
    description: "O dossiê assinado (Ed25519)",
    creationDate: new Date(dossier.createdAt),
    modificationDate: new Date(dossier.createdAt),
  });
  const sheet: Sheet = {
    document,
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    page: document.addPage([PAGE.width, PAGE.height]),
    y: PAGE.height - MARGIN - TITLE_PT,
  };
  drawText(sheet, TITLE, MARGIN, { font: sheet.bold, size: TITLE_PT });
  for (const section of dossierSections(dossier)) drawSection(sheet, section);
  const hash = (await sha256Hex(json)).slice(0, HASH_SHOWN);
  drawFooters(sheet, `Chave ${dossier.signature.keyId}  |  SHA-256 do JSON ${hash}`);
  return new Uint8Array(await document.save());
}

function drawSection(sheet: Sheet, { title, entries }: Section): void {
  // A heading never stands alone at the end of a page.
  if (sheet.y < BOTTOM + 5 * LINE) addPage(sheet);
  sheet.y -= 2.2 * LINE;
  drawText(sheet, title, MARGIN, { font: sheet.bold, size: HEADING_PT });
  sheet.y -= 0.4 * LINE;
  sheet.page.drawLine({
    start: { x: MARGIN, y: sheet.y },
    end: { x: PAGE.width - MARGIN, y: sheet.y },
    thickness: 0.6,
    color: RULE,
  });
  for (const entry of entries) drawEntry(sheet, entry);
}

function drawEntry(sheet: Sheet, { label, text }: Entry): void {
  const labels = linesOf(sheet.regular, label, LABEL_WIDTH - 8);
  const texts = text.split("\n").flatMap((line) => linesOf(sheet.regular, line, TEXT_WIDTH));
  for (let line = 0; line < Math.max(labels.length, texts.length); line++) {
    if (sheet.y - LINE < BOTTOM) addPage(sheet);
    sheet.y -= LINE;
    drawText(sheet, labels[line] ?? "", MARGIN, { color: GREY });
    drawText(sheet, texts[line] ?? "", MARGIN + LABEL_WIDTH);
  }
}

function linesOf(font: PDFFont, text: string, width: number): string[] {
  const words = replaceUnprintable(font, text).replaceAll(LONG_WORD, "$& ");
  return breakLines(font, words, width, TEXT_PT);
}

function drawFooters({ document, regular }: Sheet, text: string): void {
  const pages = document.getPages();
  pages.forEach((page, index) => {
    const number = `Página ${index + 1} de ${pages.length}`;
    const width = regular.widthOfTextAtSize(number, FOOTER_PT);
    const style = { y: MARGIN - FOOTER_PT, font: regular, size: FOOTER_PT, color: GREY };
    page.drawText(text, { ...style, x: MARGIN });
    page.drawText(number, { ...style, x: PAGE.width - MARGIN - width });
  });
}

function addPage(sheet: Sheet): void {
  sheet.page = sheet.document.addPage([PAGE.width, PAGE.height]);
  sheet.y = PAGE.height - MARGIN;
}

function drawText(
  { page, y, regular }: Sheet,
  text: string,
  x: number,
  style: { font?: PDFFont; size?: number; color?: ReturnType<typeof rgb> } = {},
): void {
  if (text === "") return;
  const { font = regular, size = TEXT_PT, color = BLACK } = style;
  page.drawText(replaceUnprintable(font, text), { x, y, font, size, color });
}
