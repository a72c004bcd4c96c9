import { strFromU8, unzipSync } from "fflate";
import { Ofx } from "ofx-data-extractor";
import { beforeAll, expect, it } from "vitest";
import { saoPauloMonth } from "../../../../src/domain/ledger/entries/month.ts";
import {
  givenCompany,
  takeCreatedCompanies,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { givenTwoMonths } from "../../../support/builders/ledger/two-months.ts";
import { fetchBytes } from "../../../support/builders/requests/bytes.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/statement/entries";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

let company: TestCompany;
let months: string[];

beforeAll(async () => {
  ({ company, months } = await givenTwoMonths());
});

const fileOf = (month: string, type: string, by = company) =>
  call(`${PATH}?month=${month}`, { company: by, headers: { Accept: type } });

const itemsOf = async (month: string): Promise<any[]> =>
  (await call(`${PATH}?month=${month}&limit=100`, { company })).body.items;

it("the CSV has all of a month in the way of Brazilian spreadsheets", async () => {
  const answer = await fileOf(months[0] ?? "", "text/csv");
  await expectDocumented(`GET ${PATH}`, answer);
  expect(answer.headers.get("Content-Disposition")).toBe(
    `attachment; filename="extrato-${months[0]}.csv"`,
  );
  const bytes = await fetchBytes(`${PATH}?month=${months[0]}`, company, "text/csv");
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = answer.text.split("\r\n");
  expect(lines[0]).toBe(
    "Data;Hora;O que aconteceu;Quem;Pedido;Valor bruto;Taxa;Valor líquido;Saldo;Disponível;" +
      "Número no extrato;Transação;Saque",
  );
  expect(lines).toHaveLength(6);
  expect(lines[3]).toMatch(
    /^\d\d\/\d\d\/\d{4};\d\d:\d\d:\d\d;Pix recebido;"Maria & Filhos; Ltda";pedido-2;90,00;0,35;89,65;139,65;/,
  );
  expect(lines[1]).toMatch(/;Saque;11222333000181;;-20,00;1,00;-21,00;111,65;/);
});

it("the OFX has payer and order, its amounts, and both balances", async () => {
  for (const month of months) {
    const answer = await fileOf(month, "application/x-ofx");
    const file = new Ofx(answer.text);
    expect(file.validate()).toMatchObject({ isValid: true });
    const statement = (file.toJson() as any).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS;
    const moved = (await itemsOf(month)).filter(({ net }) => net !== 0);
    expect(
      statement.BANKTRANLIST.STRTTRN.map(({ FITID, TRNAMT }: any) => [+FITID, +TRNAMT]),
    ).toEqual(moved.map(({ sequence, net }) => [sequence, net / 100]));
    const { summary } = (await call(`${PATH}?month=${month}`, { company })).body;
    expect(+statement.LEDGERBAL.BALAMT).toBe(summary.closing / 100);
    expect(+statement.AVAILBAL.BALAMT).toBe(summary.available / 100);
  }
  expect((await fileOf(months[0] ?? "", "application/x-ofx")).text).toContain(
    "<NAME>Maria &amp; Filhos; Ltda</NAME>" +
      "<MEMO>Pix recebido - Maria &amp; Filhos; Ltda - pedido pedido-2 - bruto 90,00, taxa 0,35</MEMO>",
  );
});

it("the XLSX has the same amounts as numbers", async () => {
  const bytes = await fetchBytes(`${PATH}?month=${months[0]}`, company, XLSX);
  const files = unzipSync(bytes);
  const sheet = strFromU8(files["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  const items = await itemsOf(months[0] ?? "");
  const netOfRow = (row: number) => Number(sheet.match(`<c r="H${row}"[^>]*><v>([^<]*)</v>`)?.[1]);
  expect(items.map((_, index) => netOfRow(index + 2))).toEqual(items.map(({ net }) => net / 100));
});

it("NOT_ACCEPTABLE: a month with more movements than a file holds", async () => {
  const busy = await givenCompany();
  await givenPaid(busy, 2_500);
  await tamper(busy, "UPDATE movements SET sequence = 5001 WHERE sequence = 1");
  takeCreatedCompanies();
  await tamper(
    busy,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
     INSERT INTO movements SELECT n, type, transaction_id, withdraw_id, created_at, postings,
       available, awaiting, blocked, payout, debt, suspense, fees, provider, hash, details, details_hash
     FROM movements, numbers WHERE sequence = 5001`,
  );
  const month = saoPauloMonth(Date.now());
  const answer = await fileOf(month, XLSX, busy);
  await expectProblem(answer, { status: 406, code: "NOT_ACCEPTABLE" });
  expect((await fileOf(month, "text/csv", busy)).text.trim().split("\r\n")).toHaveLength(5_002);
});
