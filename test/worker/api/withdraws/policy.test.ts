import { describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const PATH = "/api/v1/company/settings";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const change = (company: TestCompany, body: Record<string, unknown>) =>
  call(PATH, { method: "PUT", company, body });

async function givenPolicy(settings: Record<string, unknown>) {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 50_000, clock });
  expect((await change(company, settings)).status).toBe(200);
  return { clock, company };
}

describe("the settings", () => {
  it("are off by default, and omitted settings stay unchanged", async () => {
    const company = await givenCompany();
    const off = {
      duplicateWithdrawGuard: false,
      withdrawDailyLimit: null,
      withdrawNightLimit: null,
      withdrawKeyDailyLimit: null,
      withdrawApprovalAbove: null,
      allowedPixKeys: { enforced: false, coolDownHours: 24 },
      refundDailyLimit: null,
      refundApprovalAbove: null,
      roleLimits: { support: { refundDailyLimit: 50_000 } },
      pending: [],
      retentionDays: null,
      unexpectedPayments: {
        SECOND_PAYMENT: "keep",
        LATE: "credit",
        NO_CHARGE: "keep",
        WRONG_AMOUNT: "credit",
      },
      brand: { name: null, color: null, logoUrl: null },
      embedOrigins: [],
      reminders: { email: false, daysBefore: [], daysAfter: [], quietHours: { from: 20, to: 8 } },
    };
    expect((await call(PATH, { company })).body).toEqual(off);
    const limited = { ...off, withdrawDailyLimit: 100_000 };
    expect((await change(company, { withdrawDailyLimit: 100_000 })).body).toEqual(limited);
    const both = { ...limited, duplicateWithdrawGuard: true };
    expect((await change(company, { duplicateWithdrawGuard: true })).body).toEqual(both);
    expect((await call(PATH, { company })).body).toEqual(both);
    // A looser limit waits.
    expect((await change(company, { withdrawDailyLimit: null })).body).toEqual({
      ...both,
      pending: [
        { field: "withdrawDailyLimit", from: 100_000, to: null, effectiveAt: expect.any(String) },
      ],
    });
  });

  it("keep two concurrent changes of different settings", async () => {
    for (let time = 1; time <= 10; time++) {
      const company = await givenCompany();
      await Promise.all([
        change(company, { duplicateWithdrawGuard: true }),
        change(company, { withdrawDailyLimit: time }),
      ]);
      expect((await call(PATH, { company })).body).toMatchObject({
        duplicateWithdrawGuard: true,
        withdrawDailyLimit: time,
      });
    }
  });

  it.each([
    ["withdrawDailyLimit", -1],
    ["withdrawDailyLimit", 1.5],
    ["withdrawDailyLimit", "100"],
    ["duplicateWithdrawGuard", "yes"],
    ["withdrawNightLimit", -1],
    ["withdrawKeyDailyLimit", "1"],
    ["withdrawApprovalAbove", 0.5],
    ["retentionDays", 89],
  ])("VALIDATION_FAILED: %s cannot be %o", async (field, value) => {
    const company = await givenCompany();
    await expectProblem(await change(company, { [field]: value }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [field],
    });
  });
});

