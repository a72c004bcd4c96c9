import { describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { withOlderWithdrawHash } from "../../../support/faults/older-request-hash.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const KEY = "wd_key-1.a:b";

describe("the same key and request", () => {
  it("gets the first response, and the money leaves once", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const first = await requestWithdraw(company, { amount: 1_500 }, { key: KEY });
    const again = await expectNoSideEffects(company, () =>
      requestWithdraw(company, { amount: 1_500 }, { key: KEY }),
    );
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(first.headers.has("Idempotent-Replayed")).toBe(false);
    expect((await balanceOf(company)).accBalance).toBe(35);
  });

  it("replays the first response after the withdraw was paid", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const first = await requestWithdraw(company, {}, { key: KEY });
    await runPayout(company, first.body.id);
    const now = await call(`/api/Withdraw/${first.body.id}`, { company });
    expect(now.body.enTransaction).toBe("Paid");
    const again = await requestWithdraw(company, {}, { key: KEY });
    expect(again.text).toBe(first.text);
  });

  it("is replayed when the balance no longer covers it", async () => {
    const company = await givenCompany({ balance: 1_000 });
    const first = await requestWithdraw(company, {}, { key: KEY });
    expect((await requestWithdraw(company, {}, { key: KEY })).text).toBe(first.text);
  });

  it("is the same when it is quoted, reordered or has null fields", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const first = await requestWithdraw(
      company,
      { amount: 1_000, description: "a", metadata: { a: 1, b: 2 } },
      { key: KEY },
    );
    const again = await requestWithdraw(
      company,
      { metadata: { b: 2, a: 1 }, pixKey: null, description: "a", amount: 1_000 },
      { key: `"${KEY}"` },
    );
    expect(again.text).toBe(first.text);
    expect(first.body.idempotencyKey).toBe(KEY);
  });

  it.each([
    ["its defaults are spelt out", {}, { currency: "BRL", description: "", pixKeyType: "" }],
    [
      "the key's type is spelt out",
      { pixKey: "maria@example.com" },
      { pixKey: "maria@example.com", pixKeyType: "EMAIL" },
    ],
    [
      "the key is formatted",
      { pixKey: "529.982.247-25" },
      { pixKey: "52998224725", pixKeyType: "CPF" },
    ],
  ])("is the same where %s", async (_what, bare, spelt) => {
    const company = await givenCompany({ balance: 5_000 });
    for (const [key, one, other] of [
      ["wd_1", bare, spelt],
      ["wd_2", spelt, bare],
    ] as const) {
      const first = await requestWithdraw(company, one, { key });
      const again = await requestWithdraw(company, other, { key });
      expect([again.status, again.text]).toEqual([201, first.text]);
    }
  });

  it("is found under the hash of a version that kept defaults", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const sent = { amount: 1_000, currency: "BRL" };
    const first = await requestWithdraw(company, sent, { key: KEY });
    await withOlderWithdrawHash(company, sent);
    expect((await requestWithdraw(company, sent, { key: KEY })).text).toBe(first.text);
    const other = await requestWithdraw(company, { amount: 1_001 }, { key: KEY });
    await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });
});

it.each([
  ["another amount", { amount: 1_001 }],
  ["another PIX key", { pixKey: "a@example.com" }],
  ["a description", { description: "x" }],
])("IDEMPOTENCY_KEY_REUSED: %s", async (_what, change) => {
  const company = await givenCompany({ balance: 5_000 });
  const first = await requestWithdraw(company, {}, { key: KEY });
  const answer = await expectNoSideEffects(company, () =>
    requestWithdraw(company, change, { key: KEY }),
  );
  await expectProblem(answer, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  expect((await requestWithdraw(company, {}, { key: KEY })).text).toBe(first.text);
});

it("a key is scoped to its company and its operation", async () => {
  const [ours, theirs] = [
    await givenCompany({ balance: 5_000 }),
    await givenCompany({ balance: 5_000 }),
  ];
  await requestWithdraw(ours, {}, { key: KEY });
  const other = await requestWithdraw(theirs, { amount: 2_000 }, { key: KEY });
  expect(other.status).toBe(201);
  expect(other.headers.has("Idempotent-Replayed")).toBe(false);
  expect((await createTransaction(ours, {}, { key: KEY })).status).toBe(200);
});

it("fifty concurrent withdraws of 10 reais from 100: ten are accepted and nothing remains", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => requestWithdraw(company, { amount: 1_000 })),
  );
  const accepted = answers.filter((answer) => answer.status === 201);
  const refused = answers.filter((answer) => answer.body.code === "INSUFFICIENT_BALANCE");
  expect([accepted.length, refused.length]).toEqual([10, 40]);
  expect(new Set(accepted.map((answer) => answer.body.id)).size).toBe(10);
  expect((await balanceOf(company)).accBalance).toBe(0);
});

it("fifty concurrent requests with one key make one withdraw and get one response", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => requestWithdraw(company, {}, { key: KEY })),
  );
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.filter((answer) => !answer.headers.has("Idempotent-Replayed"))).toHaveLength(1);
  expect((await balanceOf(company)).accBalance).toBe(90);
});
