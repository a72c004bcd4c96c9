import { formatCep, formatCnpj, formatCpf, formatCurrency } from "@brazilian-utils/brazilian-utils";
import type {
  Adjustment,
  BoletoCharge,
  RegisteredBoleto,
} from "../../../domain/charges/payment-details.ts";
import { maskDocument, maskName } from "../../../domain/access/masks.ts";
import { formattedLine } from "../boleto-code.ts";
import { amountDue } from "../../terms/amount-due.ts";
import { businessDayFrom, saoPauloDay } from "../../../domain/shared/business-day.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { reaisText, type Cents } from "../../../domain/shared/money.ts";
import type { Address, Payer, TransactionRecord } from "../../../domain/charges/transaction.ts";

const ZIP_CODE = /^\d{8}$/;
const SICREDI = "748";

/** The texts of a slip, in Portuguese and ready for layout; `""` where there is nothing to show. */
export interface BoletoSlip {
  /** Three digits (COMPE), a hyphen and their check digit: `001-9`. */
  bank: string;
  /** The codes to pay by; null of a boleto that must not be paid any more. */
  payment: { formattedLine: string; barcode: string; qrcode: string | null } | null;
  /** Printed over a boleto that must not be paid any more, such as `PAGO`; else null. */
  stamp: string | null;
  /** A boleto of a sandbox company, which no bank accepts. */
  isTest: boolean;
  beneficiary: Party;
  payer: Party & { address: string[] };
  dueDate: string;
  issuedOn: string;
  amount: string;
  documentNumber: string;
  ourNumber: string;
  /** Discount, fine and interest in sentences, and the amount due today by them. */
  terms: string[];
  /** The merchant's own, joined to one line: many lines would push the barcode off the page. */
  instructions: string;
}

interface Party {
  name: string;
  document: string;
}

/** A transaction whose provider has registered its boleto. */
export type RegisteredCharge = TransactionRecord & {
  boleto: BoletoCharge & { registered: RegisteredBoleto };
};

export function hasSlip(record: TransactionRecord): record is RegisteredCharge {
  return record.boleto !== null && record.boleto.registered !== null;
}

/**
 * The slip (ficha de compensação) of a registered boleto as a payer and a bank teller know it,
 * with what is due at `nowMs`.
 */
export function toSlip(
  record: RegisteredCharge,
  company: Pick<Company, "name" | "bankDocument" | "mode">,
  nowMs: number,
): BoletoSlip {
  const { boleto, payer, amount } = record;
  const { barcode, digitableLine, ourNumber, qrcode } = boleto.registered;
  const stamp = stampOf(record);
  return {
    bank: bankWithDigit(barcode.slice(0, 3)),
    payment:
      stamp === null ? { formattedLine: formattedLine(digitableLine), barcode, qrcode } : null,
    stamp,
    isTest: company.mode === "sandbox",
    beneficiary: { name: company.name, document: formattedDocument(company.bankDocument) },
    payer: stamp === null ? payerOf(payer) : maskedPayerOf(payer),
    dueDate: formattedDay(boleto.dueDate),
    issuedOn: formattedDay(saoPauloDay(record.createdAt)),
    amount: reaisText(amount),
    documentNumber: boleto.documentNumber,
    ourNumber,
    terms: [
      ...termSentences(boleto),
      ...(stamp === null ? todaySentence(boleto, amount, saoPauloDay(nowMs)) : []),
    ],
    instructions: boleto.instructions
      .split(/\r\n|[\r\n]/)
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join(" / "),
  };
}

function payerOf({ name, documentNumber, address }: Payer): BoletoSlip["payer"] {
  return { name, document: formattedDocument(documentNumber), address: addressLines(address) };
}

/** Of a boleto with nothing left to pay: the link may be in many hands. */
function maskedPayerOf({ name, documentNumber }: Payer): BoletoSlip["payer"] {
  return { name: maskName(name), document: maskDocument(documentNumber), address: [] };
}

/** Module 11, weights from 2 on from the right; 10 is printed as 0, but X by Sicredi. */
function bankWithDigit(bank: string): string {
  const [hundreds = 0, tens = 0, ones = 0] = Array.from(bank, Number);
  const rest = (hundreds * 4 + tens * 3 + ones * 2) % 11;
  const digit = rest === 1 && bank === SICREDI ? "X" : String(rest < 2 ? 0 : 11 - rest);
  return `${bank}-${digit}`;
}

function stampOf({ status, cancelReason }: TransactionRecord): string | null {
  switch (status) {
    case "creating":
    case "waiting_payment":
    case "authorized":
      return null;
    case "paid":
      return "PAGO";
    case "refunded":
      return "DEVOLVIDO";
    case "cancelled":
      return cancelReason === "EXPIRED" ? "EXPIRADO" : "CANCELADO";
    case "refused":
    case "failed":
      return "CANCELADO";
  }
}

function termSentences({ dueDate, discount, fine, interest }: BoletoCharge) {
  const last = businessDayFrom(dueDate);
  return [
    ...(discount === null
      ? []
      : [`Até ${formattedDay(discount.untilDate)}: desconto de ${adjustmentText(discount)}.`]),
    ...(last === dueDate
      ? []
      : [`Vencimento em fim de semana: sem encargos até ${formattedDay(last)}.`]),
    ...(fine === null ? [] : [`Após o vencimento: multa de ${adjustmentText(fine)}.`]),
    ...(interest === null
      ? []
      : [
          `Após o vencimento: juros de ${percentText(interest.value)} ao mês, proporcionais aos ` +
            "dias de atraso.",
        ]),
  ];
}

function todaySentence(boleto: BoletoCharge, amount: Cents, today: string): string[] {
  const due = amountDue(boleto, amount, today);
  return due === amount
    ? []
    : [`Valor para pagamento em ${formattedDay(today)}: ${reaisText(due)}.`];
}

function adjustmentText({ type, value }: Adjustment): string {
  return type === "FIXED" ? reaisText(value) : percentText(value);
}

function percentText(hundredths: number): string {
  return `${formatCurrency(hundredths / 100)}%`;
}

function formattedDay(day: string): string {
  return day.split("-").toReversed().join("/");
}

/** A CPF or CNPJ with its mask; any other text unchanged. */
function formattedDocument(number: string): string {
  if (number.length === 11) return formatCpf(number);
  if (number.length === 14) return formatCnpj(number, { version: 2 });
  return number;
}

function addressLines(address: Partial<Address>): string[] {
  const { street, streetNumber, complement, neighborhood, city, state, zipCode = "" } = address;
  return [
    joinNonEmpty(", ", street, streetNumber, complement),
    joinNonEmpty(" - ", neighborhood, joinNonEmpty("/", city, state)),
    zipCode === "" ? "" : `CEP ${ZIP_CODE.test(zipCode) ? formatCep(zipCode) : zipCode}`,
  ].filter((line) => line !== "");
}

function joinNonEmpty(separator: string, ...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(separator);
}
