import { expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";

it("MALFORMED_JSON: bytes that are not UTF-8 are rejected, not replaced", async () => {
  const company = await givenCompany();
  const json = new TextEncoder().encode('{"amount":1,"paymentMethod":"PIX","metadata":"?"}');
  json[json.indexOf(63)] = 0xff;
  const answer = await call("/api/v1/transactions/create", {
    company,
    rawBody: json,
    headers: { "Content-Type": "application/json" },
  });
  await expectProblem(answer, { status: 400, code: "MALFORMED_JSON" });
  expect(answer.body.detail).toContain("UTF-8");
});
