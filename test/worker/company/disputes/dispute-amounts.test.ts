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
