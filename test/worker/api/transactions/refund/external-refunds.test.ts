import { expect, it } from "vitest";
import { bookPayment } from "../../../../../src/api/provider-callbacks/service.ts";
import {
  recheckDispute,
  recheckFailedRefund,
} from "../../../../../src/api/provider-callbacks/recheck.ts";
import { findTransaction } from "../../../../../src/api/transactions/repository.ts";
import { syncCharge } from "../../../../../src/api/transactions/sync.ts";
import { findCompany } from "../../../../../src/db/companies/companies.ts";
import type { ListedPayment } from "../../../../../src/providers/provider.ts";
import type { ProviderDispute } from "../../../../../src/providers/charge.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { endToEndId } from "../../../../support/builders/charges/charge-commands.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { cronDeps } from "../../../../support/fakes/cron.ts";
import {
  claimOperation,
  reportOperation,
  requestRefund,
} from "../../../../support/builders/operations/object-operations.ts";
import { bookingOf } from "../../../../support/builders/operations/operations.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { findingsOf } from "../../../../support/probes/contradictions/findings.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";
import { proposeOn } from "../../../../support/builders/operations/decide.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { givenUnexpectedPayment } from "../../../../support/builders/reconciliation/provider-reports.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";
import { countRoundTrips } from "../../../../support/probes/database/round-trips.ts";
import { depsOfCompany } from "../../../../../src/http/context.ts";

const PAYMENT_ID = endToEndId(1);
const REFUND = { id: "D1", paymentId: PAYMENT_ID, amount: 1_000, status: "DONE" } as const;

/** What went back in all, as a provider tells it that lists no refunds. */
function sumOf(amount: number) {
  return { ...REFUND, id: "sum", isSum: true as const, amount };
}

/** The failed refunds of which the provider is asked again. */
function failedRefunds({ id }: TestCompany) {
  return inAccount(id, (_, { storage }) =>
    storage.sql
      .exec<{ subject: string }>("SELECT subject FROM rechecks WHERE kind = 'failed_refund'")
      .toArray(),
  );
}

async function givenPaidAtBank() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const bank = new FakeBank();
  bank.setPayments({ paymentId: PAYMENT_ID, method: "PIX", amount: 2_500, paidAt: clock.now() });
  const sync = async (environment = env) => {
    const row = await findTransaction(env, company.id, id);
    return syncCharge(await bookingOf(company, bank, clock, environment), bank, row!);
  };
  await sync();
  const known = (await findCompany(env, company.id))!;
  const deps = depsOfCompany(cronDeps(clock, bank), known);
  return { company, known, clock, id: id as string, bank, sync, deps };
}

function reportCharge(bank: FakeBank, change: object): void {
  if (bank.charge.kind !== "known") throw new Error("the bank knows the charge");
  bank.charge = { ...bank.charge, ...change };
}

it("a refund in the bank's own app is booked once when the charge is refreshed", async () => {
  const { company, bank, sync } = await givenPaidAtBank();
  reportCharge(bank, { refunds: [REFUND] });

  await sync();

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, provider: -1_500 });
  const trips = countRoundTrips();
  await sync(trips.env);
  // D1 may be newer than the object, as after a restore: the object is told again, and books nothing.
  expect(trips.lap().trips).toEqual(["settlePayment", "recordProviderRefund"]);
  expect(await accountsOf(company)).toMatchObject({ available: 1_500, provider: -1_500 });
});

it("of the sum of what went back only what is not known is booked, and nothing twice", async () => {
  const { company, bank, sync, id } = await givenPaidAtBank();
  const charge = { id, amount: 2_500 };
  // One of ours, which is on its way: the sum may have it already.
  await requestRefund(company, charge, { amount: 500 });
  const before = await accountsOf(company);

  reportCharge(bank, { refunds: [sumOf(500)] });
  await sync();
  expect(await accountsOf(company)).toEqual(before);
  await claimOperation(company);
  await reportOperation(company, { kind: "done" });
  for (const amount of [1_300, 1_300, 1_500, 1_300]) {
    reportCharge(bank, { refunds: [sumOf(amount)] });
    await sync();
  }

  expect(await accountsOf(company)).toMatchObject({ available: 1_000, provider: -1_000 });
});

