import { expect, it } from "vitest";
import type { DisputeReport } from "../../../../src/company/disputes/command-types.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import {
  claimOperation,
  CLAIM_EXPIRED_MS,
  dispute,
  givenSettled,
  reportOperation,
  requestRefund,
  runOperation,
  type Charge,
} from "../../../support/builders/operations/object-operations.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { accountsOf, dumpObject, movementsOf } from "../../../support/probes/ledger/ledger.ts";

const DONE = { kind: "done" } as const;
const FAILED = { kind: "failed", reason: "the payment is disputed" } as const;
const WAITS = { approvalAbove: 1_000 };
/** After this long a provider that does not know a refund never got it. */
const NEVER_ARRIVED_MS = 600_000;

/** A payment of 25.00, all of it disputed and blocked, beside 10.00 of other money. */
async function givenDisputed(amount = 2_500) {
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance: 1_000 });
  const transaction = await givenSettled(company, 2_500);
  const id = `dispute of ${transaction.id}`;
  await dispute(company, transaction, { amount });
  const says = (report: Partial<DisputeReport>) =>
    dispute(company, transaction, { amount, ...report });
  const refundInstead = (input: Parameters<typeof requestRefund>[2] = {}) =>
    requestRefund(company, transaction, { insteadOf: id, ...input });
  return { clock, company, transaction, id, says, refundInstead };
}

/** The company keeps its 10.00, the payer has the 25.00 once. */
async function expectTakenOnce(company: TestCompany): Promise<void> {
  expect(await accountsOf(company)).toMatchObject({
    available: 1_000,
    blocked: 0,
    provider: -1_000,
  });
  expect((await auditAll(company, true)).violations).toEqual([]);
}

const chargeOf = (company: TestCompany, { id }: Charge) => callsTo(company.id).findCharge(id);

it("a refund instead of a dispute takes what the dispute has blocked, and moves no other money", async () => {
  const { company, transaction, refundInstead } = await givenDisputed();
  expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 2_500 });

  expect(await refundInstead()).toMatchObject({ kind: "send", order: { amount: 2_500 } });

  expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 2_500 });
  await reportOperation(company, DONE);
  expect((await movementsOf(company)).slice(-2).map(({ type }) => type)).toEqual([
    "dispute_opened",
    "refund_done",
  ]);
  expect(await chargeOf(company, transaction)).toMatchObject({
    status: "refunded",
    refundReason: "REQUESTED",
  });
  await expectTakenOnce(company);
});

it("the dispute that a refund stood instead of can be won, and nothing comes back", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  await refundInstead();
  await reportOperation(company, DONE);

  expect(await says({ status: "WON" })).toEqual({ kind: "recorded" });

  await expectTakenOnce(company);
  expect(await findingsOf(company)).toEqual([]);
});

it("a dispute that is won while its refund has no end leaves the refund its money", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  await refundInstead();

  await says({ status: "WON" });
  expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 2_500 });
  await reportOperation(company, DONE);

  await expectTakenOnce(company);
});

it("a refund that fails after its dispute was won gives the company its money", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  await refundInstead();
  await says({ status: "WON" });

  await reportOperation(company, FAILED);

  expect(await accountsOf(company)).toMatchObject({ available: 3_500, blocked: 0 });
});

it("a refund that fails gives its money back to the open dispute, which blocks it again", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  await refundInstead();

  await reportOperation(company, FAILED);

  expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 2_500 });
  expect((await withdraw(company, { amount: 1_001 })).kind).toBe("insufficient_balance");
  await says({ status: "LOST" });
  await expectTakenOnce(company);
});

it("a refund that failed leaves room for another one", async () => {
  const { company, refundInstead } = await givenDisputed();
  await refundInstead();
  await reportOperation(company, FAILED);

  expect((await refundInstead()).kind).toBe("send");
  await reportOperation(company, DONE, 2);

  await expectTakenOnce(company);
});

it("what the bank says it took beside a refund is booked once, in one finding that holds it", async () => {
  const { company, transaction, refundInstead, says } = await givenDisputed();
  await refundInstead();
  await reportOperation(company, DONE);

  expect(await says({ status: "LOST" })).toEqual({ kind: "contradiction" });
  const before = await dumpObject(company);
  expect(await says({ status: "LOST" })).toEqual({ kind: "already" });
  expect(await says({ status: "LOST", amount: 2_400 })).toEqual({ kind: "already" });
  expect(await says({ status: "OPEN" })).toEqual({ kind: "already" });
  expect(await dumpObject(company)).toBe(before);

  await expectTakenOnce(company);
  expect(await findingsOf(company)).toMatchObject([
    { kind: "dispute_status", object: transaction.id, amount: 2_500, held: 2_500 },
  ]);
  expect(await heldTotalOf(company)).toBe(2_500);
});

it("a lost dispute waits for the end of the refund that may have been sent: done is a contradiction", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  await refundInstead();

  expect(await says({ status: "LOST" })).toEqual({ kind: "recorded" });
  expect(await says({ status: "LOST" })).toEqual({ kind: "already" });
  expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 2_500 });
  expect(await findingsOf(company)).toEqual([]);
  await reportOperation(company, DONE);

  await expectTakenOnce(company);
  expect(await findingsOf(company)).toMatchObject([{ amount: 2_500, held: 2_500 }]);
});

