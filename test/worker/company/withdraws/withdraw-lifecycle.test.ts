import { expect, it } from "vitest";
import {
  claim,
  drained,
  FAILED,
  PAID,
  report,
  RETURNED,
  withdraw,
} from "../../../support/builders/commands.ts";
import { givenCompany } from "../../../support/builders/company.ts";
import { accountsOf, movementsOf } from "../../../support/builders/ledger.ts";
import { eventsOf } from "../../../support/probes/webhook-rows.ts";

/** The movements after the payment that the company began with. */
async function newMovements(company: Parameters<typeof movementsOf>[0]) {
  return (await movementsOf(company)).slice(1);
}

it("a withdraw that is paid leaves available at once and the ledger when the bank has it", async () => {
  const company = await givenCompany({ balance: 5_000 });

  await withdraw(company, { amount: 2_000 });
  expect(await accountsOf(company)).toEqual({ available: 3_000, payout: 2_000, provider: -5_000 });
  expect((await claim(company)).kind).toBe("send");
  expect(await accountsOf(company)).toEqual({ available: 3_000, payout: 2_000, provider: -5_000 });
  expect(await report(company, PAID)).toMatchObject({
    kind: "recorded",
    withdraw: { status: "Paid", endToEndId: PAID.kind === "paid" ? PAID.endToEndId : "" },
  });

  expect(await accountsOf(company)).toEqual({ available: 3_000, payout: 0, provider: -3_000 });
  expect(await newMovements(company)).toEqual([
    { type: "withdraw_requested", postings: { available: -2_000, payout: 2_000 } },
    { type: "withdraw_paid", postings: { payout: -2_000, provider: 2_000 } },
  ]);
});

it("a withdraw that fails gives its money back", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claim(company);

  expect(await report(company, FAILED)).toMatchObject({
    kind: "recorded",
    withdraw: { status: "Failed", failureReason: "the account is closed" },
  });

  expect(await accountsOf(company)).toEqual({ available: 5_000, payout: 0, provider: -5_000 });
  expect((await newMovements(company)).at(-1)).toEqual({
    type: "withdraw_failed",
    postings: { payout: -2_000, available: 2_000 },
  });
});

it("a paid withdraw that the bank sends back gives its money back", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claim(company);
  await report(company, PAID);

  expect(await report(company, RETURNED)).toMatchObject({
    kind: "recorded",
    withdraw: { status: "Returned" },
  });

  expect(await accountsOf(company)).toEqual({ available: 5_000, payout: 0, provider: -5_000 });
  expect((await newMovements(company)).at(-1)).toEqual({
    type: "withdraw_returned",
    postings: { provider: -2_000, available: 2_000 },
  });
});

it("a return whose payment was never reported books the payment first", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claim(company);

  await report(company, RETURNED);

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

it("an unknown answer is never final, however often it comes", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await withdraw(company, { amount: 2_000 });
  await claim(company);
  await drained(company);
  const processing = await eventsOf(company);

  for (let times = 0; times < 20; times++) {
    expect(
      await report(company, { kind: times % 2 === 0 ? "unknown" : "processing" }),
    ).toMatchObject({ kind: "recorded", withdraw: { status: "Processing" } });
  }

  expect(await accountsOf(company)).toMatchObject({ available: 3_000, payout: 2_000 });
  expect(await eventsOf(company)).toEqual(processing);
  expect((await report(company, PAID)).kind).toBe("recorded");
});

it("a report of a withdraw that does not exist changes nothing", async () => {
  const company = await givenCompany({ balance: 5_000 });

  expect(await claim(company, 7)).toEqual({ kind: "not_found" });
  expect(await report(company, PAID, 7)).toEqual({ kind: "not_found" });

  expect(await newMovements(company)).toEqual([]);
});
