import { strFromU8, unzipSync } from "fflate";
import { beforeAll, expect, it } from "vitest";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { givenTwoMonths } from "../../../support/builders/ledger/two-months.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { fetchBytes } from "../../../support/builders/requests/bytes.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/statement/archive";
const CENTAVOS = /^-?\d+,\d\d$/;

let company: TestCompany;
let months: string[];

beforeAll(async () => {
  ({ company, months } = await givenTwoMonths());
});

/** The files of a month's archive, as texts or bytes. */
async function filesOf(month: string, by = company) {
  const files = unzipSync(await fetchBytes(`${PATH}?month=${month}`, by, "application/zip"));
  const textOf = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  return { names: Object.keys(files), textOf };
}

const cents = (text = "") => Number(text.replace(",", ""));

/** The sums of gross, fee and net of a table, and its number of lines. */
function sumsOf(csv: string): number[] {
  const rows = csv.trim().split("\r\n").slice(1);
  // A quoted name may hold a semicolon: amounts are found from the end.
  const amounts = rows.map((row) => row.split(";").filter((field) => CENTAVOS.test(field)));
  const sum = (column: number) => amounts.reduce((total, row) => total + cents(row[column]), 0);
  return [rows.length, sum(0), sum(1), sum(2)];
}

it("the tables of both months add up to the totals, and the totals to the ledger", async () => {
  for (const month of months) {
    const { textOf } = await filesOf(month);
    const totals = textOf(`totais-${month}.txt`);
    const { summary } = (await call(`/api/v1/statement/entries?month=${month}`, { company })).body;
    const sums = Object.fromEntries(
      ["extrato", "cobrancas", "taxas", "saques"].map((name) => {
        const found = sumsOf(textOf(`${name}-${month}.csv`));
        const line = totals.split("\r\n").find((each) => each.startsWith(`${name}-`)) ?? "";
        const [, count, ...amounts] = line.split(";");
        expect([Number(count), ...amounts.map(cents)]).toEqual(found);
        return [name, found];
      }),
    );
    expect(summary.opening + (sums["extrato"]?.[3] ?? 0)).toBe(summary.closing);
    expect(sums["cobrancas"]?.[1]).toBe(summary.moneyIn);
    expect(sums["taxas"]?.[2]).toBe(summary.fees);
    const said = (name: string) => {
      const shown = totals.match(`${name}: (-?R\\$\\s[\\d.]+,\\d\\d)`)?.[1] ?? "";
      return cents(shown.replaceAll(/[R$.\s]/g, ""));
    };
    expect([said("Saldo inicial"), said("Entrou"), said("Taxas"), said("Saiu")]).toEqual([
      summary.opening,
      summary.moneyIn,
      summary.fees,
      summary.moneyOut,
    ]);
    expect(said("Saldo final")).toBe(summary.closing);
    expect(totals).toContain("Os totais conferem.");
  }
});

it("has the statement in three formats, and a receipt of each payment and paid withdraw", async () => {
  const [month = ""] = months;
  const { names, textOf } = await filesOf(month);
  expect(names.filter((name) => !name.startsWith("comprovantes/"))).toEqual([
    `extrato-${month}.csv`,
    `cobrancas-${month}.csv`,
    `taxas-${month}.csv`,
    `saques-${month}.csv`,
    `extrato-${month}.ofx`,
    `extrato-${month}.xlsx`,
    `totais-${month}.txt`,
  ]);
  const receipts = names.filter((name) => name.startsWith("comprovantes/"));
  expect(receipts).toHaveLength(3);
  expect(receipts).toContain("comprovantes/comprovante-saque-1.pdf");
  for (const name of receipts) expect(textOf(name).startsWith("%PDF-")).toBe(true);
  expect(textOf(`totais-${month}.txt`)).toContain("Comprovantes: 3.\r\n");
});

it("of an empty month has tables without lines, whose totals agree", async () => {
  const { names, textOf } = await filesOf("2020-01", await givenCompany());
  expect(names).toContain("extrato-2020-01.ofx");
  expect(sumsOf(textOf("extrato-2020-01.csv"))).toEqual([0, 0, 0, 0]);
  expect(textOf("totais-2020-01.txt")).toContain("Os totais conferem.");
});

it("FORBIDDEN: it shows what other scopes guard", async () => {
  for (const scopes of [["balance:read"], ["balance:read", "transactions:read"]] as const) {
    const narrow = await givenApplication(company, { scopes });
    const answer = await call(PATH, { company: narrow, headers: { Accept: "application/zip" } });
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  }
});
