import { expect, it } from "vitest";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../../src/domain/shared/calendar-day.ts";
import {
  givenManyTransactions,
  MANY_COUNT,
} from "../../../../support/builders/charges/many-transactions.ts";
import { givenPaid, givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { simulate, updateSettings } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { BOLETO_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { withDatabase } from "../../../../support/probes/database/instrumented-database.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const PATH = "/api/v1/reports/rehearsal";
const DAY_MS = 86_400_000;
const today = () => saoPauloDay(Date.now());

/** A past of 50 boletos, due one a day up to yesterday: four of five paid, `daysEarly` days before. */
async function givenPast(daysEarly: number) {
  const company = await givenCompany();
  await givenManyTransactions(company, { many: 50, settled: true });
  await env.DB.prepare(
    `UPDATE transactions SET payment_method = 'BOLETO', status = iif(seq % 5, 'paid', 'cancelled'),
       boleto = json_object('dueDate', date('now', '-3 hours', -seq || ' days')),
       paid_at = iif(seq % 5, unixepoch('now', (-seq - ?2) || ' days') * 1000, NULL)
     WHERE company_id = ?1`,
  )
    .bind(company.id, daysEarly)
    .run();
  return company;
}

it("expects open boletos by the company's own past: how many were paid, and how early", async () => {
  const company = await givenPast(2);
  await updateSettings(company, { fees: { BOLETO: { basisPoints: 0, fixed: 100 } } });
  await givenTransaction(company, { ...BOLETO_REQUEST, boleto: { expiresInDays: 20 } });

  const { body } = await call(PATH, { company });

  const boleto = body.assumptions.methods.find(
    ({ paymentMethod }: { paymentMethod: string }) => paymentMethod === "BOLETO",
  );
  expect(boleto).toMatchObject({
    ended: 50,
    paid: 40,
    isEnough: true,
    expected: { share: 0.8, daysEarly: 2 },
  });
  expect(boleto.worst.share).toBeLessThan(0.8);
  expect(body.items).toHaveLength(30);
  const paid = body.items.find(
    ({ expectedPayments }: { expectedPayments: number }) => expectedPayments > 0,
  );
  expect(paid).toMatchObject({ expectedPayments: 0.8 * 4_900, expectedFees: 80, expected: 3_920 });
  const due = body.items.find((item: { due: number }) => item.due > 0);
  expect(due.due).toBe(5_000);
  // The due date moves to a business day, then two days early and one day until the release.
  expect(paid.day).toBe(addDays(due.day, -1));
});

it("takes the fee of each charge for itself, which never exceeds its amount", async () => {
  const company = await givenCompany();
  await updateSettings(company, { fees: { PIX: { basisPoints: 150, fixed: 99 } } });
  for (const amount of [50, 120, 3_333])
    await givenTransaction(company, { amount, pix: { expiresInDays: 3 } });

  const { body } = await call(`${PATH}?days=5`, { company });

  // 50 of 50, 101 of 120 and 149 of 3,333: in the best case all are paid, today.
  expect(body.items[0].best).toBe(0 + 19 + 3_184);
});

it("counts what went back to payers, and says what it does not know", async () => {
  const company = await givenCompany({ balance: 9_000 });
  const { id } = await givenPaid(company, 1_000);
  await simulate(company, id, "chargeback");
  const { body } = await call(`${PATH}?days=1`, { company });
  expect(body.items).toMatchObject([{ day: today(), opening: 9_000, certain: 9_000 }]);
  expect(body.assumptions).toMatchObject({ days: 90, returnedShare: 0.1 });
  expect(body.assumptions.methods).toMatchObject([
    { paymentMethod: "PIX", isEnough: false },
    { paymentMethod: "BOLETO", isEnough: false },
  ]);
});

it("answers CSV in centavos for programs, and in reais for people in Brazil", async () => {
  const company = await givenCompany({ balance: 123_456 });
  const csv = { Accept: "text/csv" };
  const plain = await call(`${PATH}?days=2`, { company, headers: csv });
  await expectDocumented(`GET ${PATH}`, plain);
  expect(plain.headers.get("Content-Disposition")).toContain(`rehearsal-${today()}.csv`);
  const [head, first, second, end] = plain.text.split("\r\n");
  expect(head).toBe(
    "day,opening,releases,expiredApprovals,due,expiring,expectedPayments,expectedFees,disputed,debtRepaid,certain,worst,expected,best",
  );
  expect(first).toBe(`${today()},123456,0,0,0,0,0,0,0,0,123456,123456,123456,123456`);
  expect([second?.slice(0, 10), end]).toEqual([addDays(today(), 1), ""]);

  const headers = { ...csv, "Accept-Language": "pt-BR" };
  const brazilian = await call(`${PATH}?days=1`, { company, headers });
  const [title, day] = brazilian.text.split("\r\n");
  expect(title).toContain("Data;Saldo inicial;Liberações");
  expect(day).toMatch(/^\d\d\/\d\d\/\d{4};1234,56;0,00;/);
});

it.each(["0", "91", "-1", "1.5", "x", ""])("VALIDATION_FAILED: days=%s", async (days) => {
  const company = await givenCompany();
  const answer = await call(`${PATH}?days=${days}`, { company });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["days"] });
});

it(`reads ${MANY_COUNT} open charges by their index, in one call to D1, and few of a long past`, async () => {
  const company = await givenCompany();
  await givenManyTransactions(company);
  await env.DB.prepare("UPDATE transactions SET expires_at = ? WHERE company_id = ?")
    .bind(Date.now() + 2 * DAY_MS, company.id)
    .run();
  const read: number[] = [];
  const calls: number[] = [];
  const instrumented = withDatabase({
    called: (statements) => calls.push(statements.length),
    after: (sql, rows) => {
      if (/^select payment_method|daily_reports/.test(sql)) read.push(rows);
    },
  });
  const { body } = await call(PATH, { company, env: instrumented });
  expect(body.items[2].expiring).toBe(MANY_COUNT * 100);
  // Two of them are the credentials'.
  expect(calls.toSorted((one, other) => one - other)).toEqual([1, 1, 3]);
  const [open = 0, past = 0, reports = 0] = read;
  expect(read).toHaveLength(3);
  // Each open charge, and again as they are grouped; those of the last 25 hours, which might be open for a short time.
  expect(open).toBeLessThanOrEqual(2 * MANY_COUNT + 1_500 + 50);
  // A step and a row for each of at most 5,000 past charges, and a bisection.
  expect(past).toBeLessThanOrEqual(3 * 5_000 + 100);
  expect(reports).toBeLessThanOrEqual(1);
});
