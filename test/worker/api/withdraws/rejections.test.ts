import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { setScopes } from "../../../support/builders/companies/credentials.ts";
import { settle } from "../../../support/builders/charges/charge-commands.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { depsWithBank } from "../../../support/builders/operations/operations.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import {
  withValueAt,
  invalidValuesOf,
  type FieldKind,
} from "../../../support/builders/requests/invalid-values.ts";
import { sharedFundedCompany } from "../../../support/builders/companies/shared-company.ts";

const KEY = "wd_refused";

/** A company that can withdraw, so that only the tested error matters. */
const givenRichCompany = () => givenCompany({ balance: 10_000 });

function freeze(company: TestCompany): Promise<unknown> {
  return inAccount(company.id, (_account, state) =>
    state.storage.sql.exec("UPDATE company SET frozen = 1"),
  );
}

/** Expects a rejection without effects and with a free key. */
async function expectRejected(
  company: TestCompany,
  body: Record<string, unknown>,
  options: Parameters<typeof requestWithdraw>[2] = {},
): Promise<Answer> {
  const answer = await expectNoSideEffects(company, () =>
    requestWithdraw(company, body, { key: KEY, ...options }),
  );
  expect(answer.headers.has("Idempotent-Replayed")).toBe(false);
  return answer;
}

const FIELDS: Record<string, FieldKind> = {
  amount: "integer",
  currency: "word",
  pixKey: "word",
  pixKeyType: "word",
  description: "string",
  metadata: "string or object",
};

it.each(Object.entries(FIELDS))("VALIDATION_FAILED: %s is not a %s", async (field, kind) => {
  const company = await sharedFundedCompany();
  for (const value of invalidValuesOf(kind, { required: field === "amount" })) {
    const answer = await expectRejected(company, withValueAt({ amount: 1_000 }, field, value));
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  }
});

it("VALIDATION_FAILED: all wrong fields at once", async () => {
  const company = await sharedFundedCompany();
  const answer = await expectRejected(company, {
    amount: "1000",
    currency: "USD",
    pixKeyType: "IBAN",
    description: 5,
    metadata: 5,
  });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["amount", "currency", "pixKeyType", "description", "metadata"],
  });
});

it("VALIDATION_FAILED: an invalid key is reported next to an invalid amount", async () => {
  const company = await sharedFundedCompany();
  const answer = await expectRejected(company, { amount: "x", pixKey: "nobody" });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["amount", "pixKey"],
  });
});

it.each([undefined, 0, -1, -1_000, 1_000.5, "1000", 1e21, 1_000_000_000_000])(
  "VALIDATION_FAILED: an amount of %s",
  async (amount) => {
    const company = await sharedFundedCompany();
    const answer = await expectRejected(company, { amount });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
  },
);

it.each([
  ["description", 255],
  ["metadata", 4_096],
])("VALIDATION_FAILED: %s is longer than %i characters", async (field, max) => {
  const company = await givenRichCompany();
  const longest = "x".repeat(max);
  expect((await requestWithdraw(company, { [field]: longest })).status).toBe(201);
  const answer = await expectRejected(company, { [field]: `${longest}x` });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
});

it.each(["pixKey", "description", "metadata"])(
  "VALIDATION_FAILED: %s with NUL or half a surrogate pair",
  async (field) => {
    const company = await sharedFundedCompany();
    for (const value of ["a\0", "\ud83d"]) {
      const answer = await expectRejected(company, { [field]: value });
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    }
  },
);

it.each([
  ["CPF", "52998224724"],
  ["CPF", "a@example.com"],
  ["CNPJ", "52998224725"],
  ["EMAIL", "+5511987654321"],
  ["EMAIL", "not-an-email"],
  ["PHONE", "52998224"],
  ["EVP", "not-a-uuid"],
  [undefined, "whatever"],
])("VALIDATION_FAILED: a %s key cannot be %s", async (pixKeyType, pixKey) => {
  const company = await sharedFundedCompany();
  const answer = await expectRejected(company, { pixKey, pixKeyType });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["pixKey"] });
});

