import { expect, it } from "vitest";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { findingsOf, heldTotalOf } from "../../../support/probes/contradictions/findings.ts";
import { accountsOf, dumpObject } from "../../../support/probes/ledger/ledger.ts";
import {
  reportOperation,
  requestRefund,
  dispute,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import {
  reportDispute,
  givenUnexpectedPayment,
  paymentOf,
  reportExternalRefund,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";

const DONE = { kind: "done" } as const;

it("an open dispute with an increased amount blocks more and is lost or won as a whole", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction, { amount: 1_000 });

  expect(await dispute(company, transaction, { amount: 1_800 })).toEqual({ kind: "recorded" });
  const before = await dumpObject(company);
  expect(await dispute(company, transaction, { amount: 1_800 })).toEqual({ kind: "already" });
  expect(await dumpObject(company)).toBe(before);

  expect(await accountsOf(company)).toMatchObject({ available: 700, blocked: 1_800 });
  expect((await auditAll(company, true)).violations).toEqual([]);
  await dispute(company, transaction, { amount: 1_800, status: "WON" });
  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
});

it("an open dispute with a reduced amount stays unchanged and opens a contradiction", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction, { amount: 1_000 });

  expect(await dispute(company, transaction, { amount: 600 })).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ blocked: 1_000 });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "dispute_status", amount: 400, held: 0, status: "open" },
  ]);
});

it("a chargeback of the rest takes what refunds have left, once", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const rest = { kind: "CHARGEBACK", isOfRest: true } as const;
  await requestRefund(company, transaction, { amount: 700 });
  await reportOperation(company, { kind: "done" });
  await requestRefund(company, transaction, { amount: 300 });

  await dispute(company, transaction, rest);
  expect(await accountsOf(company)).toMatchObject({ blocked: 1_800 });
  expect((await dispute(company, transaction, rest)).kind).toBe("already");
  await dispute(company, transaction, { ...rest, status: "LOST" });
  await reportOperation(company, { kind: "done" }, 2);
  expect((await dispute(company, transaction, { ...rest, status: "LOST" })).kind).toBe("already");

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0 });
  expect(await findingsOf(company)).toEqual([]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a chargeback of the rest that lost its money to refunds takes nothing, and is looked at", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const transaction = await givenSettled(company, 2_500);
  const lost = { kind: "CHARGEBACK", isOfRest: true, status: "LOST" } as const;
  await requestRefund(company, transaction);
  await reportOperation(company, { kind: "done" });

  for (const again of [1, 2]) {
    const said = await dispute(company, transaction, lost);
    expect([again, said.kind]).toEqual([again, "contradiction"]);
  }
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, blocked: 0 });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "dispute_status", amount: 2_500, held: 2_500, status: "open" },
  ]);
});

