import { expect, it } from "vitest";
import { STATUS_WORDS } from "../../../../../src/api/withdraws/search/csv.ts";
import ptBr from "../../../../../src/pages/console/texts/pt-br.json";

it("the statuses of a CSV are the console's words", () => {
  expect(STATUS_WORDS).toEqual(ptBr.withdraws.statuses);
});
