import { expect, it } from "vitest";
import { givenPaid, givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { qrSvg } from "../../../../../src/lib/symbols/qr-image.ts";

const path = (id: string) => `/api/v1/transactions/${id}/qr`;

it("a PIX that waits has its code as SVG, and as PNG by Accept or by the query", async () => {
  const company = await givenCompany();
  const { id, pix } = await givenTransaction(company);
  const svg = await call(path(id), { company });
  expect([svg.status, svg.headers.get("Content-Type")]).toEqual([200, "image/svg+xml"]);
  expect(svg.text).toBe(qrSvg(pix.qrcode));
  const png = await call(path(id), { company, headers: { Accept: "image/png" } });
  expect([png.status, png.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  const asked = await call(`${path(id)}?format=png`, { company });
  expect(asked.headers.get("Content-Type")).toBe("image/png");
});

it("a paid one and a boleto have none, and another company's is not shown", async () => {
  const company = await givenCompany();
  const { id: paid } = await givenPaid(company, 2_500);
  const { id: boleto } = await givenTransaction(company, {
    paymentMethod: "BOLETO",
    customer: { name: "Ana", document: { number: "52998224725" } },
  });
  for (const id of [paid, boleto]) {
    const answer = await call(path(id), { company });
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  }
  const { id } = await givenTransaction(await givenCompany());
  await expectProblem(await call(path(id), { company }), { status: 403, code: "FORBIDDEN" });
});