describe("the duplicate guard", () => {
  it("is off by default: two equal requests are two withdraws", async () => {
    const company = await givenCompany({ balance: 5_000 });
    expect((await requestWithdraw(company)).status).toBe(201);
    expect((await requestWithdraw(company)).status).toBe(201);
  });

  it("POSSIBLE_DUPLICATE_WITHDRAW: same key and amount within ten minutes, unless confirmed", async () => {
    const { company } = await givenPolicy({ duplicateWithdrawGuard: true });
    const first = await requestWithdraw(company, {}, { key: "wd_a" });

    const second = await requestWithdraw(company, {}, { key: "wd_b" });

    await expectProblem(second, {
      status: 409,
      code: "POSSIBLE_DUPLICATE_WITHDRAW",
      extensions: { withdrawId: first.body.id },
    });
    const confirm = (id: number) =>
      requestWithdraw(company, {}, { key: "wd_b", headers: { "X-Confirm-Duplicate": String(id) } });
    expect((await confirm(first.body.id + 1)).status).toBe(409);
    expect((await confirm(first.body.id)).status).toBe(201);
    expect((await balanceOf(company)).accBalance).toBe(480);
  });

  it("treats the retry of one request as a replay, not a duplicate", async () => {
    const { company } = await givenPolicy({ duplicateWithdrawGuard: true });
    await requestWithdraw(company, {}, { key: "wd_a" });
    const retry = await requestWithdraw(company, {}, { key: "wd_a" });
    expect(retry.status).toBe(201);
    expect(retry.headers.get("Idempotent-Replayed")).toBe("true");
  });

  it("accepts another amount, another key and a later time", async () => {
    const { clock, company } = await givenPolicy({ duplicateWithdrawGuard: true });
    expect((await requestWithdraw(company)).status).toBe(201);
    expect((await requestWithdraw(company, { amount: 1_001 })).status).toBe(201);
    expect((await requestWithdraw(company, { pixKey: "a@example.com" })).status).toBe(201);
    clock.advance(10 * MINUTE_MS + 1);
    expect((await requestWithdraw(company)).status).toBe(201);
  });

  it("accepts the repeat of a withdraw that failed or was cancelled", async () => {
    const { company } = await givenPolicy({ duplicateWithdrawGuard: true });
    const refused = await requestWithdraw(company, { amount: 1_099 });
    await runPayout(company, refused.body.id);
    expect((await requestWithdraw(company, { amount: 1_099 })).status).toBe(201);
  });

  it("VALIDATION_FAILED: the header must be a withdraw number", async () => {
    const { company } = await givenPolicy({ duplicateWithdrawGuard: true });
    const answer = await requestWithdraw(
      company,
      {},
      { headers: { "X-Confirm-Duplicate": "all" } },
    );
    await expectProblem(answer, {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["X-Confirm-Duplicate"],
    });
  });
});