it("a provider that told a sum is asked what went back without a refund that has failed", async () => {
  const { company, known, clock, bank, sync, deps, id } = await givenPaidAtBank();
  const payment = {
    paymentId: PAYMENT_ID,
    method: "PIX",
    amount: 2_500,
    paidAt: clock.now(),
  } as const;
  bank.onFindPayment = async () => ({
    kind: "known",
    payment: { ...payment, chargeId: id, disputes: [], refunds: [sumOf(2_500)] },
  });
  await requestRefund(company, { id, amount: 2_500 }, { amount: 500 });
  for (const amount of [400, 2_500]) {
    reportCharge(bank, { refunds: [sumOf(amount)] });
    await sync();
  }
  expect(await accountsOf(company)).toMatchObject({ blocked: 500, provider: -500 });

  await claimOperation(company);
  await reportOperation(company, { kind: "failed", reason: "Refunded already." });
  const [recheck] = await failedRefunds(company);
  for (let time = 0; time < 2; time++)
    expect(await recheckFailedRefund(env, deps, known, recheck?.subject ?? "")).toBe("done");

  expect(await accountsOf(company)).toEqual({ available: 0, blocked: 0, provider: 0 });
  const row = await findTransaction(env, company.id, id);
  expect(row).toMatchObject({ status: "refunded", refundedAmount: 2_500 });
});

it.each([
  ["is asked too where that refund explained the sum", [sumOf(300)], 1],
  ["is not asked where it told no sum", [], 0],
])("it %s", async (_, refunds, expected) => {
  const { company, bank, sync, id } = await givenPaidAtBank();
  await requestRefund(company, { id, amount: 2_500 }, { amount: 500 });
  reportCharge(bank, { refunds });
  await sync();

  await claimOperation(company);
  await reportOperation(company, { kind: "failed", reason: "Refused." });

  expect(await failedRefunds(company)).toHaveLength(expected);
});

it("the unreported end of an open MED is found by polling", async () => {
  const { company, known, bank, sync, deps } = await givenPaidAtBank();
  const med: ProviderDispute = {
    id: "M1",
    paymentId: PAYMENT_ID,
    kind: "DISPUTE",
    amount: 2_500,
    status: "OPEN",
  };
  reportCharge(bank, { disputes: [med] });
  await sync();
  expect(await recheckDispute(env, deps, known, "M1")).toBe("open");
  expect(await accountsOf(company)).toMatchObject({ blocked: 2_500 });

  const knownCharge = bank.charge;
  bank.charge = { kind: "unknown" };
  expect(await recheckDispute(env, deps, known, "M1")).toBe("unknown");
  bank.charge = knownCharge;
  reportCharge(bank, { disputes: [{ ...med, status: "LOST" }] });
  expect(await recheckDispute(env, deps, known, "M1")).toBe("done");

  expect(await accountsOf(company)).toMatchObject({ blocked: 0, provider: 0 });
  expect(await recheckDispute(env, deps, known, "M1")).toBe("done");
});

it("a payment without a charge is booked with its disputes and returns", async () => {
  const { company, known, bank, deps, clock } = await givenPaidAtBank();
  const paymentId = endToEndId(2);
  const listed: ListedPayment = {
    paymentId,
    method: "PIX",
    amount: 900,
    paidAt: clock.now(),
    chargeId: null,
    disputes: [{ id: "M2", paymentId, kind: "DISPUTE", amount: 400, status: "LOST" }],
    refunds: [{ ...REFUND, paymentId, amount: 300 }],
  };

  for (let time = 0; time < 2; time++) {
    await bookPayment({ env, deps, company: known }, bank, listed);
  }

  expect(await accountsOf(company)).toMatchObject({ available: 2_500, suspense: 200 });
});

it("a payment without a charge is credited once the bank reports its charge", async () => {
  const { company, known, bank, deps, clock } = await givenPaidAtBank();
  const { id } = await givenTransaction(company, { amount: 900 });
  const listed: ListedPayment = {
    paymentId: endToEndId(3),
    method: "PIX",
    amount: 900,
    paidAt: clock.now(),
    chargeId: null,
    disputes: [],
    refunds: [],
  };
  await bookPayment({ env, deps, company: known }, bank, listed);
  expect(await accountsOf(company)).toMatchObject({ suspense: 900 });
  // The sandbox made the charge, and a payment matches only a charge of its own provider.
  const named = { ...listed, chargeId: id.replaceAll("-", "") };
  const sandbox = Object.assign(new FakeBank(), { name: "Sandbox" });

  expect(await bookPayment({ env, deps, company: known }, sandbox, named)).toBe(true);

  expect(await accountsOf(company)).toMatchObject({ available: 3_400, suspense: 0 });
  expect(await findingsOf(company)).toMatchObject([{ status: "decided" }]);
});

it("PROVIDER_DISCONNECTED: rejects the return of a payment whose account is gone", async () => {
  const company = await givenCompany({ mode: "live" });
  const { paymentId } = await givenUnexpectedPayment(company, 900, { account: "left" });

  const path = `/companies/${company.id}/suspense/${paymentId}/return`;
  const answer = await proposeOn(path, {});

  await expectProblem(answer, { status: 422, code: "PROVIDER_DISCONNECTED" });
  const [item] = (await callAsOperator(`/companies/${company.id}/suspense`)).body.items;
  expect(item).toMatchObject({ paymentId, returnStatus: null });
});
