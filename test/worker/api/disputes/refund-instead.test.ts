import { expect, it } from "vitest";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { disputePath, givenDisputed } from "../../../support/builders/operations/dispute.ts";
import { refund, resolveDispute } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

function refundInstead(
  company: TestCompany,
  transactionId: string,
  body: { insteadOf: string; amount?: number },
  key?: string,
) {
  return call(`/api/v1/transactions/${transactionId}/refund`, {
    method: "POST",
    company,
    body,
    headers: { "Idempotency-Key": key ?? crypto.randomUUID() },
  });
}

it("a refund instead of a dispute is shown with it, and the dispute blocks nothing any more", async () => {
  const company = await givenCompany();
  const { id, transactionId } = await givenDisputed(company);

  const answer = await refundInstead(company, transactionId, { insteadOf: id });

  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({
    status: "REFUNDED",
    refundReason: "REQUESTED",
    refunds: [{ amount: 2_500, status: "DONE", insteadOf: id }],
  });
  await expectDocumented("POST /api/v1/transactions/{id}/refund", answer);
  const shown = await call(disputePath(id), { company });
  expect(shown.body.data).toMatchObject({ status: "open", held: 0 });
  await resolveDispute(company, transactionId, "won");
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  expect(await findingsOf(company)).toEqual([]);
});

it("a bank that takes the money beside the refund leaves one finding, and the money is booked once", async () => {
  const company = await givenCompany();
  const { id, transactionId } = await givenDisputed(company);
  await refundInstead(company, transactionId, { insteadOf: id });

  await resolveDispute(company, transactionId, "lost");

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  expect(await findingsOf(company)).toMatchObject([{ amount: 2_500, held: 2_500 }]);
  const shown = await call(disputePath(id), { company });
  expect(shown.body.data).toMatchObject({ status: "lost", held: 0 });
});

it("another amount, another dispute and a key of another refund are refused, and change nothing", async () => {
  const company = await sharedCompany();
  const { id, transactionId } = await givenDisputed(company);
  const wrong = await refundInstead(company, transactionId, { insteadOf: id, amount: 2_499 });
  await expectProblem(wrong, {
    status: 422,
    code: "REFUND_NOT_DISPUTED_AMOUNT",
    extensions: { disputedCents: 2_500 },
  });
  await expectProblem(await refundInstead(company, transactionId, { insteadOf: "D9" }), {
    status: 409,
    code: "INVALID_STATE",
  });
  await expectProblem(await refund(company, transactionId), { status: 409, code: "INVALID_STATE" });
  const shown = await call(disputePath(id), { company });
  expect(shown.body.data).toMatchObject({ status: "open", held: 2_500 });

  const key = crypto.randomUUID();
  expect((await refundInstead(company, transactionId, { insteadOf: id }, key)).status).toBe(200);
  const replayed = await refundInstead(company, transactionId, { insteadOf: id }, key);
  expect([replayed.status, replayed.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
  await expectProblem(await refund(company, transactionId, undefined, { key }), {
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
  await expectProblem(await refundInstead(company, transactionId, { insteadOf: id }), {
    status: 409,
    code: "INVALID_STATE",
  });
});
