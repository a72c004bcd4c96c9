import type { BoletoSlip } from "./slip.ts";

/** The sum of a row's shares: the printed form is 180 mm wide. */
export const ROW_SHARES = 180;
/** Of the column of amounts beside the instructions. */
export const AMOUNTS_SHARE = 50;

/** A field of a printed form: its label and its text. */
export interface Cell {
  label: string;
  value: string;
  /** Of the row's width, in `ROW_SHARES`. */
  share: number;
  strong?: boolean;
}

export const RECEIPT_TITLE = "Recibo do pagador";
export const FORM_TITLE = "Ficha de compensação";
export const TERMS_LABEL = "Instruções (texto de responsabilidade do beneficiário)";
export const TEST_NOTICE = "AMBIENTE DE TESTES: este boleto não tem valor e nenhum banco o aceita.";
export const PIX_TITLE = "Pague com Pix";

/** The payer's half. */
export function receiptRows(slip: BoletoSlip): Cell[][] {
  return [
    [
      { label: "Beneficiário", value: slip.beneficiary.name, share: 130 },
      { label: "CPF/CNPJ do beneficiário", value: slip.beneficiary.document, share: 50 },
    ],
    [
      { label: "Pagador", value: slip.payer.name, share: 130 },
      { label: "CPF/CNPJ do pagador", value: slip.payer.document, share: 50 },
    ],
    [
      { label: "Número do documento", value: slip.documentNumber, share: 45 },
      { label: "Nosso número", value: slip.ourNumber, share: 45 },
      { label: "Vencimento", value: slip.dueDate, share: 40, strong: true },
      { label: "Valor", value: slip.amount, share: 50, strong: true },
    ],
  ];
}

/** The bank's half, above the instructions. */
export function formRows(slip: BoletoSlip): Cell[][] {
  const { name, document } = slip.beneficiary;
  return [
    [
      {
        label: "Local de pagamento",
        value: "Pagável em qualquer banco, aplicativo ou lotérica",
        share: 130,
      },
      { label: "Vencimento", value: slip.dueDate, share: 50, strong: true },
    ],
    [
      { label: "Beneficiário", value: name, share: 130 },
      { label: "CPF/CNPJ do beneficiário", value: document, share: 50 },
    ],
    [
      { label: "Data do documento", value: slip.issuedOn, share: 40 },
      { label: "Número do documento", value: slip.documentNumber, share: 50 },
      { label: "Espécie", value: "R$", share: 40 },
      { label: "Nosso número", value: slip.ourNumber, share: 50 },
    ],
  ];
}

/** The amounts beside the instructions, one below the other; a bank teller fills the empty ones. */
export function amountCells(slip: BoletoSlip): Cell[] {
  return [
    { label: "(=) Valor do documento", value: slip.amount, share: AMOUNTS_SHARE, strong: true },
    { label: "(-) Desconto / abatimento", value: "", share: AMOUNTS_SHARE },
    { label: "(+) Mora / multa", value: "", share: AMOUNTS_SHARE },
    { label: "(=) Valor cobrado", value: "", share: AMOUNTS_SHARE },
  ];
}

/** Payer as the form names it: name and document, then where it lives. */
export function payerLines({ payer }: BoletoSlip): string[] {
  const who = payer.document === "" ? payer.name : `${payer.name} - CPF/CNPJ ${payer.document}`;
  return [who, payer.address.join(" - ")].filter((line) => line !== "");
}

/** Replaces the barcode once there is nothing to pay. */
export function closedNotice(stamp: string): string {
  return `${stamp}: este boleto não deve mais ser pago.`;
}
