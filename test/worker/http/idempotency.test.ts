import { describe, expect, it } from "vitest";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../support/probes/ledger/footprint.ts";
import { call } from "../../support/builders/requests/api.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";
import { sharedFundedCompany } from "../../support/builders/companies/shared-company.ts";

const INVALID = {
  status: 400,
  code: "IDEMPOTENCY_KEY_INVALID",
  fields: ["Idempotency-Key"],
};

it("IDEMPOTENCY_KEY_REQUIRED: a withdraw has no key", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const answer = await expectNoSideEffects(company, () =>
    call("/api/Withdraw/request", { company, body: { amount: 1_000 } }),
  );
  await expectProblem(answer, {
    status: 400,
    code: "IDEMPOTENCY_KEY_REQUIRED",
    fields: ["Idempotency-Key"],
  });
});

describe.each([
  ["create", (company: any, key: string) => createTransaction(company, {}, { key })],
  ["withdraw", (company: any, key: string) => requestWithdraw(company, {}, { key })],
])("the idempotency key of a %s", (_operation, send) => {
  it.each([
    ["a space", "a b"],
    ["an empty quoted string", '""'],
    ["one quote", '"abc'],
    ["a quote inside", 'a"b'],
    ["a slash", "a/b"],
    ["a percent sign", "a%20b"],
    ["a semicolon", '"a";b=1'],
    ["256 characters", "x".repeat(256)],
    ["256 characters in quotes", `"${"x".repeat(256)}"`],
    ["two keys in one header", "a, b"],
    ["two keys in quotes", '"a", "b"'],
  ])("IDEMPOTENCY_KEY_INVALID: %s", async (_what, key) => {
    const company = await sharedFundedCompany();
    await expectProblem(await expectNoSideEffects(company, () => send(company, key)), INVALID);
  });

  it.each(["a", "x".repeat(255), `"${"x".repeat(255)}"`, "A-z_0.9:", "0f8fad5b-d9cb"])(
    "accepts %s",
    async (key) => {
      const company = await givenCompany({ balance: 5_000 });
      expect([200, 201]).toContain((await send(company, key)).status);
      const again = await send(company, key);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    },
  );

  it("is case-sensitive", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await send(company, "key");
    expect((await send(company, "KEY")).headers.has("Idempotent-Replayed")).toBe(false);
  });
});
