import type { EvidenceFile } from "../../../domain/disputes/evidence-file.ts";
import { canonicalJson, sha256Hex } from "../../../lib/hash.ts";
import {
  A4,
  drawColumns,
  drawLine,
  drawParagraph,
  drawText,
  GREY,
  needRoom,
  newSheet,
  onEachPage,
  savedSheet,
  type Sheet,
} from "../../../lib/pdf/sheet.ts";
import type { Signed } from "../../../webhooks/signing/signed-document.ts";
import type { DossierDocument } from "./document.ts";
import { dossierSections, type Section } from "./sections.ts";

/** A file of the evidence, with its bytes. */
export interface AttachedFile {
  file: EvidenceFile;
  content: Uint8Array<ArrayBuffer>;
}

/** Lengths are in millimetres. */
const MARGIN = 18;
const LABELS_WIDTH = 41;
/** A heading and some lines: it never stands alone at the end of a page. */
const SECTION_START = 20;
/** Sizes of fonts are in points. */
const TEXT = { size: 8.5, x: MARGIN + LABELS_WIDTH };
const LABEL = { size: 8.5, color: GREY, width: LABELS_WIDTH - 3 };
const HEADING = { size: 11, isBold: true };
const FOOTER = { size: 7, color: GREY, baseline: A4.height - MARGIN / 2 };
/** Hex digits of the JSON's hash in the footer: enough to compare by eye. */
const HASH_SHOWN = 16;
const TITLE = "Dossiê da contestação";

/**
 * The dossier as a PDF of A4 pages, with the files of its evidence and the signed JSON attached, whose hash and key
 * each page names.
 */
export async function dossierPdf(
  dossier: Signed<DossierDocument>,
  files: AttachedFile[],
): Promise<Uint8Array<ArrayBuffer>> {
  const json = canonicalJson(dossier);
  const title = `${TITLE} ${dossier.dispute.id}`;
  const sheet = await newSheet(title, { format: A4, margin: MARGIN });
  await sheet.document.attach(new TextEncoder().encode(json), "dossie.json", {
    mimeType: "application/json",
    description: "O dossiê assinado (Ed25519)",
    creationDate: new Date(dossier.createdAt),
    modificationDate: new Date(dossier.createdAt),
  });
  for (const [index, { file, content }] of files.entries()) {
    // Names may repeat, and an attachment is found by its name.
    await sheet.document.attach(content, `${index + 1}-${file.name}`, { mimeType: file.type });
  }
  drawParagraph(sheet, TITLE, { size: 16, isBold: true });
  for (const section of dossierSections(dossier)) drawSection(sheet, section);
  const hash = (await sha256Hex(json)).slice(0, HASH_SHOWN);
  onEachPage(sheet, (number, count) => {
    drawText(sheet, `Chave ${dossier.signature.keyId}  |  SHA-256 do JSON ${hash}`, FOOTER);
    drawText(sheet, `Página ${number} de ${count}`, { ...FOOTER, isRight: true });
  });
  return savedSheet(sheet);
}

function drawSection(sheet: Sheet, { title, entries }: Section): void {
  needRoom(sheet, SECTION_START);
  sheet.y += 4;
  drawParagraph(sheet, title, HEADING);
  const { y } = sheet;
  drawLine(sheet, { x: MARGIN, y }, { x: A4.width - MARGIN, y }, { color: GREY });
  sheet.y += 1;
  for (const { label, text } of entries) {
    drawColumns(sheet, [
      { ...LABEL, text: label },
      { ...TEXT, text },
    ]);
  }
}
