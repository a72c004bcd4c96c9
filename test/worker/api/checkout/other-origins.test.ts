import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

const ORIGIN = { Origin: "https://loja.example.com" };

async function givenStatusPath(): Promise<string> {
  const { id } = await givenTransaction(await givenCompany());
  return `/api/checkout/status/${id}`;
}

it("a browser from another origin may poll the status and read the ETag", async () => {
  const answer = await call(await givenStatusPath(), { headers: ORIGIN });
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(answer.headers.get("Access-Control-Expose-Headers")).toContain("ETag");
});

it("a cross-origin request may send the ETag: the preflight allows it and the 304 is readable", async () => {
  const path = await givenStatusPath();
  const preflight = await call(path, {
    method: "OPTIONS",
    headers: {
      ...ORIGIN,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "if-none-match",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("If-None-Match");

  const etag = (await call(path, { headers: ORIGIN })).headers.get("ETag") ?? "";
  const unchanged = await call(path, { headers: { ...ORIGIN, "If-None-Match": etag } });
  expect(unchanged.status).toBe(304);
  expect(unchanged.headers.get("Access-Control-Allow-Origin")).toBe("*");
});

it("no other route allows cross-origin reads", async () => {
  const company = await givenCompany();
  const answer = await call(`/api/Balance/balance/${company.id}?currency=BRL`, {
    company,
    headers: ORIGIN,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
});
