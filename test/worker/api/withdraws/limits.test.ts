import { describe, expect, it } from "vitest";
import {
  endOfNight,
  saoPauloNight,
  startOfNextDay,
} from "../../../../src/domain/shared/business-day.ts";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { isoTime } from "../../../../src/domain/shared/clock.ts";
import type { SpendingLimits } from "../../../../src/domain/withdraws/spending-limits.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { changeSettings, HOUR_MS } from "../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const MARIA = "maria@example.com";
const JOAO = "joao@example.com";
const DRY = { headers: { "X-Dry-Run": "true" } };

async function given(settings: Record<string, unknown>, clock = new TestClock()) {
  const company = await givenCompany({ balance: 50_000, clock });
  expect((await changeSettings(company, settings)).status).toBe(200);
  const pay = (amount: number, pixKey = MARIA) => requestWithdraw(company, { amount, pixKey });
  return { clock, company, pay };
}

/** A clock at 23:00 of the next night that has not begun. */
function clockAtNight(): TestClock {
  const clock = new TestClock();
  while (saoPauloNight(clock.now()) !== null) clock.advance(HOUR_MS);
  while (saoPauloNight(clock.now()) === null) clock.advance(HOUR_MS);
  clock.advance(3 * HOUR_MS);
  return clock;
}

/** The refused checks of a dry run. */
async function refusedChecks(answer: Promise<{ body: any }>): Promise<[string, string][]> {
  const { checks } = (await answer).body;
  return checks
    .filter((check: any) => !check.passed)
    .map((check: any) => [check.check, check.code]);
}

describe("the night limit", () => {
  it("NIGHT_LIMIT_EXCEEDED: is one sum over midnight, and ends at 06:00", async () => {
    const { clock, company, pay } = await given({ withdrawNightLimit: 3_000 }, clockAtNight());
    expect((await pay(2_000)).status).toBe(201);
    const morning = endOfNight(clock.now())!;
    clock.advance(2 * HOUR_MS);

    const refused = await pay(1_001);

    await expectProblem(refused, {
      status: 422,
      code: "NIGHT_LIMIT_EXCEEDED",
      extensions: {
        rule: "withdrawNightLimit",
        limitCents: 3_000,
        usedCents: 2_000,
        possibleFrom: isoTime(morning),
      },
    });
    await expectDocumented("POST /api/Withdraw/request", refused);
    expect(await refusedChecks(requestWithdraw(company, { amount: 1_001 }, DRY))).toEqual([
      ["nightLimit", "NIGHT_LIMIT_EXCEEDED"],
    ]);
    expect((await pay(1_000)).status).toBe(201);
    clock.advance(morning - clock.now());
    expect((await pay(9_000)).status).toBe(201);
  });

  it("gets back what failed, and starts again in the next night", async () => {
    const { clock, company, pay } = await given({ withdrawNightLimit: 2_100 }, clockAtNight());
    const failing = await pay(1_099);
    await runPayout(company, failing.body.id);
    expect((await pay(2_100)).status).toBe(201);
    expect((await pay(1_000)).status).toBe(422);
    clock.advance(24 * HOUR_MS);
    expect((await pay(2_100)).status).toBe(201);
  });

  it("counts a night's withdraws from before it was set", async () => {
    const { company, pay } = await given({}, clockAtNight());
    await pay(2_000);
    await changeSettings(company, { withdrawNightLimit: 3_000 });
    expect((await pay(1_001)).body).toMatchObject({
      code: "NIGHT_LIMIT_EXCEEDED",
      usedCents: 2_000,
    });
  });
});

