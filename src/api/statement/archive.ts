import { Problem } from "../../domain/shared/problem.ts";
import { receiptOfTransaction, receiptOfWithdraw, receiptPdf } from "../receipts/service.ts";
import type { Receipt } from "../receipts/views.ts";
import {
  allEntries,
  entriesCsv,
  entriesOfx,
  RECEIPTS_MAX,
  XLSX_MAX,
  type FiledMonth,
} from "./files.ts";
import type { NamedEntry } from "./service.ts";
import {
  NO_TABLE_SUMS,
  TABLE_NAMES,
  TABLES,
  totalsText,
  withEntry,
  type TableName,
  type TableSums,
} from "./totals.ts";
import { zipOf, type ZippedFile } from "./zip.ts";

/**
 * The accountant's month as a ZIP: its statement in three formats, its charges, fees and withdraws, their receipts and
 * the totals of all. Without XLSX beyond `XLSX_MAX` movements, with the newest `RECEIPTS_MAX` receipts; the totals say so.
 */
export function monthArchive(month: FiledMonth, verifyUrl: string): AsyncGenerator<Uint8Array> {
  return zipOf(filesOf(month, verifyUrl), month.nowMs);
}

async function* filesOf(filed: FiledMonth, verifyUrl: string): AsyncGenerator<ZippedFile> {
  const { month, sums, caller } = filed;
  const tables = Object.fromEntries(TABLE_NAMES.map((name) => [name, NO_TABLE_SUMS])) as Record<
    TableName,
    TableSums
  >;
  const receipted: NamedEntry[] = [];
  let receiptCount = 0;
  for (const name of TABLE_NAMES) {
    const pick = (entry: NamedEntry) => {
      if (!TABLES[name](entry)) return false;
      tables[name] = withEntry(tables[name], entry);
      if (name !== "extrato" || !hasReceipt(entry)) return true;
      receiptCount += 1;
      if (receipted.length < RECEIPTS_MAX) receipted.push(entry);
      return true;
    };
    yield { name: `${name}-${month}.csv`, parts: () => entriesCsv(filed, pick) };
  }
  yield { name: `extrato-${month}.ofx`, parts: () => entriesOfx(filed) };
  const isXlsx = sums.movements <= XLSX_MAX;
  if (isXlsx) yield { name: `extrato-${month}.xlsx`, parts: () => xlsxOf(filed) };
  let made = 0;
  for (const entry of receipted) {
    const file = await receiptFile(filed, entry, verifyUrl);
    if (file === null) continue;
    made += 1;
    yield file;
  }
  const [older, none] = [receiptCount - receipted.length, receipted.length - made];
  const notes = [
    `Comprovantes: ${made}.`,
    ...(older === 0 ? [] : [`Sem os ${older} comprovantes mais antigos.`]),
    ...(none === 0 ? [] : [`Saques ainda sem comprovante: ${none}.`]),
    ...(isXlsx ? [] : [`Sem XLSX: o mês tem mais de ${XLSX_MAX} movimentos.`]),
  ];
  const about = { month, companyName: caller.company.name };
  yield { name: `totais-${month}.txt`, parts: () => one(totalsText(about, sums, tables, notes)) };
}

/** Whether an entry is of a payment, or of a withdraw when it was asked for. */
function hasReceipt(entry: NamedEntry): boolean {
  return TABLES.cobrancas(entry) || entry.type === "withdraw_requested";
}

/** An entry's receipt as a PDF; null of one that has none, as a withdraw that is not paid yet. */
async function receiptFile(
  { env, caller, nowMs }: FiledMonth,
  { transactionId, withdrawId }: NamedEntry,
  verifyUrl: string,
): Promise<ZippedFile | null> {
  const receipt =
    transactionId === null
      ? await orNone(receiptOfWithdraw(env, caller, String(withdrawId)))
      : await orNone(receiptOfTransaction(env, caller, transactionId));
  if (receipt === null) return null;
  const pdf = await receiptPdf(env, caller.company, receipt, { verifyUrl, nowMs });
  const name = transactionId ?? `saque-${withdrawId}`;
  return { name: `comprovantes/comprovante-${name}.pdf`, parts: () => one(pdf) };
}

/** A receipt; null where the API refuses one. */
async function orNone(receipt: Promise<Receipt>): Promise<Receipt | null> {
  try {
    return await receipt;
  } catch (error) {
    if (error instanceof Problem && error.details.code === "INVALID_STATE") return null;
    throw error;
  }
}

async function* xlsxOf(filed: FiledMonth): AsyncGenerator<Uint8Array> {
  const { entriesXlsx } = await import("./xlsx.ts");
  yield await entriesXlsx(filed.month, await allEntries(filed));
}

async function* one<Part>(part: Part): AsyncGenerator<Part> {
  yield part;
}
