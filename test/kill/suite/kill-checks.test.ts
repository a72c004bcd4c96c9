import { describe, expect, it } from "vitest";
import { statementProblems } from "../lib/checks/check-statement.ts";
import { balanceProblems } from "../lib/checks/check-balances.ts";
import { Journal } from "../lib/journal.ts";
import { durabilityProblems } from "../lib/checks/check-durability.ts";
import type { Movement, Observed } from "../lib/observe.ts";
import { acknowledge, observedOf } from "./observed.ts";

const ID = "a transaction";
const FEES = {
  PIX: { basisPoints: 0, fixed: 10 },
  CREDIT_CARD: { basisPoints: 0, fixed: 20 },
  WITHDRAW: { basisPoints: 0, fixed: 0 },
};

function movement(type: string, postings: Movement["postings"], withdrawId: number | null = null) {
  return { type, transactionId: withdrawId === null ? ID : null, withdrawId, postings };
}

/** A correct state: one payment of 25.00 with a fee of 0.10, 10.00 refunded, 5.00 withdrawn. */
function given(): { journal: Journal; observed: Observed } {
  const journal = new Journal();
  const seen = { id: ID, amount: 2_500, status: "PAID" };
  const create = { amount: 2_500, paymentMethod: "PIX" };
  acknowledge(journal, "settings", { body: { fees: FEES } }, {});
  acknowledge(
    journal,
    "create",
    { body: create },
    { data: { ...seen, status: "WAITING_PAYMENT" } },
  );
  acknowledge(journal, "pay", { subject: ID }, { data: seen });
  acknowledge(journal, "refund", { subject: ID, body: { amount: 1_000 } }, { data: seen });
  acknowledge(journal, "withdraw", { body: { amount: 500 } }, { id: 1 });
  const movements = [
    movement("charge_paid", { fees: 10, available: 2_490 }),
    movement("refund_requested", { available: -1_000, blocked: 1_000 }),
    movement("refund_done", { blocked: -1_000 }),
    movement("withdraw_requested", { available: -500, payout: 500 }, 1),
    movement("withdraw_paid", { payout: -500 }, 1),
  ];
  return { journal, observed: observedOf(movements, ROWS) };
}

const TRANSACTION = { seq: 1, id: ID, amount: 2_500, status: "PAID", key: "create" };

const ROWS = {
  transactions: [TRANSACTION],
  withdraws: [{ id: 1, key: "withdraw", amount: 500, fee: 0, status: "Paid", approval: "none" }],
};

const PAID_BY_CARD = movement("charge_paid", { fees: 20, awaiting: 1_980 });
const AUTHORIZES = { number: "4242424242424242", capture: false };
const REFUSES = { number: "4000000000009995", capture: true };

/** A correct state: a card authorized for 25.00 and captured for 20.00 with a fee of 0.20. */
function givenCard(card: object = AUTHORIZES) {
  const journal = new Journal();
  const seen = { id: ID, amount: 2_500 };
  const load = { amount: 2_500, paymentMethod: "CREDIT_CARD", card };
  const capture = { subject: ID, body: { amount: 2_000 } };
  acknowledge(journal, "settings", { body: { fees: FEES } }, {});
  acknowledge(journal, "create", { body: load }, { data: { ...seen, status: "AUTHORIZED" } });
  acknowledge(journal, "capture", capture, { data: { ...seen, status: "PAID" } });
  return { journal, observed: observedOfCard([PAID_BY_CARD]) };
}

function observedOfCard(movements: Movement[]): Observed {
  return observedOf(movements, { transactions: [TRANSACTION] });
}

function problemsOf({ journal, observed }: ReturnType<typeof given>): string {
  return [
    ...statementProblems(observed),
    ...durabilityProblems(journal, observed),
    ...balanceProblems(journal, observed),
  ].join("\n");
}

it("the kill test reports nothing when everything is correct", () => {
  expect(problemsOf(given())).toBe("");
});

