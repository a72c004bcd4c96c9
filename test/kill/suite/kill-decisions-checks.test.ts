import { describe, expect, it } from "vitest";
import { balanceProblems } from "../lib/checks/check-balances.ts";
import { decisionProblems } from "../lib/checks/check-decisions.ts";
import { eventProblems } from "../lib/checks/check-events.ts";
import { durabilityProblems } from "../lib/checks/check-durability.ts";
import { proposalProblems, undecidedProblems } from "../lib/checks/check-proposals.ts";
import {
  refundApprovalProblems,
  transactionsThatWaited,
} from "../lib/checks/check-refund-approvals.ts";
import { statementProblems } from "../lib/checks/check-statement.ts";
import { unexpectedProblems } from "../lib/checks/check-unexpected.ts";
import type { DeliveryOutcome } from "../lib/inbox.ts";
import { Journal } from "../lib/journal.ts";
import { givenDecisions, PAID, proposal, type World } from "./given-decisions.ts";
import { acknowledge, observedOf } from "./observed.ts";

function problemsIn(world: World): string {
  const { journal, movements, refunds, ...rows } = world;
  const observed = observedOf(movements, rows);
  const ofTransactions = new Map([[PAID, refunds]]);
  return [
    ...statementProblems(observed),
    ...durabilityProblems(journal, observed),
    ...decisionProblems(journal, observed),
    ...unexpectedProblems(journal, observed),
    ...proposalProblems(journal, observed),
    ...undecidedProblems(journal, observed, true),
    ...refundApprovalProblems(journal, observed, ofTransactions),
    ...balanceProblems(journal, observed, ofTransactions),
  ].join("\n");
}

function change<Row extends { id: string | number }>(rows: Row[], id: Row["id"], to: Partial<Row>) {
  Object.assign(
    rows.find((row) => row.id === id)!,
    to,
  );
}

function drop(world: World, type: string): void {
  world.movements = world.movements.filter((one) => one.type !== type);
}

function double(world: World, type: string): void {
  world.movements = world.movements.flatMap((one) => (one.type === type ? [one, one] : [one]));
}

it("the kill test reports nothing when every decision had its effect once", () => {
  expect(problemsIn(givenDecisions())).toBe("");
});

it("the kill test lets an approved refund wait that met a freeze", () => {
  const world = givenDecisions();
  const approvedAt = world.journal.of(1, "refund_approve").map(({ firstSentAt }) => firstSentAt);
  const freeze = acknowledge(world.journal, "freeze", { body: { frozen: true }, key: null }, {});
  freeze.firstSentAt = Math.min(...approvedAt);
  change(world.refunds, "r1", { status: "PENDING" });
  drop(world, "refund_done");
  expect(problemsIn(world)).not.toMatch(/refund r1/);
});

it("the kill test reads the refunds of transactions of which one waited", () => {
  expect(transactionsThatWaited(givenDecisions().journal, 1)).toEqual([PAID]);
});

