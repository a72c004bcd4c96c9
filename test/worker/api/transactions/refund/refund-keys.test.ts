import { describe, expect, it } from "vitest";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { createTransaction, givenPaid } from "../../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const BURST = 12;

it("each request without a key is its own refund", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await refund(company, id, 700);
  const { headers, body } = await refund(company, id, 700);
  expect(headers.has("Idempotent-Replayed")).toBe(false);
  expect(body.data).toMatchObject({ status: "PAID", refundedAmount: 1_400 });
  const [first, second] = body.data.refunds;
  expect(first.id).not.toBe(second.id);
});

it("a replay after the full refund still shows the key's first response", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const first = await refund(company, id, 500, { key: "re_1" });
  await refund(company, id);
  const replay = await expectNoSideEffects(company, () =>
    refund(company, id, 500, { key: '"re_1"' }),
  );
  expect(replay.status).toBe(200);
  expect(replay.body).toEqual(first.body);
  expect(replay.body.data).toMatchObject({ status: "PAID", refundedAmount: 500 });
});

describe("IDEMPOTENCY_KEY_REUSED", () => {
  it("rejects the same key for another amount, for the rest, or for another transaction", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const { id: other } = await givenPaid(company, 2_500);
    await refund(company, id, 1_000, { key: "re_1" });
    for (const [transaction, amount] of [
      [id, 1_001],
      [id, undefined],
      [other, 1_000],
    ] as const) {
      const answer = await expectNoSideEffects(company, () =>
        refund(company, transaction, amount, { key: "re_1" }),
      );
      await expectProblem(answer, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
    }
  });
});

it("a key of another operation or of another company is independent", async () => {
  const [company, neighbour] = [await givenCompany(), await givenCompany()];
  const created = await createTransaction(company, { amount: 2_500 }, { key: "same" });
  expect(created.status).toBe(200);
  const { id } = await givenPaid(company, 2_500);
  const { id: theirs } = await givenPaid(neighbour, 2_500);
  for (const answer of [
    await refund(company, id, 100, { key: "same" }),
    await refund(neighbour, theirs, 200, { key: "same" }),
  ]) {
    expect(answer.status).toBe(200);
    expect(answer.headers.has("Idempotent-Replayed")).toBe(false);
  }
});

it("concurrent requests with one key make one refund, and each gets its response or a conflict", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);

  const answers = await Promise.all(
    Array.from({ length: BURST }, () => refund(company, id, 400, { key: "re_burst" })),
  );

  const done = answers.filter((answer) => answer.status === 200);
  expect(done.length).toBeGreaterThanOrEqual(1);
  for (const answer of done) expect(answer.body).toEqual(done[0]?.body);
  for (const answer of answers.filter((candidate) => candidate.status !== 200)) {
    await expectProblem(answer, {
      status: 409,
      code: "IDEMPOTENCY_IN_PROGRESS",
      retryAfter: true,
    });
  }
  expect(await accountsOf(company)).toMatchObject({ available: 2_100, blocked: 0 });
  const replay = await refund(company, id, 400, { key: "re_burst" });
  expect(replay.body).toEqual(done[0]?.body);
  expect((await eventsOf(company)).map((event) => event.type)).toEqual([
    "transaction.paid",
    "transaction.partially_refunded",
  ]);
});

it("concurrent requests without keys never refund more than was paid", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const { id } = await givenPaid(company, 2_500);

  const answers = await Promise.all(
    Array.from({ length: BURST }, () => refund(company, id, 1_000)),
  );

  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
  for (const answer of answers.filter((candidate) => candidate.status !== 200)) {
    await expectProblem(answer, {
      status: 422,
      code: "REFUND_EXCEEDS_PAID",
      extensions: { refundableCents: 500 },
    });
  }
  expect(await accountsOf(company)).toMatchObject({ available: 10_500, blocked: 0 });
});

it("concurrent requests for the rest refund the transaction once", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const { id } = await givenPaid(company, 2_500);
  const answers = await Promise.all(Array.from({ length: BURST }, () => refund(company, id)));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(answers.filter((answer) => ![200, 409, 422].includes(answer.status))).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 10_000, blocked: 0 });
});

it("INVALID_STATE: rejects more than a hundred refunds of a transaction", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  for (let batch = 0; batch < 10; batch++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(company, id, 1)));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
  }
  const answer = await expectNoSideEffects(company, () => refund(company, id, 1));
  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  expect(await accountsOf(company)).toMatchObject({ available: 2_400 });
});
