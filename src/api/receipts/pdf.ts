import { reaisText } from "../../domain/shared/money.ts";
import { A5, drawParagraph, GREY, newSheet, RED, savedSheet } from "../../lib/pdf/sheet.ts";
import { methodOf } from "../../methods/registry.ts";
import type { Receipt } from "./views.ts";

/** Millimetres. */
const MARGIN = 12;
/** Sizes of fonts are in points. */
const SMALL = { size: 8, color: GREY };
const VALUE = { size: 11 };
const COMPANY = { size: 11, color: GREY };
const NOTICE = { size: 11, isBold: true, color: RED };
const TITLE = { size: 15, isBold: true };
const AMOUNT = { size: 24, isBold: true };

const TIME = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "America/Sao_Paulo",
});

type Row = [label: string, value: string];

/** How the receipt is drawn. `isTest`: of a sandbox company, whose money is not real. */
interface Drawing {
  /** The company's name as payers know it. */
  name: string;
  isTest: boolean;
  verifyUrl: string;
  nowMs: number;
}

/** Draws a receipt on one page, in Portuguese, the times of America/Sao_Paulo. */
export async function drawReceipt(
  receipt: Receipt,
  { name, isTest, verifyUrl, nowMs }: Drawing,
): Promise<Uint8Array<ArrayBuffer>> {
  const title = titleOf(receipt);
  const sheet = await newSheet(title, { format: A5, margin: MARGIN });
  if (isTest) drawParagraph(sheet, "TESTE - sem valor", NOTICE);
  drawParagraph(sheet, name, COMPANY);
  drawParagraph(sheet, title, TITLE);
  sheet.y += 4;
  const paid = receipt.type === "payment" ? receipt.paidAmount : receipt.amount;
  drawParagraph(sheet, reaisText(paid), AMOUNT);
  sheet.y += 3;
  for (const [label, value] of rowsOf(receipt)) {
    drawParagraph(sheet, label, SMALL);
    drawParagraph(sheet, value, VALUE);
    sheet.y += 1;
  }
  sheet.y += 3;
  drawParagraph(
    sheet,
    `Emitido em ${TIME.format(nowMs)} (horário de Brasília). Este arquivo é assinado: envie-o sem ` +
      `alterações a ${verifyUrl} para conferir se é verdadeiro.`,
    SMALL,
  );
  return savedSheet(sheet);
}

function titleOf({ type }: Receipt): string {
  return type === "payment" ? "Comprovante de pagamento" : "Comprovante de transferência Pix";
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
          ["Devolvido", receipt.refundedAmount === 0 ? null : reaisText(receipt.refundedAmount)],
          ["ID da transação Pix (E2E)", receipt.endToEndId],
          ["Transação", receipt.transactionId],
        ]
      : [
          ["Pago em", TIME.format(Date.parse(receipt.paidAt))],
          ["Pagador", receipt.company.name],
          ["Chave Pix do recebedor", receipt.pixKeyMasked],
          ["CPF/CNPJ do recebedor", receipt.creditorDocumentMasked],
          ["Descrição", receipt.description],
          ["Taxa", receipt.fee === 0 ? null : reaisText(receipt.fee)],
          ["Devolvido", receipt.returnedAmount === 0 ? null : reaisText(receipt.returnedAmount)],
          ["ID da transação Pix (E2E)", receipt.endToEndId],
          ["Saque", String(receipt.withdrawId)],
        ];
  return rows.filter((row): row is Row => row[1] !== null && row[1] !== "");
}
