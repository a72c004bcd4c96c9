import { entryTitle } from "../../domain/ledger/entries/titles.ts";
import { type Cents, typedReais } from "../../domain/shared/money.ts";
import { csvLine, type CsvDialect } from "../../lib/csv.ts";
import type { NamedEntry } from "./service.ts";

/** A column of a statement's table: a day, a text, or an amount in centavos. */
export type Column = { heading: string } & (
  | { day: (entry: NamedEntry) => number }
  | { text: (entry: NamedEntry) => string }
  | { cents: (entry: NamedEntry) => Cents }
);

const TIME_ZONE = "America/Sao_Paulo";
const DAY = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, dateStyle: "short" });
const TIME = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, timeStyle: "medium" });

/** In order. A new one goes to the end. */
export const COLUMNS: Column[] = [
  { heading: "Data", day: ({ createdAt }) => createdAt },
  { heading: "Hora", text: ({ createdAt }) => TIME.format(createdAt) },
  { heading: "O que aconteceu", text: (entry) => entryTitle(entry) },
  { heading: "Quem", text: ({ counterpart }) => counterpart ?? "" },
  { heading: "Pedido", text: ({ externalRef }) => externalRef ?? "" },
  { heading: "Valor bruto", cents: ({ gross }) => gross },
  { heading: "Taxa", cents: ({ fee }) => fee },
  { heading: "Valor líquido", cents: ({ net }) => net },
  { heading: "Saldo", cents: ({ balance }) => balance },
  { heading: "Disponível", cents: ({ available }) => available },
  { heading: "Número no extrato", text: ({ sequence }) => String(sequence) },
  { heading: "Transação", text: ({ transactionId }) => transactionId ?? "" },
  { heading: "Saque", text: ({ withdrawId }) => String(withdrawId ?? "") },
];

/** What Brazilian spreadsheets read: semicolons, and centavos as reais with a comma. */
const BRAZILIAN: CsvDialect = {
  separator: ";",
  number: (cents) => typedReais(cents, "pt-BR"),
};
/** Tells a spreadsheet that the text is UTF-8. */
const BYTE_ORDER_MARK = "\u{FEFF}";

export const ENTRIES_CSV_HEADER =
  BYTE_ORDER_MARK +
  csvLine(
    COLUMNS.map(({ heading }) => heading),
    BRAZILIAN,
  );

/** An entry as a line of CSV for people in Brazil: the time of São Paulo, reais. */
export function entryCsvLine(entry: NamedEntry): string {
  return csvLine(
    COLUMNS.map((column) => {
      if ("cents" in column) return column.cents(entry);
      return "day" in column ? DAY.format(column.day(entry)) : column.text(entry);
    }),
    BRAZILIAN,
  );
}
