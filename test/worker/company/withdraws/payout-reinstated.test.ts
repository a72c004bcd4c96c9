import { expect, it } from "vitest";
import { compose } from "../../../../src/company/compose.ts";
import type { RequestWithdraw } from "../../../../src/company/withdraws/command-types.ts";
import { NO_POLICY } from "../../../../src/domain/withdraws/withdraw-policy.ts";
import {
  claimPayout,
  FAILED,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";

const DAY_MS = 86_400_000;
const FEE = { basisPoints: 0, fixed: 100 };
const LIMITED = { policy: { ...NO_POLICY, dailyLimit: 3_000 } };

/** A company with 50.00 whose withdraw of 20.00 failed here, while its bank says that it paid. */
async function givenPaidAfterFailure(wish: Partial<RequestWithdraw> = {}) {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  await withdraw(company, { amount: 2_000, ...wish });
  await claimPayout(company);
  await reportPayout(company, FAILED);
  await reportPayout(company, PAID);
  return { clock, company };
}

/** Books the withdraw as paid after all, as operators decided. */
function reinstate(company: TestCompany, nowMs = Date.now()): Promise<boolean> {
  return inAccount(company.id, (_, { storage }) =>
    storage.transactionSync(() => {
      const { stores, payouts } = compose(storage.sql);
      stores.ledger.beginCommit();
      const isBooked = payouts.applyContradiction(1, "paid", nowMs);
      stores.contradictions.close("payout_status:withdraw:1:Paid", "It was paid.", nowMs);
      return isBooked;
    }),
  );
}

it("a failed withdraw that was paid after all is taken again with its fee, once", async () => {
  const { company } = await givenPaidAfterFailure({ fee: FEE });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, fees: 0 });

  expect(await reinstate(company)).toBe(true);
  expect(await reinstate(company)).toBe(false);

  expect(await accountsOf(company)).toMatchObject({ available: 2_900, payout: 0, fees: 100 });
  expect((await movementsOf(company)).slice(-2)).toEqual([
    { type: "withdraw_requested", postings: { available: -2_100, payout: 2_000, fees: 100 } },
    { type: "withdraw_paid", postings: { payout: -2_000, provider: 2_000 } },
  ]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a withdraw that was paid after all owes what the company no longer has, the fee included", async () => {
  const { company } = await givenPaidAfterFailure({ fee: FEE });
  await withdraw(company, { idempotencyKey: "wd_2", amount: 3_000 });

  await reinstate(company);

  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: -100, fees: 100 });
});

it("a withdraw that was paid after all counts for its day again", async () => {
  const { company, clock } = await givenPaidAfterFailure();

  await reinstate(company, clock.now());

  const tooMuch = { ...LIMITED, idempotencyKey: "wd_2", amount: 1_001 };
  expect(await withdraw(company, tooMuch)).toMatchObject({ kind: "daily_limit_exceeded" });
  expect((await withdraw(company, { ...tooMuch, amount: 1_000 })).kind).toBe("accepted");
});

it("a withdraw of an earlier day that was paid after all does not count for the day of its decision", async () => {
  const { company, clock } = await givenPaidAfterFailure();
  clock.advance(DAY_MS);
  await withdraw(company, { idempotencyKey: "wd_2", amount: 1_000 });

  await reinstate(company, clock.now());

  const rest = { ...LIMITED, idempotencyKey: "wd_3", amount: 2_000 };
  expect((await withdraw(company, rest)).kind).toBe("accepted");
});

it("a withdraw that was paid after all keeps all of its movements and is asked about again", async () => {
  const { company, clock } = await givenPaidAfterFailure();

  await reinstate(company, clock.now());

  const kept = await inAccount(company.id, (_, { storage }) => {
    const { withdraws } = compose(storage.sql).stores;
    const rechecks = storage.sql
      .exec<{ kind: string; subject: string }>("SELECT kind, subject FROM rechecks")
      .toArray();
    return { movements: withdraws.find(1)?.movements.length, rechecks };
  });
  expect(kept).toEqual({ movements: 4, rechecks: [{ kind: "payout", subject: "1" }] });
});
