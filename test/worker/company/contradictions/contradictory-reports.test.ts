import { expect, it } from "vitest";
import type { PayoutReport } from "../../../../src/company/withdraws/command-types.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import {
  returnedReport,
  claimPayout,
  FAILED,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { waitUntilDrained, givenCompany } from "../../../support/builders/companies/company.ts";
import {
  dumpBooks,
  contradictionsOf,
  operatorEventTypesOf,
} from "../../../support/probes/contradictions/contradictions.ts";
import { dumpObject } from "../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const OPEN: PayoutReport = { kind: "processing" };
const UNKNOWN: PayoutReport = { kind: "unknown" };

it.each<[after: string, reports: PayoutReport[], late: PayoutReport, found: string, held: number]>([
  ["paid", [PAID], FAILED, "Failed", 0],
  ["failed", [FAILED], PAID, "Paid", 2_000],
  ["failed", [FAILED], returnedReport(700), "Paid", 1_300],
  ["failed", [FAILED], RETURNED, "Returned", 0],
  ["returned", [PAID, RETURNED], FAILED, "Failed", 0],
  ["returned", [PAID, RETURNED], returnedReport(700), "returned:700", 1_300],
  ["returned in part", [PAID, returnedReport(700)], returnedReport(500), "returned:500", 200],
  ["returned in part", [PAID, returnedReport(700)], FAILED, "Failed", 0],
])(
  "after %s, a conflicting report books nothing and opens one contradiction",
  async (_after, reports, late, found, held) => {
    const company = await givenCompany({ balance: 5_000 });
    await withdraw(company, { amount: 2_000 });
    await claimPayout(company);
    for (const each of reports) await reportPayout(company, each);
    const [before, events] = [await dumpBooks(company), await eventsOf(company)];

    expect((await reportPayout(company, late)).kind).toBe("contradiction");
    expect((await reportPayout(company, late)).kind).toBe("contradiction");

    expect(await dumpBooks(company)).toEqual(before);
    expect(await eventsOf(company)).toEqual(events);
    expect(await contradictionsOf(company)).toEqual([
      {
        finding: `payout_status:withdraw:1:${found}`,
        kind: "payout_status",
        object: "withdraw:1",
        amount: 2_000,
        held,
        status: "open",
      },
    ]);
    expect(await operatorEventTypesOf(company)).toEqual(["contradiction.opened"]);
  },
);

it("a cancelled withdraw that its bank reports as paid opens a contradiction that holds its amount", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await callsTo(company.id).cancelWithdraw({ companyId: company.id, id: 1, key: null });

  expect(await reportPayout(company, PAID)).toEqual({ kind: "contradiction", status: "Cancelled" });

  expect(await contradictionsOf(company)).toMatchObject([{ amount: 2_000, held: 2_000 }]);
});

it.each<[after: string, reports: PayoutReport[], late: PayoutReport]>([
  ["paid", [PAID], PAID],
  ["paid", [PAID], OPEN],
  ["paid", [PAID], UNKNOWN],
  ["failed", [FAILED], FAILED],
  ["failed", [FAILED], UNKNOWN],
  ["returned", [PAID, RETURNED], RETURNED],
  ["returned", [PAID, RETURNED], PAID],
  ["returned", [PAID, RETURNED], returnedReport(2_000)],
  ["returned in part", [PAID, returnedReport(700)], returnedReport(700)],
  ["returned in part", [PAID, returnedReport(700)], PAID],
  ["returned in part", [PAID, returnedReport(700)], OPEN],
])("after %s, a repeated or late report changes nothing", async (_after, reports, late) => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);
  for (const each of reports) await reportPayout(company, each);
  const before = await dumpObject(company);

  expect((await reportPayout(company, late)).kind).toBe("recorded");

  expect(await dumpObject(company)).toBe(before);
});

it.each([PAID, FAILED, RETURNED])(
  "a final report for an unclaimed withdraw is not applied and is shown to an operator: $kind",
  async (final) => {
    const company = await givenCompany({ balance: 5_000 });
    await withdraw(company, { amount: 2_000 });
    await waitUntilDrained(company);
    const before = await dumpBooks(company);

    expect(await reportPayout(company, final)).toEqual({
      kind: "contradiction",
      status: "Awaiting",
    });

    expect(await dumpBooks(company)).toEqual(before);
    expect(await contradictionsOf(company)).toMatchObject([{ amount: 2_000, held: 0 }]);
  },
);

it("a later failure of the withdraw opens a new contradiction that holds its amount", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await reportPayout(company, PAID);
  await claimPayout(company);
  await reportPayout(company, FAILED);

  await reportPayout(company, PAID);

  expect(await contradictionsOf(company)).toMatchObject([
    { finding: "payout_status:withdraw:1:unsent:Paid", held: 0 },
    { finding: "payout_status:withdraw:1:Paid", held: 2_000 },
  ]);
});