it("VALIDATION_FAILED: eleven bare digits without a type may be a CPF or a phone", async () => {
  const company = await sharedFundedCompany();
  const answer = await expectRejected(company, { pixKey: "51998259765" });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["pixKeyType"] });
});

describe("WITHDRAW_BELOW_MINIMUM", () => {
  it.each([1, 999])("%i centavos", async (amount) => {
    const company = await sharedFundedCompany();
    const answer = await expectRejected(company, { amount });
    await expectProblem(answer, {
      status: 400,
      code: "WITHDRAW_BELOW_MINIMUM",
      fields: ["amount"],
    });
  });

  it("is reported next to other errors", async () => {
    const company = await sharedFundedCompany();
    const answer = await expectRejected(company, {
      amount: 999,
      currency: "USD",
      pixKey: "nobody",
    });
    expect(answer.body.code).toBe("WITHDRAW_BELOW_MINIMUM");
    expect(Object.keys(answer.body.errors).toSorted()).toEqual(["amount", "currency", "pixKey"]);
  });
});

describe("no PIX key at all", () => {
  it("is a 400 of one field, message, which says what to do", async () => {
    const company = await givenCompany({ balance: 10_000, mainPixKey: null });
    const answer = await expectRejected(company, {});
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual({ message: expect.stringMatching(/PIX key not found/i) });
    expect(answer.body.message).toMatch(/bank account/i);
    expect(answer.headers.get("X-Trace-Id")).toMatch(/^[0-9a-f]{32}$/);
  });

  it("leaves the key free for the request with one", async () => {
    const company = await givenCompany({ balance: 10_000, mainPixKey: null });
    await expectRejected(company, {});
    const later = await requestWithdraw(company, { pixKey: "a@example.com" }, { key: KEY });
    expect(later.status).toBe(201);
    expect(later.headers.has("Idempotent-Replayed")).toBe(false);
  });
});

describe("INSUFFICIENT_BALANCE", () => {
  it("names the available and the required amount in centavos", async () => {
    const company = await givenCompany({ balance: 4_321 });
    await expectProblem(await expectRejected(company, { amount: 4_322 }), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 4_321, requiredCents: 4_322 },
    });
    expect((await balanceOf(company)).accBalance).toBe(43.21);
  });

  it("is returned for a company that was never paid", async () => {
    const company = await givenCompany();
    await expectProblem(await expectRejected(company, {}), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 0, requiredCents: 1_000 },
    });
  });

  it("excludes money that is in flight", async () => {
    const company = await givenCompany({ balance: 1_999 });
    await requestWithdraw(company, { amount: 1_000 });
    await expectProblem(await expectRejected(company, { amount: 1_000 }), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 999, requiredCents: 1_000 },
    });
  });

  it("leaves the key free", async () => {
    const company = await givenCompany({ balance: 1_000 });
    await expectRejected(company, { amount: 2_000 });
    const later = await requestWithdraw(company, { amount: 1_000 }, { key: KEY });
    expect(later.status).toBe(201);
  });
});

it("COMPANY_FROZEN: a frozen company cannot withdraw, and its balance is Blocked", async () => {
  const company = await givenRichCompany();
  await freeze(company);
  await expectProblem(await expectRejected(company, {}), { status: 422, code: "COMPANY_FROZEN" });
  expect(await balanceOf(company)).toMatchObject({ enBalanceStatus: "Blocked", accBalance: 100 });
});

it("a withdraw accepted before the freeze is replayed after it", async () => {
  const company = await givenRichCompany();
  const first = await requestWithdraw(company, {}, { key: KEY });
  await freeze(company);
  const again = await requestWithdraw(company, {}, { key: KEY });
  expect(again.status).toBe(201);
  expect(again.text).toBe(first.text);
});

