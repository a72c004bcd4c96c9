import { expect, it } from "vitest";
import { QUOTAS } from "../../../../../src/domain/storage/quotas.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import {
  leaveOfChargeQuota,
  useUpObjectQuota,
} from "../../../../support/builders/companies/quotas.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const NAME = "/api/v1/operator/companies/{companyId}/quotas";

it("an operator gives a company a multiple of the usual quotas, from the next request on", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const path = `/companies/${company.id}/quotas`;
  const usual = await callAsOperator(path);
  expect(usual.body).toStrictEqual({ percent: 100, limits: QUOTAS });
  await expectDocumented(`GET ${NAME}`, usual);
  await givenTransaction(company);
  await leaveOfChargeQuota(company, "chargesPerDay", 0);
  await useUpObjectQuota(company, "eventsPerDay");
  expect((await createTransaction(company)).status).toBe(429);
  expect((await requestWithdraw(company)).status).toBe(429);

  const changed = await callAsOperator(path, { method: "PUT", body: { percent: 200 } });

  await expectDocumented(`PUT ${NAME}`, changed);
  expect(changed.body.limits.chargesPerDay).toBe(2 * QUOTAS.chargesPerDay);
  expect((await callAsOperator(path)).body).toStrictEqual(changed.body);
  expect((await createTransaction(company)).status).toBe(200);
  expect((await requestWithdraw(company)).status).toBe(201);
});

it.each([0, -1, 10_001, 1.5, "100", null])("VALIDATION_FAILED: percent %s", async (percent) => {
  const company = await givenCompany();
  const path = `/companies/${company.id}/quotas`;
  await expectProblem(await callAsOperator(path, { method: "PUT", body: { percent } }), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["percent"],
  });
  expect((await callAsOperator(path)).body.percent).toBe(100);
});
