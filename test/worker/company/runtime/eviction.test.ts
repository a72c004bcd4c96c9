import { afterEach, expect, it, vi } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  givenCompany,
  inAccount,
} from "../../../support/builders/companies/company.ts";
import {
  endCharge,
  endToEndId,
  settle,
} from "../../../support/builders/charges/charge-commands.ts";
import { accountsOf, dumpObject } from "../../../support/probes/ledger/ledger.ts";
import { evict, disableDrainTimeout } from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

it("an eviction after any write of money loses nothing", async () => {
  disableDrainTimeout();
  const company = await givenCompany();
  const charge = await givenTransaction(company, { amount: 5_000 });
  const other = await givenTransaction(company, { amount: 1_000 });
  const writes: [name: string, write: () => Promise<{ kind: string }>, kind: string][] = [
    ["settle", () => settle(company, charge), "credited"],
    ["unexpected", () => settle(company, charge, { paymentId: endToEndId(2) }), "unexpected"],
    ["end", () => endCharge(company, other, "failed"), "transitioned"],
    ["withdraw", () => withdraw(company), "accepted"],
    ["claim", () => claimPayout(company), "send"],
    ["pay out", () => reportPayout(company, PAID), "recorded"],
    ["return", () => reportPayout(company, RETURNED), "recorded"],
  ];

  for (const [name, write, kind] of writes) {
    expect((await write()).kind, name).toBe(kind);
    await waitUntilDrained(company);
    const before = await dumpObject(company);
    await inAccount(company.id, (account) => Object.assign(account, { mark: "in memory" }));

    await evict(company);

    expect(await inAccount(company.id, (account) => "mark" in account), name).toBe(false);
    expect(await dumpObject(company), name).toBe(before);
  }
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, suspense: 5_000, payout: 0 });
  expect(await callsTo(company.id).findWithdraw(1)).toMatchObject({ status: "Returned" });
  expect((await eventsOf(company)).map((event) => event.type)).toEqual([
    "transaction.paid",
    "payment.unexpected",
    "transaction.failed",
    "withdraw.processing",
    "withdraw.paid",
    "withdraw.returned",
  ]);
});

it("an evicted object remembers its operations and does not repeat them", async () => {
  disableDrainTimeout();
  const company = await givenCompany();
  const charge = await givenTransaction(company, { amount: 5_000 });
  await settle(company, charge);
  await withdraw(company);
  await claimPayout(company);

  await evict(company);

  expect(await settle(company, charge)).toEqual({ kind: "already" });
  expect((await withdraw(company)).kind).toBe("replayed");
  expect(await claimPayout(company)).toEqual({ kind: "wait" });
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 1_000 });
});
