import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { chargesInState } from "../../../../support/builders/charges/charges-in-state.ts";
import { givenPaid, givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";

const send = (company: TestCompany, id: string, options: Call = {}): Promise<Answer> =>
  call(`/api/v1/transactions/${id}/refund`, {
    ...options,
    method: "POST",
    company,
    headers: { "Idempotency-Key": crypto.randomUUID(), ...options.headers },
  });

describe("refunds all that remains", () => {
  it.each<[string, Call]>([
    ["without a body and a Content-Type", {}],
    ["with a Content-Type but no body", { headers: { "Content-Type": "application/json" } }],
    ["with an empty body", { rawBody: "" }],
    ["with an empty object", { body: {} }],
  ])("%s", async (_what, options) => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await refund(company, id, 400);

    const answer = await send(company, id, options);

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 200, message: expect.stringMatching(/\S/) });
    expect(answer.body.data).toMatchObject({
      status: "REFUNDED",
      refundedAmount: 2_500,
      refunds: [{ amount: 400 }, { amount: 2_100, status: "DONE" }],
    });
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0 });
  });

  it("of the paid amount, when that differs from the transaction's amount", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { amount: 2_500 });
    await call(`/api/v1/sandbox/transactions/${id}/pay`, { company, body: { amount: 3_100 } });

    await expectProblem(await refund(company, id, 3_101), {
      status: 422,
      code: "REFUND_EXCEEDS_PAID",
      extensions: { refundableCents: 3_100 },
    });
    const { body } = await refund(company, id);
    expect(body.data).toMatchObject({ status: "REFUNDED", amount: 2_500, refundedAmount: 3_100 });
  });

  it("by an id in upper case, which is the same transaction for its key", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const first = await refund(company, id.toUpperCase(), undefined, { key: "re_case" });
    const again = await refund(company, id, undefined, { key: "re_case" });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
  });
});

describe("VALIDATION_FAILED", () => {
  it.each([0, -1, 0.5, 10.01, "100", "", true, [], {}, 1_000_000_000_000, 1e300])(
    "amount %j",
    async (amount) => {
      const company = await givenCompany();
      const { id } = await givenPaid(company, 2_500);
      const answer = await expectNoSideEffects(company, () =>
        send(company, id, { body: { amount } }),
      );
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
    },
  );

  it.each(["[]", "null", "1", '"2500"'])("a body that is %s", async (rawBody) => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const answer = await expectNoSideEffects(company, () => send(company, id, { rawBody }));
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["body"] });
  });
});

it("reports the other errors of a body as on every route", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await expectProblem(await send(company, id, { rawBody: '{"amount":' }), {
    status: 400,
    code: "MALFORMED_JSON",
  });
  const text = { rawBody: '{"amount":1}', headers: { "Content-Type": "text/plain" } };
  await expectProblem(await send(company, id, text), {
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
  });
  const large = { body: { amount: 1, note: "x".repeat(64 * 1024) } };
  await expectProblem(await send(company, id, large), { status: 413, code: "BODY_TOO_LARGE" });
  await expectProblem(await send(company, id, { headers: { "Idempotency-Key": "a b" } }), {
    status: 400,
    code: "IDEMPOTENCY_KEY_INVALID",
    fields: ["Idempotency-Key"],
  });
  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
});

describe("a transaction that cannot be refunded", () => {
  it.each(["nothing", "0f8fad5b-d9cb-469f-a165-70867728950e", "1"])("NOT_FOUND: %s", async (id) => {
    const company = await givenCompany();
    await expectProblem(await refund(company, id), { status: 404, code: "NOT_FOUND" });
  });

  it("NOT_FOUND: rejects a valid id that was never issued", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    const unknown = `${id.slice(0, 24)}ffffff${id.slice(-6)}`;
    await expectProblem(await refund(company, unknown), { status: 404, code: "NOT_FOUND" });
  });

  it("FORBIDDEN: rejects another company's transaction, which stays unchanged", async () => {
    const owner = await givenCompany();
    const stranger = await givenCompany({ balance: 5_000 });
    const { id } = await givenPaid(owner, 2_500);
    const answer = await expectNoSideEffects(owner, () => refund(stranger, id, 1));
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });

  it.each(
    chargesInState(
      "waiting",
      "cancelled",
      "expired",
      "failed",
      "refunded",
      "charged back",
      "disputed",
    ),
  )(
    "INVALID_STATE: rejects one that is %s, with or without a key, and the key stays free",
    async (_state, given) => {
      const company = await givenCompany({ balance: 5_000 });
      const id = await given(company);
      for (const key of [undefined, "re_state"]) {
        const options = key === undefined ? {} : { key };
        const answer = await expectNoSideEffects(company, () => refund(company, id, 100, options));
        await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
      }
      const { id: other } = await givenPaid(company, 1_000);
      expect((await refund(company, other, 1_000, { key: "re_state" })).status).toBe(200);
    },
  );
});

describe("a request that was rejected without any effect leaves its key free", () => {
  it("after INSUFFICIENT_BALANCE the same key refunds once the money is available", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await requestWithdraw(company, { amount: 1_000 });
    const refused = await expectNoSideEffects(company, () =>
      refund(company, id, undefined, { key: "re_free" }),
    );
    await expectProblem(refused, {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 1_500, requiredCents: 2_500 },
    });
    await givenPaid(company, 1_000);

    const again = await refund(company, id, undefined, { key: "re_free" });

    expect(again.status).toBe(200);
    expect(again.headers.has("Idempotent-Replayed")).toBe(false);
    expect(again.body.data.status).toBe("REFUNDED");
  });

  it("after REFUND_EXCEEDS_PAID and an invalid amount the same key accepts a valid amount", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await expectProblem(await refund(company, id, 2_501, { key: "re_less" }), {
      status: 422,
      code: "REFUND_EXCEEDS_PAID",
      extensions: { refundableCents: 2_500 },
    });
    await expectProblem(await refund(company, id, 0, { key: "re_less" }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["amount"],
    });
    const { status, body } = await refund(company, id, 2_499, { key: "re_less" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: "PAID", refundedAmount: 2_499 });
  });
});
