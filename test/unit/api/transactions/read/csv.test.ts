import { expect, it } from "vitest";
import { STATUS_WORDS, transactionsCsv } from "../../../../../src/api/transactions/read/csv.ts";
import ptBr from "../../../../../src/pages/console/texts/pt-br.json";

it("the statuses of a CSV are the console's words", () => {
  expect(STATUS_WORDS).toEqual(ptBr.payments.statuses);
});

it("a CSV for people in Brazil begins with its byte order mark, and has semicolons", () => {
  const { header } = transactionsCsv({ isPortuguese: true });
  expect(header).toMatch(/^\u{FEFF}Criada em;Hora;Pagador;/u);
});
