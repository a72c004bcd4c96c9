import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { FULL_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";

const poll = (id: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(`/api/checkout/status/${id}`, { headers });

it("the status is public by id and contains no payer data", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company, FULL_REQUEST);
  const answer = await poll(created.id);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    id: created.id,
    status: "PENDING",
    paymentMethod: "PIX",
    amount: 12_345,
    paidAmount: null,
    underpaid: false,
    currency: "BRL",
    paidAt: null,
    expiresAt: created.pix.expirationDate,
    pollAfterMs: expect.any(Number),
  });
  expect(answer.body.pollAfterMs).toBeGreaterThanOrEqual(1_000);
});

it("the secureId shows the same as the id", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company);
  expect((await poll(created.secureId)).body).toEqual((await poll(created.id)).body);
});

it("a paid transaction shows when it was paid and is polled less", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company);
  const before = (await poll(created.id)).body;
  const paid = (await pay(company, created.id)).body.data;
  const { body } = await poll(created.id);
  expect(body).toStrictEqual({
    ...before,
    status: "PAID",
    paidAmount: 2_500,
    paidAt: paid.paidAt,
    pollAfterMs: expect.any(Number),
  });
  expect(body.pollAfterMs).toBeGreaterThan(before.pollAfterMs);
});

describe("the ETag", () => {
  it("returns 304 without a body while the status is unchanged", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const etag = (await poll(id)).headers.get("ETag") ?? "";
    expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
    const again = await poll(id, { "If-None-Match": etag });
    expect(again.status).toBe(304);
    expect(again.text).toBe("");
    expect(again.headers.get("ETag")).toBe(etag);
    expect(again.headers.get("X-Trace-Id")).toMatch(/^[0-9a-f]{32}$/);
  });

  it("changes once the transaction is paid", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const etag = (await poll(id)).headers.get("ETag") ?? "";
    await pay(company, id);
    const after = await poll(id, { "If-None-Match": etag });
    expect(after.status).toBe(200);
    expect(after.body.status).toBe("PAID");
  });
});

it.each([
  ["text", () => "nothing"],
  ["an id that was never issued", (id: string) => `${id.slice(0, 24)}ffffff${id.slice(-6)}`],
  ["a UUID of another layout", () => "0f8fad5b-d9cb-469f-a165-70867728950e"],
])("NOT_FOUND: %s", async (_what, idFrom) => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  await expectProblem(await poll(idFrom(id)), { status: 404, code: "NOT_FOUND" });
});

it("NOT_FOUND: rejects a secureId with a guessed random part", async () => {
  const company = await givenCompany();
  const { secureId } = await givenTransaction(company);
  const last = secureId.at(-2) === "A" ? "B" : "A";
  const guessed = secureId.slice(0, -2) + last + secureId.slice(-1);
  await expectProblem(await poll(guessed), { status: 404, code: "NOT_FOUND" });
});