describe("the daily limit", () => {
  it("DAILY_LIMIT_EXCEEDED: rejects a withdraw beyond it with both amounts, and accepts one up to it", async () => {
    const { company } = await givenPolicy({ withdrawDailyLimit: 3_000 });
    expect((await requestWithdraw(company, { amount: 2_000 })).status).toBe(201);
    const beyond = await requestWithdraw(company, { amount: 1_001 });
    await expectProblem(beyond, {
      status: 422,
      code: "DAILY_LIMIT_EXCEEDED",
      extensions: {
        rule: "withdrawDailyLimit",
        limitCents: 3_000,
        usedCents: 2_000,
        withdrawnTodayCents: 2_000,
        possibleFrom: expect.any(String),
      },
    });
    expect((await requestWithdraw(company, { amount: 1_000 })).status).toBe(201);
  });

  it("does not count reversed withdraws, and starts again the next day", async () => {
    const { clock, company } = await givenPolicy({ withdrawDailyLimit: 2_000 });
    const failing = await requestWithdraw(company, { amount: 1_099 });
    await runPayout(company, failing.body.id);
    expect((await requestWithdraw(company, { amount: 2_000 })).status).toBe(201);
    expect((await requestWithdraw(company, { amount: 1_000 })).status).toBe(422);
    clock.advance(DAY_MS);
    expect((await requestWithdraw(company, { amount: 1_000 })).status).toBe(201);
  });

  it("holds for 20 concurrent withdraws", async () => {
    const { company } = await givenPolicy({ withdrawDailyLimit: 5_000 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        requestWithdraw(company, { amount: 1_000 }, { key: `wd_race_${index}` }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(5);
  });
});

const passed = (check: string) => ({ check, passed: true, code: null, detail: null });

describe("a dry run", () => {
  const DRY = { "X-Dry-Run": "true" };

  it("shows the effect of the withdraw, stores nothing and leaves the key free", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const dry = await requestWithdraw(company, { amount: 2_000 }, { key: "wd_dry", headers: DRY });
    expect(dry.status).toBe(200);
    expect(dry.body).toEqual({
      dryRun: true,
      accepted: true,
      value: 20,
      fee: 0,
      currency: "BRL",
      pixKey: "11222333000181",
      pixKeyType: "CNPJ",
      creditorDocument: "11222333000181",
      balanceBefore: 50,
      balanceAfter: 30,
      approval: "none",
      checks: [
        "idempotencyKey",
        "minimum",
        "company",
        "pixKey",
        "duplicate",
        "spendingLimits.until",
        "spendingLimits.pixKeys",
        "spendingLimits.dailyLimit",
        "allowedPixKeys",
        "dailyLimit",
        "nightLimit",
        "keyDailyLimit",
        "balance",
        "provider",
      ].map(passed),
    });
    expect((await balanceOf(company)).accBalance).toBe(50);
    const real = await requestWithdraw(company, { amount: 3_000 }, { key: "wd_dry" });
    expect(real.status).toBe(201);
    expect(real.body.id).toBe(1);
  });

  it("of a completed request says that its key takes no further money", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await change(company, { duplicateWithdrawGuard: true, withdrawDailyLimit: 4_000 });
    await requestWithdraw(company, { amount: 4_000 }, { key: "wd_1" });

    const dry = await requestWithdraw(company, { amount: 4_000 }, { key: "wd_1", headers: DRY });

    expect(dry.body).toMatchObject({ accepted: true, balanceBefore: 10, balanceAfter: 10 });
    expect(dry.body.checks[0]).toEqual({
      check: "idempotencyKey",
      passed: true,
      code: null,
      detail: expect.stringContaining("returns the first answer"),
    });
    const real = await requestWithdraw(company, { amount: 4_000 }, { key: "wd_1" });
    expect([real.status, real.body.id]).toEqual([201, 1]);
    expect((await balanceOf(company)).accBalance).toBe(10);
  });

  it("of another request under a used key is not accepted", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await requestWithdraw(company, { amount: 1_000 }, { key: "wd_1" });

    const dry = await requestWithdraw(company, { amount: 2_000 }, { key: "wd_1", headers: DRY });

    expect(dry.body).toMatchObject({ accepted: false, balanceBefore: 40, balanceAfter: 40 });
    expect(dry.body.checks[0]).toMatchObject({
      check: "idempotencyKey",
      passed: false,
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    const real = await requestWithdraw(company, { amount: 2_000 }, { key: "wd_1" });
    expect([real.status, real.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  it("reports every failed check, not only the first", async () => {
    const company = await givenCompany({ balance: 2_000, mainPixKey: null });
    await change(company, { withdrawDailyLimit: 1_000 });
    const dry = await requestWithdraw(company, { amount: 3_000 }, { headers: DRY });
    expect(dry.body).toMatchObject({ accepted: false, balanceBefore: 20, balanceAfter: 20 });
    const failed = dry.body.checks.filter((check: any) => !check.passed);
    expect(failed.map((check: any) => [check.check, check.code])).toEqual([
      ["pixKey", null],
      ["dailyLimit", "DAILY_LIMIT_EXCEEDED"],
      ["balance", "INSUFFICIENT_BALANCE"],
    ]);
  });

  it("is also an operation of its own, which needs no key and knows a used one", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const body = { amount: 2_000 };
    const preview = (key?: string) =>
      call("/api/v1/withdraws/preview", {
        company,
        body,
        headers: key === undefined ? {} : { "Idempotency-Key": key },
      });
    const answer = await preview();
    await expectDocumented("POST /api/v1/withdraws/preview", answer);
    const dry = await requestWithdraw(company, body, { headers: DRY });
    expect(answer.body).toEqual(dry.body);
    await requestWithdraw(company, body, { key: "wd_used" });
    const repeated = (await preview("wd_used")).body.checks;
    expect(repeated).not.toEqual((await preview("wd_free")).body.checks);
    expect((await preview()).body.balanceBefore).toBe(30);
  });

  it("VALIDATION_FAILED: rejects a header that is neither true nor false, and moves no money", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const answer = await requestWithdraw(company, {}, { headers: { "X-Dry-Run": "yes" } });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["X-Dry-Run"] });
    expect((await balanceOf(company)).accBalance).toBe(50);
  });
});

it("VALIDATION_FAILED: a declared type that the registered main key does not have", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await expectProblem(await requestWithdraw(company, { pixKeyType: "EMAIL" }), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["pixKeyType"],
  });
  expect((await requestWithdraw(company, { pixKeyType: "CNPJ" })).status).toBe(201);
});