it.each([
  { sent: [undefined], fails: [1], left: 5_000, held: 0 },
  { sent: [undefined], fails: [], left: 5_000, held: 2_500 },
  { sent: [1_500, 1_000], fails: [1], left: 5_000, held: 0 },
  { sent: [1_500, 1_000], fails: [2], left: 5_000, held: 0 },
])(
  "a chargeback that was lost while refunds of $sent have no answer takes what they do not: $fails",
  async ({ sent, fails, left, held }) => {
    const company = await givenCompany({ balance: 5_000 });
    const transaction = await givenSettled(company, 2_500);
    const lost = { kind: "CHARGEBACK", isOfRest: true, status: "LOST" } as const;
    for (const amount of sent) {
      await requestRefund(company, transaction, amount === undefined ? {} : { amount });
    }

    expect(await dispute(company, transaction, lost)).toEqual({ kind: "recorded" });
    expect(await dispute(company, transaction, lost)).toEqual({ kind: "already" });
    expect(await accountsOf(company)).toMatchObject({ available: 5_000, blocked: 2_500 });
    for (const at of sent.keys()) {
      const isFailed = fails.includes(at + 1);
      const end = isFailed ? ({ kind: "failed", reason: "charged back" } as const) : DONE;
      await reportOperation(company, end, at + 1);
    }

    expect(await dispute(company, transaction, lost)).toEqual({ kind: "already" });
    expect(await accountsOf(company)).toMatchObject({ available: left, blocked: 0 });
    expect(await heldTotalOf(company)).toBe(held);
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it("a chargeback of the rest is booked while a refund of all waits for its approval", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await requestRefund(company, transaction, { limits: { approvalAbove: 1_000 } });

  const lost = { kind: "CHARGEBACK", isOfRest: true, status: "LOST" } as const;
  expect(await dispute(company, transaction, lost)).toEqual({ kind: "recorded" });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it.each([
  { refunded: undefined, end: "failed", left: 0, held: 0 },
  { refunded: 700, end: "failed", left: 0, held: 0 },
  { refunded: 700, end: "done", left: 0, held: 0 },
  { refunded: undefined, end: "done", left: 0, held: 2_500 },
] as const)(
  "a chargeback that opens and is lost during a refund of $refunded that is $end is booked once it ends",
  async ({ refunded, end, left, held }) => {
    const company = await givenCompany();
    const transaction = await givenSettled(company, 2_500);
    const rest = { kind: "CHARGEBACK", isOfRest: true } as const;
    await requestRefund(company, transaction, refunded === undefined ? {} : { amount: refunded });

    expect(await dispute(company, transaction, rest)).toEqual({ kind: "recorded" });
    const lost = { ...rest, status: "LOST" } as const;
    expect(await dispute(company, transaction, lost)).toEqual({ kind: "recorded" });
    expect(await dispute(company, transaction, lost)).toEqual({ kind: "already" });
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
    await reportOperation(company, end === "done" ? DONE : { kind: "failed", reason: "too late" });

    expect(await accountsOf(company)).toMatchObject({ available: left, blocked: 0 });
    expect(await dispute(company, transaction, lost)).toEqual({ kind: "already" });
    expect(await heldTotalOf(company)).toBe(held);
    expect((await auditAll(company, true)).violations).toEqual([]);
  },
);

it("an open chargeback of the rest is won where a refund gives all of it back", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const transaction = await givenSettled(company, 2_500);
  const rest = { kind: "CHARGEBACK", isOfRest: true } as const;
  await dispute(company, transaction, rest);
  await reportExternalRefund(company, await paymentOf(company, transaction.id), { amount: 2_500 });

  await dispute(company, transaction, { ...rest, status: "LOST" });

  expect(await accountsOf(company)).toMatchObject({ available: 5_000, blocked: 0 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("the money of a part that fails to be refunded after a chargeback of the rest is never free", async () => {
  const company = await givenCompany({ balance: 300 });
  const transaction = await givenSettled(company, 2_500);
  const rest = { kind: "CHARGEBACK", isOfRest: true, status: "LOST" } as const;
  await requestRefund(company, transaction, { amount: 700 });

  expect(await dispute(company, transaction, rest)).toEqual({ kind: "recorded" });
  expect(await accountsOf(company)).toMatchObject({ available: 300, blocked: 2_500 });
  await reportOperation(company, { kind: "failed", reason: "The charge was charged back." });

  expect(await accountsOf(company)).toMatchObject({ available: 300, blocked: 0 });
  expect(await dispute(company, transaction, rest)).toEqual({ kind: "already" });
  expect(await findingsOf(company)).toEqual([]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a chargeback that is won while a refund has no answer leaves its money to the refund's end", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const rest = { kind: "CHARGEBACK", isOfRest: true } as const;
  await requestRefund(company, transaction, { amount: 700 });
  await dispute(company, transaction, { ...rest, status: "LOST" });

  await dispute(company, transaction, { ...rest, status: "WON" });
  await dispute(company, transaction, { ...rest, id: "chargeback:2" });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  await reportOperation(company, { kind: "failed", reason: "The charge was charged back." });

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  await dispute(company, transaction, { ...rest, id: "chargeback:2", status: "WON" });
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a chargeback that was won and is lost after all during a refund is told, and booked once that ends", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const rest = { kind: "CHARGEBACK", isOfRest: true } as const;
  await dispute(company, transaction, rest);
  await dispute(company, transaction, { ...rest, status: "WON" });
  await requestRefund(company, transaction, { amount: 700 });

  const lost = { ...rest, status: "LOST" } as const;
  expect(await dispute(company, transaction, lost)).toEqual({ kind: "contradiction" });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 2_500 });
  await reportOperation(company, { kind: "failed", reason: "The charge was charged back." });

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0 });
  expect(await dispute(company, transaction, lost)).toEqual({ kind: "already" });
  expect(await findingsOf(company)).toMatchObject([{ kind: "dispute_status", held: 0 }]);
  expect((await auditAll(company, true)).violations).toEqual([]);
});

it("a chargeback of the rest that is lost and won again gives back what it took", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const rest = { kind: "CHARGEBACK", isOfRest: true } as const;
  await requestRefund(company, transaction, { amount: 700 });
  await reportOperation(company, { kind: "done" });
  await dispute(company, transaction, { ...rest, status: "LOST" });

  expect(await dispute(company, transaction, { ...rest, status: "WON" })).toEqual({
    kind: "recorded",
  });

  expect(await accountsOf(company)).toMatchObject({ available: 1_800 });
  expect(await findingsOf(company)).toEqual([]);
});

it("another amount of a lost dispute of an unexpected payment holds the difference", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportDispute(company, paymentId, { status: "LOST" });

  const told = (amount: number) => reportDispute(company, paymentId, { status: "LOST", amount });
  expect((await told(2_000)).kind).toBe("contradiction");
  expect(await heldTotalOf(company)).toBe(0);
  expect((await told(3_000)).kind).toBe("contradiction");

  expect(await heldTotalOf(company)).toBe(500);
});

it("a failed refund that is reported as in progress is held until it ends", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = await paymentOf(company, transaction.id);
  const asked = await requestRefund(company, transaction, { amount: 1_000 });
  if (asked.kind !== "send") throw new Error(asked.kind);
  await reportOperation(company, { kind: "failed", reason: "nobody is there" });
  const id = asked.order.operationId.replaceAll("-", "");

  const told = (status: "PROCESSING" | "DONE" | "FAILED") =>
    reportExternalRefund(company, paymentId, { id, status });
  expect(await told("PROCESSING")).toEqual({ kind: "contradiction" });
  expect(await heldTotalOf(company)).toBe(1_000);
  expect(await told("FAILED")).toEqual({ kind: "already" });
  expect(await heldTotalOf(company)).toBe(0);
  expect(await told("DONE")).toEqual({ kind: "contradiction" });

  expect(await heldTotalOf(company)).toBe(1_000);
  expect((await withdraw(company, { amount: 1_600 })).kind).toBe("insufficient_balance");
});
