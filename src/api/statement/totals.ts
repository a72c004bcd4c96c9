import { isEntryOf, type StatementSums } from "../../domain/ledger/entries/entry.ts";
import { centsToReais, CURRENCY, type Cents, typedReais } from "../../domain/shared/money.ts";
import type { NamedEntry } from "./service.ts";

/** A table of the accountant's month: which entries it has. */
export const TABLES = {
  extrato: () => true,
  cobrancas: (entry) => isEntryOf("in", entry),
  taxas: (entry) => isEntryOf("fees", entry),
  saques: ({ withdrawId }) => withdrawId !== null,
} satisfies Record<string, (entry: NamedEntry) => boolean>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

/** The sums of a table. Centavos. */
export interface TableSums {
  count: number;
  gross: Cents;
  fee: Cents;
  net: Cents;
}

export const NO_TABLE_SUMS: TableSums = { count: 0, gross: 0, fee: 0, net: 0 };

/** The sums of a table with one more entry. */
export function withEntry(sums: TableSums, { gross, fee, net }: NamedEntry): TableSums {
  return {
    count: sums.count + 1,
    gross: sums.gross + gross,
    fee: sums.fee + fee,
    net: sums.net + net,
  };
}

/** Whether the tables add up to what the ledger says of the month. */
function agrees(month: StatementSums, tables: Record<TableName, TableSums>): boolean {
  const { opening, moneyIn, fees, moneyOut, closing } = month;
  const { extrato, cobrancas, taxas } = tables;
  return (
    opening + extrato.net === closing &&
    cobrancas.gross === moneyIn &&
    taxas.fee === fees &&
    cobrancas.gross - extrato.gross === moneyOut
  );
}

/** The month's totals as a text in Portuguese, which says of each from which table it follows. */
export function totalsText(
  { month, companyName }: { month: string; companyName: string },
  sums: StatementSums,
  tables: Record<TableName, TableSums>,
  notes: string[],
): string {
  const { opening, moneyIn, fees, moneyOut, closing, available, sequence } = sums;
  const lines = [
    `Fechamento de ${month} - ${companyName}`,
    `Horário de Brasília. Até a linha ${sequence} do extrato.`,
    "",
    `Saldo inicial: ${money(opening)}`,
    `Entrou: ${money(moneyIn)} (valor bruto de cobrancas-${month}.csv)`,
    `Taxas: ${money(fees)} (taxa de taxas-${month}.csv)`,
    `Saiu: ${money(moneyOut)} (o resto do valor bruto de extrato-${month}.csv)`,
    `Saldo final: ${money(closing)} (saldo inicial mais valor líquido de extrato-${month}.csv)`,
    `Disponível no fim: ${money(available)}`,
    "",
    "Arquivo;Linhas;Valor bruto;Taxa;Valor líquido",
    ...TABLE_NAMES.map((name) => {
      const { count, gross, fee, net } = tables[name];
      return [`${name}-${month}.csv`, count, reais(gross), reais(fee), reais(net)].join(";");
    }),
    "",
    agrees(sums, tables) ? "Os totais conferem." : "OS TOTAIS NÃO CONFEREM: avise o suporte.",
    ...notes,
  ];
  return `${lines.join("\r\n")}\r\n`;
}

const AMOUNT = new Intl.NumberFormat("pt-BR", { style: "currency", currency: CURRENCY });

/** For people; the table's amounts are for spreadsheets. */
function money(cents: Cents): string {
  return AMOUNT.format(centsToReais(cents));
}

function reais(cents: Cents): string {
  return typedReais(cents, "pt-BR");
}
