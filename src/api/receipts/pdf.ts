import { PDFDocument, rgb, StandardFonts, type PDFFont, type PDFPage } from "@cantoo/pdf-lib";
import { breakLines, fittingSize, replaceUnprintable } from "../../lib/pdf-text.ts";
import { methodOf } from "../../methods/registry.ts";
import type { Receipt } from "./views.ts";
import { centsToReais } from "../../domain/shared/money.ts";

/** A5 in points (1/72 inch), so that it reads well on a phone. */
const PAGE = { width: 420, height: 595 };
const MARGIN = 36;
const WIDTH = PAGE.width - 2 * MARGIN;
const LABEL_PT = 8;
const VALUE_PT = 11;
const AMOUNT_PT = 24;
const MIN_PT = 6;
const LINE = 15;
const GREY = rgb(0.35, 0.35, 0.35);
const BLACK = rgb(0, 0, 0);
const RED = rgb(0.64, 0.09, 0.11);

const TIME = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "America/Sao_Paulo",
});
const MONEY = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });

type Row = [label: string, value: string];

/** How the receipt is drawn. `isTest`: of a sandbox company, whose money is not real. */
interface Drawing {
  isTest: boolean;
  verifyUrl: string;
  nowMs: number;
}

/** Draws a receipt on one page, in Portuguese, the times of America/Sao_Paulo. */
export async function drawReceipt(
  receipt: Receipt,
  { isTest, verifyUrl, nowMs }: Drawing,
): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(titleOf(receipt));
  document.setLanguage("pt-BR");
  const sheet = new Sheet(
    document.addPage([PAGE.width, PAGE.height]),
    await document.embedFont(StandardFonts.Helvetica),
    await document.embedFont(StandardFonts.HelveticaBold),
  );
  if (isTest) sheet.line("TESTE - sem valor", { bold: true, color: RED });
  sheet.line(receipt.company.name, { color: GREY });
  sheet.line(titleOf(receipt), { bold: true, size: 15 });
  sheet.gap(16);
  const paid = receipt.type === "payment" ? receipt.paidAmount : receipt.amount;
  sheet.line(reais(paid), { bold: true, size: AMOUNT_PT });
  sheet.gap(10);
  for (const [label, value] of rowsOf(receipt)) sheet.row(label, value);
  sheet.gap(8);
  sheet.paragraph(
    `Emitido em ${TIME.format(nowMs)} (horário de Brasília). Este arquivo é assinado: envie-o sem ` +
      `alterações a ${verifyUrl} para conferir se é verdadeiro.`,
  );
  return new Uint8Array(await document.save());
}

function titleOf({ type }: Receipt): string {
  return type === "payment" ? "Comprovante de pagamento" : "Comprovante de transferência PIX";
}

function rowsOf(receipt: Receipt): Row[] {
  const rows: [string, string | null][] =
    receipt.type === "payment"
      ? [
          ["Pago em", TIME.format(Date.parse(receipt.paidAt))],
          ["Forma de pagamento", methodOf(receipt.paymentMethod).label],
          ["Recebedor", receipt.company.name],
          ["Pagador", receipt.payer.name],
          ["CPF/CNPJ do pagador", receipt.payer.documentMasked],
          ["Instituição do pagador (ISPB)", receipt.payer.ispb],
          ["Devolvido", receipt.refundedAmount === 0 ? null : reais(receipt.refundedAmount)],
          ["ID da transação PIX (E2E)", receipt.endToEndId],
          ["Transação", receipt.transactionId],
        ]
      : [
          ["Pago em", TIME.format(Date.parse(receipt.paidAt))],
          ["Pagador", receipt.company.name],
          ["Chave PIX do recebedor", receipt.pixKeyMasked],
          ["CPF/CNPJ do recebedor", receipt.creditorDocumentMasked],
          ["Descrição", receipt.description],
          ["Tarifa", receipt.fee === 0 ? null : reais(receipt.fee)],
          ["Devolvido", receipt.returnedAmount === 0 ? null : reais(receipt.returnedAmount)],
          ["ID da transação PIX (E2E)", receipt.endToEndId],
          ["Saque", String(receipt.withdrawId)],
        ];
  return rows.filter((row): row is Row => row[1] !== null && row[1] !== "");
}

/** Centavos as `R$ 1.234,56`, with a plain space: the fonts have no narrow one. */
function reais(cents: number): string {
  return MONEY.format(centsToReais(cents)).replaceAll(/\s/g, " ");
}

interface TextStyle {
  bold?: boolean;
  size?: number;
  color?: ReturnType<typeof rgb>;
}

/** One page, filled from top to bottom. */
class Sheet {
  readonly #page: PDFPage;
  readonly #regular: PDFFont;
  readonly #bold: PDFFont;
  #y = PAGE.height - MARGIN;

  constructor(page: PDFPage, regular: PDFFont, bold: PDFFont) {
    this.#page = page;
    this.#regular = regular;
    this.#bold = bold;
  }

  gap(points: number): void {
    this.#y -= points;
  }

  /** One line, made smaller where it is too long. */
  line(text: string, { bold = false, size = VALUE_PT, color = BLACK }: TextStyle = {}): void {
    const font = bold ? this.#bold : this.#regular;
    const shown = replaceUnprintable(font, text);
    const fitting = fittingSize(font, shown, WIDTH, size, MIN_PT);
    this.#y -= size + 4;
    this.#page.drawText(shown, { x: MARGIN, y: this.#y, size: fitting, font, color });
  }

  row(label: string, value: string): void {
    this.#y -= LABEL_PT + 4;
    this.#text(label, this.#y, LABEL_PT, GREY);
    for (const line of this.#linesOf(value, VALUE_PT)) {
      this.#y -= LINE;
      this.#text(line, this.#y, VALUE_PT, BLACK);
    }
    this.gap(3);
  }

  paragraph(text: string): void {
    for (const line of this.#linesOf(text, LABEL_PT)) {
      this.#y -= LABEL_PT + 3;
      this.#text(line, this.#y, LABEL_PT, GREY);
    }
  }

  #linesOf(text: string, size: number): string[] {
    return breakLines(this.#regular, replaceUnprintable(this.#regular, text), WIDTH, size);
  }

  #text(text: string, y: number, size: number, color: ReturnType<typeof rgb>): void {
    this.#page.drawText(text, { x: MARGIN, y, size, font: this.#regular, color });
  }
}
