import { expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { changeSettings } from "../../../support/builders/withdraws/approvals.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const SETTINGS = "/api/v1/company/settings";
const LINKS = "/api/v1/payment-links";
const REFUNDS = "/api/v1/transactions/0190c5a0-0000-8000-8000-000000000000/refund";

it("a limit that no double holds takes no limit away", async () => {
  const company = await givenCompany();
  const roleLimits = { support: { refundDailyLimit: 2_000 } };
  await changeSettings(company, { withdrawDailyLimit: 5_000, roleLimits });
  const before = (await call(SETTINGS, { company })).body;
  for (const [rawBody, field] of [
    ['{"withdrawDailyLimit":1e400}', "withdrawDailyLimit"],
    ['{"retentionDays":-1e400}', "retentionDays"],
    [
      '{"roleLimits":{"support":{"refundDailyLimit":1e400}}}',
      "roleLimits.support.refundDailyLimit",
    ],
  ]) {
    const answer = await call(SETTINGS, { method: "PUT", company, rawBody: rawBody! });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field!] });
  }
  expect((await call(SETTINGS, { company })).body).toEqual(before);
});

it.each([
  ["PUT", SETTINGS, '{"withdrawDailyLimit":50.0}', "withdrawDailyLimit"],
  [
    "PUT",
    SETTINGS,
    '{"roleLimits":{"support":{"refundDailyLimit":50.0}}}',
    "roleLimits.support.refundDailyLimit",
  ],
  ["POST", LINKS, '{"name":"Curso","amounts":[4900,49.0]}', "amounts.1"],
  ["POST", LINKS, '{"name":"Curso","amount":49.0}', "amount"],
  ["POST", REFUNDS, '{"amount":49.0}', "amount"],
])("VALIDATION_FAILED: %s %s %s", async (method, path, rawBody, field) => {
  const company = await givenCompany();
  const headers = { "Idempotency-Key": "decimal" };
  const answer = await call(path, { method, company, rawBody, headers });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
});

it("metadata with a number that no double holds is refused, not changed", async () => {
  const company = await givenCompany();
  const rawBody = '{"amount":1000,"paymentMethod":"PIX","metadata":{"a":[1,1e400]}}';
  const answer = await call("/api/v1/transactions/create", { method: "POST", company, rawBody });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["metadata.a.1"],
  });
});