describe("the kill test reports", () => {
  it.each<[string, RegExp, (world: World) => unknown]>([
    [
      "a refund that waits although it was approved",
      /^lost: the decision of refund r1/m,
      ({ waiting }) => waiting.push("r1"),
    ],
    [
      "an approval of a refund that is gone",
      /^lost: approved refund r1/m,
      ({ refunds }) => change(refunds, "r1", { approval: "pending" }),
    ],
    [
      "a refusal of a refund that is gone",
      /^lost: refused refund r2/m,
      ({ refunds }) => change(refunds, "r2", { approval: "pending" }),
    ],
    [
      "an approved refund that was never sent",
      /^wrong: refund r1 is PENDING/m,
      ({ refunds }) => change(refunds, "r1", { status: "PENDING" }),
    ],
    [
      "a refused refund that was sent",
      /^wrong: refund r2 is DONE/m,
      ({ refunds }) => change(refunds, "r2", { status: "DONE" }),
    ],
    [
      "a refund that was sent without its approval",
      /^lost: pending refund r3 is DONE and its approval approved/m,
      ({ refunds }) => change(refunds, "r3", { status: "DONE", approval: "approved" }),
    ],
    [
      "an approved refund whose money moved twice",
      /^doubled: refund_done/m,
      (world) => double(world, "refund_done"),
    ],
    [
      "an approved refund whose money moved never",
      /^lost: refund_done/m,
      (world) => drop(world, "refund_done"),
    ],
    [
      "two decisions of one refund",
      /^doubled: refund r1 was decided 2 times/m,
      ({ journal }) =>
        acknowledge(journal, "refund_approve", { subject: "r1", key: "again" }, { data: {} }),
    ],
    [
      "an approval of a withdraw that is gone",
      /^lost: approved withdraw 1/m,
      ({ withdraws }) => change(withdraws, 1, { approval: "pending", status: "Awaiting" }),
    ],
    [
      "a refusal of a withdraw that is gone",
      /^lost: refused withdraw 2/m,
      ({ withdraws }) => change(withdraws, 2, { approval: "pending", status: "Awaiting" }),
    ],
    [
      "a withdraw that was sent although it was refused",
      /^wrong: withdraw 2 is Paid/m,
      ({ withdraws }) => change(withdraws, 2, { status: "Paid" }),
    ],
    [
      "a withdraw that nobody approved",
      /^doubled: nobody approved withdraw 3/m,
      ({ withdraws }) => change(withdraws, 3, { approval: "approved" }),
    ],
    [
      "a withdraw that waits for nobody any more",
      /^lost: waiting withdraw 1/m,
      ({ withdraws }) => change(withdraws, 1, { approval: "none" }),
    ],
    [
      "two decisions of one withdraw",
      /^doubled: withdraw 2 was decided 2 times/m,
      ({ journal }) => acknowledge(journal, "withdraw_approve", { subject: 2, key: "again" }, {}),
    ],
    [
      "an approved return that was never sent",
      /^lost: approved return of payment 4, which is kept/m,
      ({ journal }) => {
        const data = { kind: "return", paymentId: "payment 4" };
        return acknowledge(journal, "refund_approve", { subject: "r4", key: "a5" }, { data });
      },
    ],
    ["a payment that is gone", /^lost: payment payment 4/m, (world) => world.payments.pop()],
    [
      "a return that is gone",
      /^lost: returned payment payment 1: kept/m,
      ({ payments }) => change(payments, "payment 1", { status: "kept" }),
    ],
    [
      "a credit that is gone",
      /^lost: credited payment payment 2: kept/m,
      ({ payments }) => change(payments, "payment 2", { status: "kept" }),
    ],
    [
      "a return that was booked twice",
      /^doubled: company 1 booked returns/m,
      (world) => double(world, "suspense_returned"),
    ],
    [
      "a credit that was booked twice",
      /^doubled: company 1 booked credits/m,
      (world) => double(world, "suspense_credited"),
    ],
    [
      "a return that was not booked",
      /^lost: company 1 booked returns/m,
      (world) => drop(world, "suspense_returned"),
    ],
    [
      "a return that nobody asked for",
      /^doubled: nobody asked for the return of payment payment 4/m,
      ({ payments }) => change(payments, "payment 4", { status: "returned" }),
    ],
    [
      "a transaction that was not made for a credited payment",
      /^lost: transaction a made transaction/m,
      (world) => world.transactions.pop(),
    ],
    [
      "a second transaction that was made for a payment",
      /^doubled: nobody asked for transaction another/m,
      ({ transactions }) =>
        transactions.push({ seq: 3, id: "another", amount: 400, status: "PAID", key: null }),
    ],
    ["a proposal that is gone", /^lost: proposal p1/m, (world) => world.proposals.shift()],
    [
      "an approval of a proposal that is gone",
      /^lost: proposal p1, which was approved/m,
      ({ proposals }) => change(proposals, "p1", { status: "pending", decidedBy: null }),
    ],
    [
      "an approved proposal without an effect on its withdraw",
      /^lost: withdraw:3, which was decided done, is Processing/m,
      ({ withdraws }) => change(withdraws, 3, { status: "Processing" }),
    ],
    [
      "an approved proposal without an effect on its payment",
      /^lost: payment payment 3, whose return two operators decided/m,
      ({ payments }) => change(payments, "payment 3", { status: "kept" }),
    ],
    [
      "a decided withdraw that was booked twice",
      /^doubled: withdraw 3 ended 2 times/m,
      (world) => double(world, "withdraw_paid"),
    ],
    [
      "two decisions about one thing",
      /^doubled: withdraw:3 was decided twice/m,
      ({ proposals }) => proposals.push(proposal("p3", "withdraw:3", { outcome: "done" })),
    ],
    [
      "a proposal that nobody approved",
      /^doubled: nobody approved proposal p3/m,
      ({ proposals }) => proposals.push(proposal("p3", "payment:payment 4")),
    ],
    [
      "an approval that crashed and was never finished",
      /^lost: the approval of proposal p3/m,
      ({ proposals }) =>
        proposals.push({ ...proposal("p3", "payment:payment 4"), status: "pending" }),
    ],
    [
      "a withdraw that ended although nobody decided it",
      /^doubled: withdraw 3 is Paid, which nobody decided/m,
      ({ proposals }) => change(proposals, "p1", { status: "refused" }),
    ],
  ])("%s", (_what, expected, spoil) => {
    const world = givenDecisions();
    spoil(world);
    expect(problemsIn(world)).toMatch(expected);
  });
});

describe("the kill test reports of events", () => {
  const PAID_EVENTS = [
    "withdraw.awaiting_approval",
    "withdraw.approved",
    "withdraw.processing",
    "withdraw.paid",
  ];
  const RETURNED_EVENTS = ["payment.unexpected", "payment.return_failed", "payment.returned"];
  const { withdraws, payments } = givenDecisions();

  it.each<[string, string, string[], string[]]>([
    ["nothing when each decision was announced", "", PAID_EVENTS, RETURNED_EVENTS],
    [
      "an approval that nobody announced",
      "lost: of withdraw 1",
      PAID_EVENTS.toSpliced(1, 1),
      RETURNED_EVENTS,
    ],
    [
      "a return that nobody announced",
      "lost: of payment payment 1",
      PAID_EVENTS,
      RETURNED_EVENTS.slice(0, 2),
    ],
    [
      "a return that was announced twice",
      "lost: of payment payment 1",
      PAID_EVENTS,
      [...RETURNED_EVENTS, "payment.returned"],
    ],
  ])("%s", (_what, expected, ofWithdraw, ofPayment) => {
    const came = [
      ...arrivals("withdraw 1 1", ofWithdraw),
      ...arrivals("payment 1 payment 1", ofPayment),
    ];
    const inbox = {
      events: () => new Map(came.map((event, index) => [`evt_1_${index + 1}`, event])),
      postbacks: () => new Map<string, DeliveryOutcome>(),
    };
    const rows = { withdraws: withdraws.slice(0, 1), payments: payments.slice(0, 1) };
    const observed = observedOf([], rows);
    const found = eventProblems(new Journal(), observed, inbox).join("\n");
    expect(found.slice(0, expected.length || undefined)).toBe(expected);
  });
});

function arrivals(object: string, types: string[]): DeliveryOutcome[] {
  const fate = { id: "", data: {}, acceptedInRun: 1, refused: false };
  return types.map((type, index) => ({ ...fate, object, type, sequence: index + 1 }));
}
