import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { fetchSnapshot } from "../../../../src/api/operator/audit/service.ts";
import { diffProjection } from "../../../../src/db/projection/projection-diff.ts";
import { NO_POLICY } from "../../../../src/domain/withdraws/withdraw-policy.ts";
import type { PayoutReport } from "../../../../src/company/withdraws/command-types.ts";
import {
  returnedReport,
  claimPayout,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { evict } from "../../../support/faults/object.ts";
import { dispute, givenSettled } from "../../../support/builders/operations/object-operations.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const FEE = { basisPoints: 0, fixed: 50 };
const LIMIT = { ...NO_POLICY, dailyLimit: 2_000 };

/** A company whose withdraw of 20.00, with a fee of 0.50, was paid. */
async function givenPaidOut(wish: Parameters<typeof withdraw>[1] = {}) {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000, fee: FEE, ...wish });
  await claimPayout(company);
  await reportPayout(company, PAID);
  await waitUntilDrained(company);
  return company;
}

const found = (company: TestCompany) => callsTo(company.id).findWithdraw(1);

async function newestMovement(company: TestCompany) {
  return (await movementsOf(company)).at(-1);
}

it("a partial return of a paid withdraw is credited, and the withdraw stays Paid", async () => {
  const company = await givenPaidOut();

  expect(await reportPayout(company, returnedReport(700))).toMatchObject({
    kind: "recorded",
    withdraw: { status: "Paid", returnedAmount: 700, endToEndId: expect.any(String) },
  });

  expect(await accountsOf(company)).toMatchObject({ available: 3_650, provider: -3_700 });
  expect(await newestMovement(company)).toEqual({
    type: "withdraw_returned",
    postings: { provider: -700, available: 700 },
  });
  expect((await eventsOf(company)).slice(1)).toMatchObject([
    { type: "withdraw.processing", sequence: 1 },
    { type: "withdraw.paid", sequence: 2 },
    { type: "withdraw.partially_returned", sequence: 3 },
  ]);
});

it("earlier returns are not credited again: each report contains the total", async () => {
  const company = await givenPaidOut();
  for (const back of [300, 300, 700, 700]) await reportPayout(company, returnedReport(back));
  await evict(company);
  await reportPayout(company, returnedReport(700));

  expect(await accountsOf(company)).toMatchObject({ available: 3_650, provider: -3_700 });
  expect((await eventsOf(company)).map(({ type }) => type).slice(3)).toEqual([
    "withdraw.partially_returned",
    "withdraw.partially_returned",
  ]);
});

it.each<[said: string, report: PayoutReport]>([
  ["returned", RETURNED],
  ["paid, of which all is back", returnedReport(2_000)],
])(
  "the last partial return gives back the fee and makes the withdraw Returned: %s",
  async (_, last) => {
    const company = await givenPaidOut();
    await reportPayout(company, returnedReport(700));

    expect(await reportPayout(company, last)).toMatchObject({
      withdraw: { status: "Returned", returnedAmount: 2_000 },
    });

    expect(await accountsOf(company)).toMatchObject({
      available: 5_000,
      fees: 0,
      provider: -5_000,
    });
    expect(await newestMovement(company)).toEqual({
      type: "withdraw_returned",
      postings: { provider: -1_300, fees: -50, available: 1_350 },
    });
    expect((await eventsOf(company)).at(-1)).toMatchObject({
      type: "withdraw.returned",
      sequence: 4,
    });
  },
);

it("a partial return before the payment's report books the payment first", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);

  await reportPayout(company, returnedReport(700));

  expect((await movementsOf(company)).slice(1).map(({ type }) => type)).toEqual([
    "withdraw_requested",
    "withdraw_paid",
    "withdraw_returned",
  ]);
  expect(await found(company)).toMatchObject({ status: "Paid", returnedAmount: 700 });
});

it("a partial return repays debt first", async () => {
  const company = await givenCompany();
  const charge = await givenSettled(company, 2_000);
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);
  await reportPayout(company, PAID);
  await dispute(company, charge, { kind: "CHARGEBACK", status: "LOST", amount: 2_000 });

  await reportPayout(company, returnedReport(700));

  expect(await newestMovement(company)).toEqual({
    type: "withdraw_returned",
    postings: { provider: -700, debt: 700 },
  });
});

it("a partial return may be withdrawn once more on the same day", async () => {
  const company = await givenPaidOut({ policy: LIMIT });
  await reportPayout(company, returnedReport(700));
  const again = (amount: number, idempotencyKey: string) =>
    withdraw(company, { amount, idempotencyKey, policy: LIMIT });

  expect(await again(701, "wd_2")).toMatchObject({
    kind: "daily_limit_exceeded",
    withdrawnToday: 1_300,
  });
  expect((await again(700, "wd_3")).kind).toBe("accepted");
  await reportPayout(company, RETURNED);
  expect((await again(1_300, "wd_4")).kind).toBe("accepted");
  expect((await again(1, "wd_5")).kind).toBe("daily_limit_exceeded");
});

it("the projection contains the returned amount, and a different one is found", async () => {
  const company = await givenPaidOut();
  await reportPayout(company, returnedReport(700));
  await waitUntilDrained(company);
  const originals = () => fetchSnapshot(env, company.id, { transactionIds: [], withdrawIds: [1] });

  expect((await diffProjection(env, company.id, await originals())).withdraws).toEqual([]);
  const read = "SELECT status, returned_amount AS back FROM withdraws WHERE company_id = ?";
  expect(await env.DB.prepare(read).bind(company.id).first()).toEqual({
    status: "Paid",
    back: 700,
  });

  await env.DB.prepare("UPDATE withdraws SET returned_amount = 0 WHERE company_id = ?")
    .bind(company.id)
    .run();
  const { withdraws } = await diffProjection(env, company.id, await originals());
  expect(JSON.stringify(withdraws[0]?.mismatches)).toContain("returnedAmount");
});
