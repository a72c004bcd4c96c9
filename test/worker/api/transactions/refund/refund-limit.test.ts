import { expect, it } from "vitest";
import { createApp } from "../../../../../src/app.ts";
import type { PersonRole } from "../../../../../src/domain/access/person.ts";
import { requestAs } from "../../../../../src/http/auth/person-requests.ts";
import { givenPaid } from "../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { FROM_THE_START } from "../../../../../src/domain/access/standing.ts";

it("403 FORBIDDEN: support refunds at most R$ 500.00 of one charge, earlier refunds counted", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 100_000);
  expect((await refund(company, id, 30_000)).status).toBe(200);

  const above = await refundAs(company, "support", id, 20_001);
  expect(above.status).toBe(403);
  expect(above.body).toMatchObject({ code: "FORBIDDEN" });
  expect(above.body.detail).toContain(
    "at most R$ 500.00 of one charge, of which R$ 300.00 are refunded",
  );
  expect((await refundAs(company, "support", id, undefined)).status).toBe(403);

  expect((await refundAs(company, "support", id, 20_000)).status).toBe(200);
  expect((await refundAs(company, "support", id, 1)).status).toBe(403);
});

it("two refunds at once stay within the limit together", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 100_000);
  const answers = await Promise.all([1, 2].map(() => refundAs(company, "support", id, 30_000)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
});

it("finance refunds without a limit, and the same refund sent again is answered as before", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 100_000);
  expect((await refundAs(company, "finance", id, 60_000, "refund-1")).status).toBe(200);
  expect((await refundAs(company, "finance", id, 60_000, "refund-1")).status).toBe(200);
  expect((await refundAs(company, "finance", id, undefined)).body.data.refunds).toHaveLength(2);
});

async function refundAs(
  company: TestCompany,
  role: PersonRole,
  id: string,
  amount: number | undefined,
  key?: string,
) {
  const standing = FROM_THE_START;
  const person = { userId: role, name: role, email: "", companyId: company.id, role, standing };
  const request = new Request(`https://localhost/api/v1/transactions/${id}/refund`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
    },
    body: JSON.stringify(amount === undefined ? {} : { amount }),
  });
  const response = await createApp().fetch(requestAs(person, request), env);
  return { status: response.status, body: await response.json<any>() };
}
