import { expect, it } from "vitest";
import { withdraw } from "../../../support/builders/commands.ts";
import { givenCompany } from "../../../support/builders/company.ts";
import { findingsOf, heldOf } from "../../../support/builders/findings.ts";
import { accountsOf, dumpObject } from "../../../support/builders/ledger.ts";
import {
  answerOperation,
  askRefund,
  dispute,
  givenSettled,
} from "../../../support/builders/object-operations.ts";
import {
  disputeOfPayment,
  givenSetAside,
  paymentOf,
  refundByOthers,
} from "../../../support/builders/provider-reports.ts";
import { auditAll } from "../../../support/faults/tamper.ts";

it("an open dispute that is told with a greater amount blocks more, and is lost or won as a whole", async () => {
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

it("an open dispute that is told with a smaller amount goes on as it was, and that is written down", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  await dispute(company, transaction, { amount: 1_000 });

  expect(await dispute(company, transaction, { amount: 600 })).toEqual({ kind: "contradiction" });

  expect(await accountsOf(company)).toMatchObject({ blocked: 1_000 });
  expect(await findingsOf(company)).toMatchObject([
    { kind: "dispute_status", amount: 400, held: 0, status: "open" },
  ]);
});

it("another amount of a lost dispute of a payment set aside holds what stands nowhere", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { paymentId } = await givenSetAside(company, 2_500);
  await disputeOfPayment(company, paymentId, { status: "LOST" });

  const told = (amount: number) => disputeOfPayment(company, paymentId, { status: "LOST", amount });
  expect((await told(2_000)).kind).toBe("contradiction");
  expect(await heldOf(company)).toBe(0);
  expect((await told(3_000)).kind).toBe("contradiction");

  expect(await heldOf(company)).toBe(500);
});

it("a refund that failed and is told as being on its way is held until it ends", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const paymentId = await paymentOf(company, transaction.id);
  const asked = await askRefund(company, transaction, { amount: 1_000 });
  if (asked.kind !== "send") throw new Error(asked.kind);
  await answerOperation(company, { kind: "failed", reason: "nobody is there" });
  const id = asked.order.operationId.replaceAll("-", "");

  const told = (status: "PROCESSING" | "DONE" | "FAILED") =>
    refundByOthers(company, paymentId, { id, status });
  expect(await told("PROCESSING")).toEqual({ kind: "contradiction" });
  expect(await heldOf(company)).toBe(1_000);
  expect(await told("FAILED")).toEqual({ kind: "already" });
  expect(await heldOf(company)).toBe(0);
  expect(await told("DONE")).toEqual({ kind: "contradiction" });

  expect(await heldOf(company)).toBe(1_000);
  expect((await withdraw(company, { amount: 1_600 })).kind).toBe("insufficient_balance");
});