it("a lost dispute waits for the end of the refund that may have been sent: failed is a lost dispute", async () => {
  const { company, transaction, refundInstead, says } = await givenDisputed();
  await refundInstead();
  await says({ status: "LOST" });

  await reportOperation(company, FAILED);

  await expectTakenOnce(company);
  expect(await findingsOf(company)).toEqual([]);
  expect(await chargeOf(company, transaction)).toMatchObject({
    status: "refunded",
    refundReason: "MED",
  });
  expect(await says({ status: "LOST" })).toEqual({ kind: "already" });
  await expectTakenOnce(company);
});

it("less than the disputed amount that the bank took leaves the rest, once the refund has failed", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  await refundInstead();
  await says({ status: "LOST", amount: 2_000 });

  await reportOperation(company, FAILED);

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
});

it("a win after the bank took the money is a contradiction, and the refund's end still decides", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  await refundInstead();
  await says({ status: "LOST" });

  expect(await says({ status: "WON" })).toEqual({ kind: "contradiction" });
  await reportOperation(company, FAILED);

  await expectTakenOnce(company);
  expect(await findingsOf(company)).toMatchObject([{ kind: "dispute_status", held: 0 }]);
});

it("a refund that nobody has sent is cancelled when the bank takes the money", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  expect((await refundInstead({ limits: WAITS })).kind).toBe("waiting");

  expect(await says({ status: "LOST" })).toEqual({ kind: "recorded" });

  await expectTakenOnce(company);
  expect(await operationsOf(company)).toMatchObject([{ kind: "refund", status: "FAILED" }]);
  expect((await claimOperation(company)).kind).toBe("settled");
  expect(await callsTo(company.id).listWaitingExits({ before: null, limit: 10 })).toEqual([]);
});

it("a refund that waits is cancelled too if its dispute was won before the bank took the money", async () => {
  const { company, refundInstead, says } = await givenDisputed();
  await refundInstead({ limits: WAITS });
  await says({ status: "WON" });

  expect(await says({ status: "LOST" })).toEqual({ kind: "contradiction" });

  await expectTakenOnce(company);
});

it("a refund that never reached the bank is not sent again once the bank took the money", async () => {
  const { clock, company, refundInstead, says } = await givenDisputed();
  const bank = new FakeBank();
  await refundInstead();
  await says({ status: "LOST" });

  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);
  expect(await operationsOf(company)).toMatchObject([{ status: "PENDING" }]);
  clock.advance(NEVER_ARRIVED_MS);
  await runOperation(company, bank, clock);

  expect(bank.sentRefunds).toEqual([]);
  expect(await operationsOf(company)).toMatchObject([{ status: "FAILED" }]);
  await expectTakenOnce(company);
});

it("a refund instead is of exactly the disputed amount", async () => {
  const { company, refundInstead } = await givenDisputed(2_000);
  const before = await dumpObject(company);

  for (const amount of [1_999, 2_001, 2_500]) {
    expect(await refundInstead({ amount })).toEqual({
      kind: "not_disputed_amount",
      disputed: 2_000,
    });
  }
  expect(await dumpObject(company)).toBe(before);

  expect(await refundInstead({ amount: 2_000 })).toMatchObject({ order: { amount: 2_000 } });
  await reportOperation(company, DONE);
  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
});

it("a refund instead is refused unless the transaction has this dispute open, alone, and without a refund", async () => {
  const { company, transaction, refundInstead, says } = await givenDisputed(2_000);

  expect(await refundInstead({ insteadOf: "another" })).toEqual({ kind: "dispute_not_open" });
  expect(await requestRefund(company, transaction)).toEqual({ kind: "disputed" });
  await dispute(company, transaction, { id: "second", amount: 100 });
  expect(await refundInstead()).toEqual({ kind: "disputed" });
  await dispute(company, transaction, { id: "second", amount: 100, status: "WON" });
  await refundInstead();
  expect(await refundInstead()).toEqual({ kind: "refunded_instead" });
  await reportOperation(company, DONE);
  expect(await refundInstead()).toEqual({ kind: "refunded_instead" });
  await says({ status: "WON" });
  expect(await refundInstead()).toEqual({ kind: "dispute_not_open" });
});

it("a dispute that blocks less than its amount takes the rest from the company's other money", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await withdraw(company, { amount: 700 });
  await dispute(company, transaction);
  const insteadOf = `dispute of ${transaction.id}`;
  expect(await requestRefund(company, transaction, { insteadOf })).toMatchObject({
    kind: "insufficient_balance",
    available: 0,
    required: 700,
  });
  await givenSettled(company, 700);

  expect((await requestRefund(company, transaction, { insteadOf })).kind).toBe("send");

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  await reportOperation(company, DONE);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0 });
});

it("a dispute that has its refund blocks only what its amount grows by", async () => {
  const { company, transaction, refundInstead, says } = await givenDisputed(2_000);
  await refundInstead();
  await reportOperation(company, DONE);

  expect(await says({ amount: 2_100 })).toEqual({ kind: "recorded" });

  expect(await accountsOf(company)).toMatchObject({ available: 1_400, blocked: 100 });
  expect(await chargeOf(company, transaction)).toMatchObject({ refundedAmount: 2_000 });
});

it("money that comes free is not blocked again for a dispute that has its refund", async () => {
  const company = await givenCompany({ balance: 1_000 });
  const transaction = await givenSettled(company, 2_500);
  await requestRefund(company, transaction, { amount: 500 });
  await dispute(company, transaction, { amount: 2_000 });
  await requestRefund(company, transaction, { insteadOf: `dispute of ${transaction.id}` });
  expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 2_500 });

  await reportOperation(company, FAILED, 1);

  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 2_000 });
  await reportOperation(company, DONE, 2);
  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
});
