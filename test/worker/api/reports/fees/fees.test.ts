import { expect, it } from "vitest";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../../src/domain/shared/calendar-day.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { givenSettled } from "../../../../support/builders/reports/settled.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const PATH = "/api/v1/reports/fees";
const today = () => saoPauloDay(Date.now());

it("sums what was paid by day, account and method: agreed, taken, difference, and what went back", async () => {
  const { company } = await givenSettled();
  const sums = {
    count: 1,
    gross: 10_000,
    agreed: 301,
    taken: 302,
    difference: 1,
    anticipation: 7,
    refunds: 1_000,
    chargebacks: 0,
  };

  const answer = await call(PATH, { company });

  await expectDocumented(`GET ${PATH}`, answer);
  expect(answer.body).toEqual({
    accounts: [{ account: "pagarme", provider: null, comparedUntil: addDays(today(), -1) }],
    items: [{ day: today(), account: "pagarme", paymentMethod: "CREDIT_CARD", ...sums }],
    totals: sums,
  });
});

it("has days of the future once they are asked for, and nothing of other companies", async () => {
  const { company } = await givenSettled();
  const tomorrow = addDays(today(), 1);
  const later = await call(`${PATH}?from=${tomorrow}&to=${tomorrow}`, { company });
  const other = await call(PATH, { company: await givenCompany({ mode: "live" }) });

  expect(later.body.totals).toMatchObject({ count: 1, agreed: 0, taken: 9, difference: 9 });
  expect(other.body).toMatchObject({ accounts: [], items: [], totals: { count: 0, taken: 0 } });
});

it("is CSV for programs, and for people in Brazil", async () => {
  const { company } = await givenSettled();
  const headers = { Accept: "text/csv" };
  const plain = await call(PATH, { company, headers });
  const brazilian = await call(PATH, { company, headers: { ...headers, "Accept-Language": "pt" } });

  expect(plain.text.split("\r\n")).toEqual([
    "day,account,paymentMethod,count,gross,agreed,taken,difference,anticipation,refunds,chargebacks",
    `${today()},pagarme,CREDIT_CARD,1,10000,301,302,1,7,1000,0`,
    "",
  ]);
  expect(brazilian.text).toContain(";Diferença;");
  expect(brazilian.text).toContain(";100,00;3,01;3,02;0,01;0,07;10,00;0,00");
});

it("lists what differs by pages, and by the days of the finding", async () => {
  const { company, transactionId } = await givenSettled();
  const first = await call(`${PATH}/differences?limit=2`, { company });
  const { after } = first.body;
  const rest = await call(`${PATH}/differences?limit=2&after=${after}`, { company });

  await expectDocumented(`GET ${PATH}/differences`, first);
  expect(first.body).toMatchObject({ hasMore: true });
  expect(first.body.items.map(({ kind }: { kind: string }) => kind)).toEqual(["fee", "late"]);
  expect(rest.body).toEqual({
    items: [
      {
        day: today(),
        account: "pagarme",
        kind: "missing",
        transactionId,
        settlementId: null,
        amount: 10_000,
      },
    ],
    after: null,
    hasMore: false,
  });
});

it.each([
  ["to", `${PATH}?from=2026-01-01&to=2026-04-03`],
  ["to", `${PATH}?from=2026-01-02&to=2026-01-01`],
  ["from", `${PATH}?from=yesterday`],
  ["after", `${PATH}/differences?after=WzFd`],
  ["limit", `${PATH}/differences?limit=0`],
])("a wrong %s is said: %s", async (field, path) => {
  const company = await givenCompany();
  await expectProblem(await call(path, { company }), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: [field],
  });
});