describe("the limit for each key", () => {
  it("KEY_LIMIT_EXCEEDED: counts one key's withdraws of a day", async () => {
    const { clock, company, pay } = await given({ withdrawKeyDailyLimit: 3_000 });
    expect((await pay(2_000)).status).toBe(201);
    await expectProblem(await pay(1_001), {
      status: 422,
      code: "KEY_LIMIT_EXCEEDED",
      extensions: {
        rule: "withdrawKeyDailyLimit",
        limitCents: 3_000,
        usedCents: 2_000,
        possibleFrom: isoTime(startOfNextDay(clock.now())),
      },
    });
    expect((await pay(3_000, JOAO)).status).toBe(201);
    expect((await pay(1_000)).status).toBe(201);
    const dry = requestWithdraw(company, { amount: 1_000, pixKey: MARIA }, DRY);
    expect(await refusedChecks(dry)).toEqual([["keyDailyLimit", "KEY_LIMIT_EXCEEDED"]]);
    clock.advance(24 * HOUR_MS);
    expect((await pay(3_000)).status).toBe(201);
    const never = await pay(3_001, JOAO);
    expect(never.body.code).toBe("KEY_LIMIT_EXCEEDED");
    expect(never.body).not.toHaveProperty("possibleFrom");
  });

  it("counts withdraws from before it was set", async () => {
    const { company, pay } = await given({});
    await pay(1_000);
    await changeSettings(company, { withdrawKeyDailyLimit: 5_000 });
    await pay(1_000);
    expect((await pay(3_001)).body).toMatchObject({ code: "KEY_LIMIT_EXCEEDED", usedCents: 2_000 });
  });

  it("counts those of a pause once, whose end takes a day", async () => {
    const clock = new TestClock();
    const deps = { ...systemDependencies, platformClock: clock };
    clock.advance(startOfNextDay(clock.now()) + 10 * HOUR_MS - clock.now());
    const company = await givenCompany({ balance: 50_000, clock });
    const limit = (withdrawKeyDailyLimit: number | null) =>
      changeSettings(company, { withdrawKeyDailyLimit }, { deps });
    const pay = (amount: number) => requestWithdraw(company, { amount, pixKey: MARIA }, { deps });
    await limit(9_000);
    expect((await limit(null)).status).toBe(202);
    clock.advance(23 * HOUR_MS);
    await pay(1_000);
    clock.advance(2 * HOUR_MS);
    expect((await pay(9_000)).status).toBe(201);
    await limit(12_000);
    await pay(1_000);
    expect((await pay(1_001)).body).toMatchObject({
      code: "KEY_LIMIT_EXCEEDED",
      usedCents: 11_000,
    });
  });

  it("gets back what was cancelled, failed or returned, counted or not", async () => {
    const { company, pay } = await given({});
    const before = await pay(1_000);
    await changeSettings(company, { withdrawKeyDailyLimit: 4_099 });
    const failing = await pay(1_099);
    const returned = await pay(2_000);
    expect((await pay(1_000)).status).toBe(422);
    const post = (path: string) => call(path, { method: "POST", company });
    await post(`/api/Withdraw/${before.body.id}/cancel`);
    await runPayout(company, failing.body.id);
    await runPayout(company, returned.body.id);
    await post(`/api/v1/sandbox/withdraws/${returned.body.id}/return`);
    expect((await pay(4_099)).status).toBe(201);
    expect((await pay(1_000)).body).toMatchObject({ usedCents: 4_099 });
  });

  it("holds for 20 concurrent withdraws", async () => {
    const { pay } = await given({ withdrawKeyDailyLimit: 5_000 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(1_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  });
});

describe("the allowed PIX keys", () => {
  it("PIX_KEY_NOT_ALLOWED: refuse other keys, but not the main one", async () => {
    const { company, pay } = await given({ allowedPixKeys: { enforced: true } });
    await expectProblem(await pay(1_000), {
      status: 422,
      code: "PIX_KEY_NOT_ALLOWED",
      extensions: { rule: "allowedPixKeys" },
    });
    expect((await requestWithdraw(company)).status).toBe(201);
    expect((await requestWithdraw(company, { pixKey: "11222333000181" })).status).toBe(201);
  });

  it("PIX_KEY_COOLING_DOWN: a new key counts after its cool-down", async () => {
    const { clock, company, pay } = await given({ allowedPixKeys: { enforced: true } });
    const added = await call("/api/v1/company/pix-keys", { company, body: { pixKey: MARIA } });
    const refused = await pay(1_000);
    await expectProblem(refused, {
      status: 422,
      code: "PIX_KEY_COOLING_DOWN",
      extensions: { rule: "allowedPixKeys", possibleFrom: added.body.data.countsFrom },
    });
    const dry = requestWithdraw(company, { pixKey: MARIA }, DRY);
    expect(await refusedChecks(dry)).toEqual([["allowedPixKeys", "PIX_KEY_COOLING_DOWN"]]);
    await changeSettings(company, { allowedPixKeys: { coolDownHours: 0 } });
    expect((await pay(1_000)).body.code).toBe("PIX_KEY_COOLING_DOWN");
    clock.advance(24 * HOUR_MS);
    expect((await pay(1_000)).status).toBe(201);
  });
});

describe("spending limits", () => {
  const UNLIMITED: SpendingLimits = { dailyLimit: null, pixKeys: null, until: null };

  async function givenSpendingLimits(spendingLimits: Partial<SpendingLimits>) {
    const { clock, company } = await given({});
    const clerk = await givenApplication(company, {
      spendingLimits: { ...UNLIMITED, ...spendingLimits },
    });
    const pay = (amount: number, pixKey = MARIA) => requestWithdraw(clerk, { amount, pixKey });
    return { clock, company, clerk, pay };
  }

  it("SPENDING_LIMITS_EXCEEDED: limits its application a day, and no other one", async () => {
    const { clock, company, clerk, pay } = await givenSpendingLimits({ dailyLimit: 3_000 });
    expect((await pay(2_000)).status).toBe(201);
    expect((await requestWithdraw(company, { amount: 9_000 })).status).toBe(201);
    await expectProblem(await pay(1_001), {
      status: 422,
      code: "SPENDING_LIMITS_EXCEEDED",
      extensions: {
        rule: "spendingLimits.dailyLimit",
        limitCents: 3_000,
        usedCents: 2_000,
        possibleFrom: isoTime(startOfNextDay(clock.now())),
      },
    });
    const dry = requestWithdraw(clerk, { amount: 1_001 }, DRY);
    expect(await refusedChecks(dry)).toEqual([
      ["spendingLimits.dailyLimit", "SPENDING_LIMITS_EXCEEDED"],
    ]);
    clock.advance(24 * HOUR_MS);
    expect((await pay(3_000)).status).toBe(201);
  });

  it("gets back what was cancelled", async () => {
    const { company, pay } = await givenSpendingLimits({ dailyLimit: 3_000 });
    const { body } = await pay(3_000);
    await call(`/api/Withdraw/${body.id}/cancel`, { method: "POST", company });
    expect((await pay(3_000)).status).toBe(201);
  });

  it("SPENDING_LIMITS_EXCEEDED: names the keys that its application may pay", async () => {
    const { clerk, pay } = await givenSpendingLimits({ pixKeys: [MARIA] });
    expect((await pay(1_000)).status).toBe(201);
    await expectProblem(await pay(1_000, JOAO), {
      status: 422,
      code: "SPENDING_LIMITS_EXCEEDED",
      extensions: { rule: "spendingLimits.pixKeys" },
    });
    expect((await requestWithdraw(clerk)).status).toBe(422);
  });

  it("SPENDING_LIMITS_ENDED: ends by the object's clock, to the millisecond", async () => {
    const clock = new TestClock();
    const endsAt = clock.now() + HOUR_MS;
    const company = await givenCompany({ balance: 50_000, clock });
    const clerk = await givenApplication(company, {
      spendingLimits: { ...UNLIMITED, until: endsAt },
    });
    clock.advance(HOUR_MS - 1);
    expect((await requestWithdraw(clerk)).status).toBe(201);
    clock.advance(1);
    await expectProblem(await requestWithdraw(clerk), {
      status: 422,
      code: "SPENDING_LIMITS_ENDED",
      extensions: { rule: "spendingLimits.until", endedAt: isoTime(endsAt) },
    });
    expect((await requestWithdraw(company)).status).toBe(201);
  });

  it("cannot be passed by 20 concurrent withdraws", async () => {
    const { pay } = await givenSpendingLimits({ dailyLimit: 5_000 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(1_000)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  });
});

it("a dry run names every rule that refuses", async () => {
  const { company } = await given(
    {
      withdrawDailyLimit: 1_000,
      withdrawNightLimit: 1_000,
      withdrawKeyDailyLimit: 1_000,
      allowedPixKeys: { enforced: true },
    },
    clockAtNight(),
  );
  const spendingLimits = { dailyLimit: 1_000, pixKeys: [JOAO], until: 1 };
  const clerk = await givenApplication(company, { spendingLimits });
  const dry = requestWithdraw(clerk, { amount: 2_000, pixKey: MARIA }, DRY);
  expect(await refusedChecks(dry)).toEqual([
    ["spendingLimits.until", "SPENDING_LIMITS_ENDED"],
    ["spendingLimits.pixKeys", "SPENDING_LIMITS_EXCEEDED"],
    ["spendingLimits.dailyLimit", "SPENDING_LIMITS_EXCEEDED"],
    ["allowedPixKeys", "PIX_KEY_NOT_ALLOWED"],
    ["dailyLimit", "DAILY_LIMIT_EXCEEDED"],
    ["nightLimit", "NIGHT_LIMIT_EXCEEDED"],
    ["keyDailyLimit", "KEY_LIMIT_EXCEEDED"],
  ]);
});
