import { entryTitle } from "../../domain/ledger/entries/titles.ts";
import { brazilianHeader, brazilianLine, brazilianTime, type Column } from "../../http/csv.ts";
import type { NamedEntry } from "./service.ts";

/** In order. A new one goes to the end. */
export const COLUMNS: Column<NamedEntry>[] = [
  { heading: "Data", day: ({ createdAt }) => createdAt },
  { heading: "Hora", text: ({ createdAt }) => brazilianTime(createdAt) },
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

export const ENTRIES_CSV_HEADER = brazilianHeader(COLUMNS);

/** An entry as a line of CSV for people in Brazil: the time of São Paulo, reais. */
export function entryCsvLine(entry: NamedEntry): string {
  return brazilianLine(COLUMNS, entry);
}
