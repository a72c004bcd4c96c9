import { expect, it } from "vitest";
import type { PersonRole } from "../../../../../src/domain/access/person-role.ts";
import { givenPaid } from "../../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { postAsPerson } from "../../../../support/builders/operations/as-person.ts";

const refundAs = (
  company: TestCompany,
  role: PersonRole,
  id: string,
  amount: number | undefined,
  key?: string,
) =>
  postAsPerson(company, `/api/v1/transactions/${id}/refund`, {
    role,
    body: amount === undefined ? {} : { amount },
    ...(key === undefined ? {} : { key }),
  });

it("422 REFUND_LIMIT_EXCEEDED: support refunds at most R$ 500.00 a day, of all charges together", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 100_000);
  const { id: other } = await givenPaid(company, 100_000);
  expect((await refundAs(company, "support", other, 30_000)).status).toBe(200);

  const above = await refundAs(company, "support", id, 20_001);
  expect(above.status).toBe(422);
  expect(above.body).toMatchObject({
    code: "REFUND_LIMIT_EXCEEDED",
    rule: "roleLimits.support.refundDailyLimit",
    limitCents: 50_000,
    usedCents: 30_000,
  });
  expect((await refundAs(company, "support", id, undefined)).status).toBe(422);

  expect((await refundAs(company, "support", id, 20_000)).status).toBe(200);
  expect((await refundAs(company, "support", id, 1)).status).toBe(422);
});

it("two refunds at once stay within the limit together", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 100_000);
  const answers = await Promise.all([1, 2].map(() => refundAs(company, "support", id, 30_000)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
});

it("finance refunds without a limit, and the same refund sent again is answered as before", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 100_000);
  expect((await refundAs(company, "finance", id, 60_000, "refund-1")).status).toBe(200);
  expect((await refundAs(company, "finance", id, 60_000, "refund-1")).status).toBe(200);
  expect((await refundAs(company, "finance", id, undefined)).body.data.refunds).toHaveLength(2);
});
