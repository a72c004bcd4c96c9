import { expect, it } from "vitest";
import type { PayoutReport } from "../../../../src/company/commands.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import {
  backTo,
  claim,
  drained,
  FAILED,
  PAID,
  report,
  RETURNED,
  withdraw,
} from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import {
  booksOf,
  contradictionsOf,
  toldOperators,
} from "../../../support/builders/contradictions.ts";
import { dumpObject } from "../../../support/builders/ledger.ts";
import { eventsOf } from "../../../support/probes/webhook-rows.ts";

const OPEN: PayoutReport = { kind: "processing" };
const UNKNOWN: PayoutReport = { kind: "unknown" };

it.each<[after: string, reports: PayoutReport[], late: PayoutReport, found: string, held: number]>([
  ["paid", [PAID], FAILED, "Failed", 0],
  ["failed", [FAILED], PAID, "Paid", 2_000],
  ["failed", [FAILED], backTo(700), "Paid", 1_300],
  ["failed", [FAILED], RETURNED, "Returned", 0],
  ["returned", [PAID, RETURNED], FAILED, "Failed", 0],
  ["returned", [PAID, RETURNED], backTo(700), "returned:700", 1_300],
  ["returned in part", [PAID, backTo(700)], backTo(500), "returned:500", 200],
  ["returned in part", [PAID, backTo(700)], FAILED, "Failed", 0],
])(
  "after %s, a report that says otherwise books nothing and is one contradiction, told to operators",
  async (_after, reports, late, found, held) => {
    const company = await givenCompany({ balance: 5_000 });
    await withdraw(company, { amount: 2_000 });
    await claim(company);
    for (const each of reports) await report(company, each);
    const [before, events] = [await booksOf(company), await eventsOf(company)];

    expect((await report(company, late)).kind).toBe("contradiction");
    expect((await report(company, late)).kind).toBe("contradiction");

    expect(await booksOf(company)).toEqual(before);
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
    expect(await toldOperators(company)).toEqual(["contradiction.opened"]);
  },
);

it("a cancelled withdraw that its bank says it paid is a contradiction that holds its amount", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await companyStub(env, company.id).cancelWithdraw(company.id, 1, null);

  expect(await report(company, PAID)).toEqual({ kind: "contradiction", status: "Cancelled" });

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
  ["returned", [PAID, RETURNED], backTo(2_000)],
  ["returned in part", [PAID, backTo(700)], backTo(700)],
  ["returned in part", [PAID, backTo(700)], PAID],
  ["returned in part", [PAID, backTo(700)], OPEN],
])("after %s, a repeated or late report changes nothing", async (_after, reports, late) => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claim(company);
  for (const each of reports) await report(company, each);
  const before = await dumpObject(company);

  expect((await report(company, late)).kind).toBe("recorded");

  expect(await dumpObject(company)).toBe(before);
});

it.each([PAID, FAILED, RETURNED])(
  "a withdraw that nobody has claimed yet takes no final report, and a person is told: $kind",
  async (final) => {
    const company = await givenCompany({ balance: 5_000 });
    await withdraw(company, { amount: 2_000 });
    await drained(company);
    const before = await booksOf(company);

    expect(await report(company, final)).toEqual({ kind: "contradiction", status: "Awaiting" });

    expect(await booksOf(company)).toEqual(before);
    expect(await contradictionsOf(company)).toMatchObject([{ amount: 2_000, held: 0 }]);
  },
);

it("the same contradiction of a withdraw that fails later is another one, which holds its amount", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await report(company, PAID);
  await claim(company);
  await report(company, FAILED);

  await report(company, PAID);

  expect(await contradictionsOf(company)).toMatchObject([
    { finding: "payout_status:withdraw:1:unsent:Paid", held: 0 },
    { finding: "payout_status:withdraw:1:Paid", held: 2_000 },
  ]);
});