describe("the kill test reports", () => {
  it.each<[string, RegExp, (observed: Observed) => Observed]>([
    ["a lost transaction", /^lost: create/m, (seen) => ({ ...seen, transactions: [] })],
    ["a lost payment", /^lost: credit/m, withoutMovement("charge_paid")],
    ["a lost refund", /^lost: refund of/m, withoutMovement("refund_requested")],
    ["a refund that was not executed", /^lost: refund done/m, withoutMovement("refund_done")],
    ["a lost withdraw", /^lost: withdraw made/m, (seen) => ({ ...seen, withdraws: [] })],
    ["a duplicated payment", /^doubled: payment/m, withDuplicate("charge_paid")],
    ["a duplicated refund", /^doubled: refund/m, withDuplicate("refund_done")],
    ["a duplicated withdraw", /^doubled: withdraw 1 ended/m, withDuplicate("withdraw_paid")],
    [
      "a duplicated transaction",
      /^doubled: create made/m,
      (seen) => ({
        ...seen,
        transactions: [...seen.transactions, { ...TRANSACTION, seq: 2, id: "another" }],
      }),
    ],
    [
      "an outdated status",
      /^lost: a transaction is PENDING/m,
      (seen) => ({ ...seen, transactions: [{ ...TRANSACTION, status: "PENDING" }] }),
    ],
    [
      "an unexplained centavo",
      /^wrong: the balance says available/m,
      (seen) => ({ ...seen, balance: { ...seen.balance, available: 991 } }),
    ],
    [
      "a fee that was never configured",
      /^wrong: the fee of/m,
      (seen) =>
        observedOf(
          [movement("charge_paid", { fees: 11, available: 2_489 }), ...seen.movements.slice(1)],
          ROWS,
        ),
    ],
  ])("%s", (_what, expected, spoil) => {
    const { journal, observed } = given();
    expect(problemsOf({ journal, observed: spoil(observed) })).toMatch(expected);
  });
});

function problemsOfDispute(more: Movement[]): string {
  const { journal, observed } = given();
  const disputed = { data: { id: ID, amount: 2_500, status: "PAID" } };
  acknowledge(journal, "dispute", { subject: ID }, disputed);
  return durabilityProblems(journal, {
    ...observed,
    movements: [...observed.movements, ...more],
  }).join("\n");
}

describe("a dispute that opened while a refund was on its way", () => {
  const opened = movement("dispute_opened", { available: -500, blocked: 500 });
  const raised = movement("dispute_opened", { available: -1_000, blocked: 1_000 });
  const failed = movement("refund_failed", { available: 1_000, blocked: -1_000 });

  it("blocks once more what the refused refund gave back", () => {
    expect(problemsOfDispute([opened, failed, raised])).toBe("");
  });

  it("blocks nothing twice", () => {
    expect(problemsOfDispute([opened, raised])).toMatch(/^doubled: dispute of/m);
  });
});

it("the kill test reports nothing for one partial capture of a card", () => {
  expect(problemsOf(givenCard())).toBe("");
});

it("the kill test reports nothing when a second capture joined the first and got its result", () => {
  const { journal, observed } = givenCard();
  const seen = { id: ID, amount: 2_500, status: "PAID" };
  acknowledge(journal, "capture", { subject: ID, body: { amount: 2_000 } }, { data: seen });
  expect(problemsOf({ journal, observed })).toBe("");
});

describe("the kill test reports for a card", () => {
  it.each<[string, RegExp, Movement[], object?]>([
    ["a capture that was credited twice", /^doubled: payment/m, [PAID_BY_CARD, PAID_BY_CARD]],
    ["a lost capture", /^lost: payment/m, []],
    [
      "a capture of the whole authorized amount",
      /^wrong: a transaction was paid 2500/m,
      [movement("charge_paid", { fees: 20, awaiting: 2_480 })],
    ],
    ["money of a declined card", /^doubled: payment/m, [PAID_BY_CARD], REFUSES],
  ])("%s", (_what, expected, movements, card) => {
    const { journal } = givenCard(card);
    expect(problemsOf({ journal, observed: observedOfCard(movements) })).toMatch(expected);
  });
});

function withoutMovement(type: string): (observed: Observed) => Observed {
  return (observed) =>
    observedOf(
      observed.movements.filter((one) => one.type !== type),
      ROWS,
    );
}

function withDuplicate(type: string): (observed: Observed) => Observed {
  return (observed) =>
    observedOf(
      observed.movements.flatMap((one) => (one.type === type ? [one, one] : [one])),
      ROWS,
    );
}
