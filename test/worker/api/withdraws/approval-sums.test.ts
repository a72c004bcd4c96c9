import { expect, it } from "vitest";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { changeSettings, decide, HOUR_MS } from "../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../support/fakes/clock.ts";

const DAY_MS = 24 * HOUR_MS;

/** A company of R$ 500.00 whose withdraws wait above R$ 20.00 a day. */
async function givenThreshold() {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 50_000, clock });
  await changeSettings(company, { withdrawApprovalAbove: 2_000 });
  const approvals = async (...amounts: number[]) => {
    const found: string[] = [];
    for (const amount of amounts) {
      const { body } = await requestWithdraw(company, { amount });
      found.push(body.approval);
    }
    return found;
  };
  return { clock, company, approvals };
}

it("eight times the threshold is not eight free ones: what nobody approved of a day is counted", async () => {
  const { clock, company, approvals } = await givenThreshold();
  expect(await approvals(1_000, 1_000, 1_000, 1_000)).toEqual([
    "none",
    "none",
    "pending",
    "pending",
  ]);
  const dry = { headers: { "X-Dry-Run": "true" } };
  expect((await requestWithdraw(company, { amount: 1_000 }, dry)).body.approval).toBe("pending");

  clock.advance(DAY_MS);

  expect((await requestWithdraw(company, { amount: 1_000 }, dry)).body.approval).toBe("none");
  expect(await approvals(2_000, 1_000)).toEqual(["none", "pending"]);
});

it("what somebody approved is not counted, and what was given back is free again", async () => {
  const { company, approvals } = await givenThreshold();
  const approver = await givenApplication(company);
  expect(await approvals(3_000)).toEqual(["pending"]);
  await decide(approver, "approve", 1);
  expect(await approvals(1_001, 1_000)).toEqual(["none", "pending"]);
  await decide(approver, "refuse", 3);
  expect(await approvals(1_000)).toEqual(["pending"]);

  await call("/api/Withdraw/2/cancel", { method: "POST", company });

  expect(await approvals(2_000)).toEqual(["none"]);
});

it("one that failed is free again", async () => {
  const { company, approvals } = await givenThreshold();
  // The sandbox bank refuses amounts that end in .99.
  expect(await approvals(1_999)).toEqual(["none"]);
  await runPayout(company, 1);
  expect((await call("/api/Withdraw/1", { company })).body.enTransaction).toBe("Failed");
  expect(await approvals(2_000)).toEqual(["none"]);
});

it("withdraws from before the threshold was set that day count", async () => {
  const company = await givenCompany({ balance: 50_000 });
  await requestWithdraw(company, { amount: 5_000 });
  await changeSettings(company, { withdrawApprovalAbove: 2_000 });
  expect((await requestWithdraw(company, { amount: 1_000 })).body.approval).toBe("pending");
});
