import { expect, it } from "vitest";
import { SCOPES } from "../../../../src/domain/shared/company.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { setScopes } from "../../../support/builders/companies/credentials.ts";
import { updateSettings } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";

it("tells the company, the application with its scopes, and the time", async () => {
  const company = await givenCompany();
  const { status, body } = await call("/api/v1/me", { company });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    company: { id: company.id, mode: "sandbox", frozen: false },
    application: { id: company.clientId, spendingLimits: null },
    timezone: "America/Sao_Paulo",
  });
  expect(SCOPES).toEqual(expect.arrayContaining(body.data.application.scopes));
  expect(Date.parse(body.data.serverTime)).not.toBeNaN();
});

it("answers an application of one scope, whichever it is", async () => {
  for (const scope of SCOPES) {
    const company = await givenCompany();
    await setScopes(company, [scope]);
    const { status, body } = await call("/api/v1/me", { company });
    expect([status, body.data.application.scopes]).toEqual([200, [scope]]);
  }
});

it("says that the company is frozen", async () => {
  const company = await givenCompany();
  await updateSettings(company, { frozen: true });
  expect((await call("/api/v1/me", { company })).body.data.company.frozen).toBe(true);
});
