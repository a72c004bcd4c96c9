import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { settle, endToEndId } from "../../../support/builders/charges/charge-commands.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import {
  updateSettings,
  refund,
  resolveDispute,
  simulate,
} from "../../../support/builders/operations/refund.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { balanceOf } from "../../../support/probes/ledger/balance.ts";

const DAY_MS = 86_400_000;
const OPERATION = "GET /api/Balance/forecast/{companyId}";
/** Midnight in Sao Paulo, which has had no summer time since 2019. */
const MIDNIGHT = "T03:00:00.000Z";

const read = (company: TestCompany, path: string): Promise<Answer> =>
  call(`/api/Balance/forecast/${path}`, { company });

const forecastOf = async (company: TestCompany) =>
  (await read(company, `${company.id}?currency=BRL`)).body;

let payments = 0;

/** A payment at a time, of a charge whose credit is released after `releaseDays`. */
async function givenCredit(
  company: TestCompany,
  amount: number,
  releaseDays: number,
  paidAt: number,
): Promise<void> {
  payments += 1;
  const transaction = await givenTransaction(company, { amount });
  const payment = { paymentId: endToEndId(payments), paidAt };
  await settle(company, transaction, payment, { releaseDays });
}

/** The next midnight of Sao Paulo, and a clock before it. */
function soon(): { clock: TestClock; midnight: number } {
  const clock = new TestClock();
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  return { clock, midnight: Date.parse(today + MIDNIGHT) + DAY_MS };
}

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

it("the forecast is empty for a company without unreleased credits", async () => {
  const company = await givenCompany();
  const answer = await read(company, `${company.id}?currency=BRL`);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    companyId: company.id,
    currency: "BRL",
    total: 0,
    items: [],
  });
  await expectDocumented(OPERATION, answer);
});

it("the forecast is empty when PIX is released at once", async () => {
  const company = await givenCompany({ balance: 2_500 });
  expect(await forecastOf(company)).toMatchObject({ total: 0, items: [] });
});

it("the forecast shows the days of Sao Paulo from midnight to the millisecond, each once and in order", async () => {
  const { clock, midnight } = soon();
  const company = await givenCompany({ clock });
  // After the last payment: a time of days ahead is used for no release.
  clock.advance(midnight + DAY_MS - clock.now());
  for (const [amount, days, paidAt] of [
    [400, 40, midnight],
    [1_000, 3, midnight - 1],
    [200, 3, midnight],
    [30, 3, midnight + DAY_MS - 1],
    [5, 3, midnight + DAY_MS],
  ] as const) {
    await givenCredit(company, amount, days, paidAt);
  }

  const answer = await read(company, `${company.id}?currency=BRL`);

  expect(answer.body).toStrictEqual({
    companyId: company.id,
    currency: "BRL",
    total: 1_635,
    items: [
      { date: dayOf(midnight + 2 * DAY_MS), amount: 1_000 },
      { date: dayOf(midnight + 3 * DAY_MS), amount: 230 },
      { date: dayOf(midnight + 4 * DAY_MS), amount: 5 },
      { date: dayOf(midnight + 40 * DAY_MS), amount: 400 },
    ],
  });
  await expectDocumented(OPERATION, answer);
  expect(await balanceOf(company)).toMatchObject({
    enBalanceStatus: "Pending",
    accBalance: 0,
    accBalanceCredit: 16.35,
    accBalanceCreditAwaiting: 16.35,
  });
});

const agrees = async (company: TestCompany): Promise<number> => {
  const { total, items } = await forecastOf(company);
  expect(items.reduce((sum: number, day: any) => sum + day.amount, 0)).toBe(total);
  expect((await balanceOf(company)).accBalanceCreditAwaiting).toBe(total / 100);
  for (const day of items) expect(day.amount).toBeGreaterThan(0);
  return total;
};

describe("the total of the forecast is accBalanceCreditAwaiting", () => {
  it("stays correct while credits are added, refunded, disputed, won, clawed back and released", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    await updateSettings(company, { releaseDays: { PIX: 2 }, fees: { PIX: { basisPoints: 200 } } });
    const paid = async (amount: number) => {
      const { id } = await givenTransaction(company, { amount });
      await call(`/api/v1/sandbox/transactions/${id}/pay`, { method: "POST", company });
      return id as string;
    };
    const first = await paid(10_000);
    const second = await paid(5_000);
    await paid(1_000);
    const seen = [await agrees(company)];
    await refund(company, first, 4_000);
    seen.push(await agrees(company));
    await simulate(company, first, "dispute");
    seen.push(await agrees(company));
    await resolveDispute(company, first, "won");
    seen.push(await agrees(company));
    await simulate(company, second, "chargeback");
    seen.push(await agrees(company));
    clock.advance(2 * DAY_MS + 60_000);
    seen.push(await agrees(company));
    expect(seen).toEqual([15_680, 11_680, 5_880, 11_680, 6_780, 0]);
    expect((await forecastOf(company)).items).toEqual([]);
  });

  it("changes nothing when it is read", async () => {
    const company = await givenCompany();
    await updateSettings(company, { releaseDays: { PIX: 1 } });
    const { id } = await givenTransaction(company);
    await call(`/api/v1/sandbox/transactions/${id}/pay`, { method: "POST", company });
    await expectNoSideEffects(company, () => forecastOf(company));
  });
});

describe("VALIDATION_FAILED", () => {
  it.each(["", "?currency=", "?currency=brl", "?currency=BR", "?currency=BRL&currency=BRL"])(
    "rejects currency in %j",
    async (query) => {
      const company = await sharedCompany();
      await expectProblem(await read(company, `${company.id}${query}`), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["currency"],
      });
    },
  );

  it.each(["abc", "1.5", "1e3", "0x1", "%201"])(
    "rejects company %s, which is not an integer",
    async (id) => {
      const company = await sharedCompany();
      await expectProblem(await read(company, `${id}?currency=BRL`), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["companyId"],
      });
    },
  );
});

it.each(["0", "-1", "99999999999999999999"])("FORBIDDEN: rejects company %s", async (id) => {
  const company = await sharedCompany();
  await expectProblem(await read(company, `${id}?currency=BRL`), {
    status: 403,
    code: "FORBIDDEN",
  });
});

it("FORBIDDEN: rejects another company, in any currency", async () => {
  const [company, other] = [await sharedCompany(), await givenCompany()];
  for (const currency of ["BRL", "USD"]) {
    await expectProblem(await read(company, `${other.id}?currency=${currency}`), {
      status: 403,
      code: "FORBIDDEN",
    });
  }
});

it("NOT_FOUND: rejects another currency", async () => {
  const company = await sharedCompany();
  await expectProblem(await read(company, `${company.id}?currency=USD`), {
    status: 404,
    code: "NOT_FOUND",
  });
});