describe("errors are reported in this order", () => {
  /** Every check fails; each step fixes one more error. */
  it("credentials, scope, JSON, key, fields, reuse, freeze, PIX key, balance", async () => {
    const company = await givenCompany({ balance: 1_000, mainPixKey: null });
    await requestWithdraw(company, { pixKey: "a@example.com" }, { key: "wd_used" });
    await freeze(company);
    await setScopes(company, ["withdraws:read"]);
    const send = (rawBody: string, key?: string, credentials = company.credentials) =>
      call("/api/Withdraw/request", {
        company: { credentials },
        rawBody,
        headers: key === undefined ? {} : { "Idempotency-Key": key },
      });

    const unknown = { ...company.credentials, "X-API-Key": "sk_test_wrong" };
    await expectProblem(await send("{", undefined, unknown), {
      status: 401,
      code: "INVALID_CREDENTIALS",
    });
    await expectProblem(await send("{"), { status: 403, code: "FORBIDDEN" });
    await setScopes(company, ["withdraws:write"]);
    await expectProblem(await send("{"), { status: 400, code: "MALFORMED_JSON" });
    await expectProblem(await send('{"amount":1}'), {
      status: 400,
      code: "IDEMPOTENCY_KEY_REQUIRED",
      fields: ["Idempotency-Key"],
    });
    await expectProblem(await send('{"amount":1}', "not a key"), {
      status: 400,
      code: "IDEMPOTENCY_KEY_INVALID",
      fields: ["Idempotency-Key"],
    });
    await expectProblem(await send('{"amount":1}', "wd_used"), {
      status: 400,
      code: "WITHDRAW_BELOW_MINIMUM",
      fields: ["amount"],
    });
    await expectProblem(await send('{"amount":5000}', "wd_used"), {
      status: 409,
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    await expectProblem(await send('{"amount":5000}', KEY), {
      status: 422,
      code: "COMPANY_FROZEN",
    });
    await inAccount(company.id, (_account, state) =>
      state.storage.sql.exec("UPDATE company SET frozen = 0"),
    );
    expect((await send('{"amount":5000}', KEY)).body).toEqual({ message: expect.any(String) });
    await expectProblem(await send('{"amount":5000,"pixKey":"a@example.com"}', KEY), {
      status: 422,
      code: "INSUFFICIENT_BALANCE",
      extensions: { availableCents: 0, requiredCents: 5_000 },
    });
  });
});

/** A live company with money and without a payout provider. */
async function givenLive() {
  const company = await givenCompany({ mode: "live" });
  const deps = depsWithBank(new FakeBank());
  await settle(company, await givenTransaction(company, { amount: 10_000 }, { deps }));
  return { company, deps };
}

describe("PROVIDER_NOT_CONFIGURED", () => {
  it("is returned for a live company without payouts before anything is accepted", async () => {
    const { company } = await givenLive();
    const answer = await expectRejected(company, { amount: 1_000 });
    await expectProblem(answer, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
  });

  it("is reported after all checks of the object", async () => {
    const { company } = await givenLive();
    const poor = await expectRejected(company, { amount: 50_000 });
    expect(poor.body.code).toBe("INSUFFICIENT_BALANCE");
    await freeze(company);
    const answer = await expectRejected(company, { amount: 1_000 });
    expect(answer.body.code).toBe("COMPANY_FROZEN");
    const keyless = await givenCompany({ mode: "live", mainPixKey: null });
    expect((await expectRejected(keyless, { amount: 1_000 })).body).toEqual({
      message: expect.stringMatching(/PIX key/),
    });
  });

  it("is reported by a dry run with the other checks", async () => {
    const { company } = await givenLive();
    const { body } = await requestWithdraw(
      company,
      { amount: 1_000 },
      { headers: { "X-Dry-Run": "true" } },
    );
    expect(body).toMatchObject({ accepted: false, balanceBefore: 100, balanceAfter: 100 });
    expect(body.checks.filter((each: any) => !each.passed)).toEqual([
      {
        check: "provider",
        passed: false,
        code: "PROVIDER_NOT_CONFIGURED",
        detail: "This company has no payout provider.",
      },
    ]);
  });

  it("does not change the replay of accepted withdraws", async () => {
    const { company, deps } = await givenLive();
    const first = await requestWithdraw(company, { amount: 1_000 }, { key: KEY, deps });
    const replay = await requestWithdraw(company, { amount: 1_000 }, { key: KEY });
    expect([replay.status, replay.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
    expect(replay.body).toEqual(first.body);
    const other = await requestWithdraw(company, { amount: 2_000 }, { key: KEY });
    await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });
});
