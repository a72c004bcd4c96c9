import { expect, it } from "vitest";
import type { PayoutReport } from "../../src/company/commands.ts";
import { claim, drained, FAILED, PAID, report, RETURNED, withdraw } from "../support/commands.ts";
import { givenCompany } from "../support/company.ts";
import { dumpObject } from "../support/ledger.ts";
import { eventsOf } from "../support/webhook-rows.ts";

const OPEN: PayoutReport = { kind: "processing" };
const UNKNOWN: PayoutReport = { kind: "unknown" };

it.each<[after: string, reports: PayoutReport[], late: PayoutReport]>([
  ["paid", [PAID], FAILED],
  ["failed", [FAILED], PAID],
  ["failed", [FAILED], RETURNED],
  ["returned", [PAID, RETURNED], FAILED],
])("after %s, a report that says otherwise changes nothing", async (_after, reports, late) => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claim(company);
  for (const each of reports) await report(company, each);
  const before = await dumpObject(company);
  const events = await eventsOf(company);

  expect((await report(company, late)).kind).toBe("contradiction");

  expect(await dumpObject(company)).toBe(before);
  expect(await eventsOf(company)).toEqual(events);
});

it.each<[after: string, reports: PayoutReport[], late: PayoutReport]>([
  ["paid", [PAID], PAID],
  ["paid", [PAID], OPEN],
  ["paid", [PAID], UNKNOWN],
  ["failed", [FAILED], FAILED],
  ["failed", [FAILED], UNKNOWN],
  ["returned", [PAID, RETURNED], RETURNED],
  ["returned", [PAID, RETURNED], PAID],
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
  "a withdraw that nobody has claimed yet takes no final report: $kind",
  async (final) => {
    const company = await givenCompany({ balance: 5_000 });
    await withdraw(company, { amount: 2_000 });
    await drained(company);
    const before = await dumpObject(company);

    expect(await report(company, final)).toEqual({ kind: "contradiction", status: "Awaiting" });

    expect(await dumpObject(company)).toBe(before);
  },
);
