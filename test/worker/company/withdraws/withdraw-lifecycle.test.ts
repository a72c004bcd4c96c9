import { expect, it } from "vitest";
import {
  claimPayout,
  FAILED,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { waitUntilDrained, givenCompany } from "../../../support/builders/companies/company.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

/** The movements after the payment that the company began with. */
async function newMovements(company: Parameters<typeof movementsOf>[0]) {
  return (await movementsOf(company)).slice(1);
}

it("a paid withdraw leaves available at once and the ledger when the bank has paid it", async () => {
  const company = await givenCompany({ balance: 5_000 });

  await withdraw(company, { amount: 2_000 });
  expect(await accountsOf(company)).toEqual({ available: 3_000, payout: 2_000, provider: -5_000 });
  expect((await claimPayout(company)).kind).toBe("send");
  expect(await accountsOf(company)).toEqual({ available: 3_000, payout: 2_000, provider: -5_000 });
  expect(await reportPayout(company, PAID)).toMatchObject({
    kind: "recorded",
    withdraw: { status: "Paid", endToEndId: PAID.kind === "paid" ? PAID.endToEndId : "" },
  });

  expect(await accountsOf(company)).toEqual({ available: 3_000, payout: 0, provider: -3_000 });
  expect(await newMovements(company)).toEqual([
    { type: "withdraw_requested", postings: { available: -2_000, payout: 2_000 } },
    { type: "withdraw_paid", postings: { payout: -2_000, provider: 2_000 } },
  ]);
});

it("a failed withdraw releases its money", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);

  expect(await reportPayout(company, FAILED)).toMatchObject({
    kind: "recorded",
    withdraw: { status: "Failed", failureReason: "the account is closed" },
  });

  expect(await accountsOf(company)).toEqual({ available: 5_000, payout: 0, provider: -5_000 });
  expect((await newMovements(company)).at(-1)).toEqual({
    type: "withdraw_failed",
    postings: { payout: -2_000, available: 2_000 },
  });
});

it("a paid withdraw that the bank returns gives its money back", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);
  await reportPayout(company, PAID);

  expect(await reportPayout(company, RETURNED)).toMatchObject({
    kind: "recorded",
    withdraw: { status: "Returned" },
  });

  expect(await accountsOf(company)).toEqual({ available: 5_000, payout: 0, provider: -5_000 });
  expect((await newMovements(company)).at(-1)).toEqual({
    type: "withdraw_returned",
    postings: { provider: -2_000, available: 2_000 },
  });
});

it("a return without a reported payment books the payment first", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);

  await reportPayout(company, RETURNED);

  expect((await newMovements(company)).map((movement) => movement.type)).toEqual([
    "withdraw_requested",
    "withdraw_paid",
    "withdraw_returned",
  ]);
  expect((await eventsOf(company)).slice(1).map((event) => [event.type, event.sequence])).toEqual([
    ["withdraw.processing", 1],
    ["withdraw.paid", 2],
    ["withdraw.returned", 3],
  ]);
});

it("an unknown result is never final, however often it is reported", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);
  await waitUntilDrained(company);
  const processing = await eventsOf(company);

  for (let times = 0; times < 20; times++) {
    expect(
      await reportPayout(company, { kind: times % 2 === 0 ? "unknown" : "processing" }),
    ).toMatchObject({ kind: "recorded", withdraw: { status: "Processing" } });
  }

  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
  expect(await eventsOf(company)).toEqual(processing);
  expect((await reportPayout(company, PAID)).kind).toBe("recorded");
});

it("a report of an unknown withdraw changes nothing", async () => {
  const company = await givenCompany({ balance: 5_000 });

  expect(await claimPayout(company, 7)).toEqual({ kind: "not_found" });
  expect(await reportPayout(company, PAID, 7)).toEqual({ kind: "not_found" });

  expect(await newMovements(company)).toEqual([]);
});
