import { Journal } from "../lib/journal.ts";
import type {
  Movement,
  Observed,
  ProposalSeen,
  RefundSeen,
  UnexpectedSeen,
} from "../lib/observe.ts";
import { acknowledge } from "./observed.ts";

/** The transaction of the refunds. */
export const PAID = "a transaction";
const MADE = "a made transaction";
const FREE = { basisPoints: 0, fixed: 0 };
const FEES = { PIX: FREE, BOLETO: FREE, CREDIT_CARD: FREE, WITHDRAW: FREE };

/** What a client did and saw. */
export interface World {
  journal: Journal;
  movements: Movement[];
  withdraws: Observed["withdraws"];
  payments: UnexpectedSeen[];
  proposals: ProposalSeen[];
  refunds: RefundSeen[];
  waiting: string[];
  transactions: Observed["transactions"];
}

/**
 * A correct state. Of a payment of 25.00 a refund of 10.00 was approved, one of 2.00 refused and one of 1.00 waits. A
 * withdraw of 5.00 was approved, one of 6.00 refused, and two operators decided one of 1.98. Four payments came without
 * a charge: the first was returned, the second credited, the third returned by two operators, the fourth kept.
 */
export function givenDecisions(): World {
  const journal = new Journal();
  request(journal);
  decide(journal);
  return {
    journal,
    movements: [
      movement("charge_paid", { available: 2_500 }, PAID),
      movement("refund_requested", { available: -1_000, blocked: 1_000 }, PAID),
      movement("refund_done", { blocked: -1_000 }, PAID),
      movement("refund_requested", { available: -200, blocked: 200 }, PAID),
      movement("refund_failed", { blocked: -200, available: 200 }, PAID),
      movement("refund_requested", { available: -100, blocked: 100 }, PAID),
      ...withdrawn(1, 500, "withdraw_paid", { payout: -500 }),
      ...withdrawn(2, 600, "withdraw_cancelled", { payout: -600, available: 600 }),
      ...withdrawn(3, 198, "withdraw_paid", { payout: -198 }),
      ...[300, 400, 500, 600].map((suspense) => movement("payment_suspended", { suspense })),
      movement("suspense_returned", { suspense: -300 }),
      movement("suspense_credited", { suspense: -400, available: 400 }, MADE),
      movement("suspense_returned", { suspense: -500 }),
    ],
    withdraws: [
      { id: 1, key: "w1", amount: 500, fee: 0, status: "Paid", approval: "approved" },
      { id: 2, key: "w2", amount: 600, fee: 0, status: "Cancelled", approval: "refused" },
      { id: 3, key: "w3", amount: 198, fee: 0, status: "Paid", approval: "none" },
    ],
    payments: [
      payment(1, 300, "returned"),
      { ...payment(2, 400, "credited"), transactionId: MADE },
      payment(3, 500, "returned"),
      payment(4, 600, "kept"),
    ],
    proposals: [
      proposal("p1", "withdraw:3", { outcome: "done" }),
      proposal("p2", "payment:payment 3"),
    ],
    refunds: [
      { id: "r1", amount: 1_000, status: "DONE", approval: "approved" },
      { id: "r2", amount: 200, status: "FAILED", approval: "refused" },
      { id: "r3", amount: 100, status: "PENDING", approval: "pending" },
    ],
    waiting: ["r3"],
    transactions: [
      { seq: 1, id: PAID, amount: 2_500, status: "PAID", key: "create" },
      { seq: 2, id: MADE, amount: 400, status: "PAID", key: null },
    ],
  };
}

function request(journal: Journal): void {
  const seen = { id: PAID, amount: 2_500, status: "PAID" };
  const create = { amount: 2_500, paymentMethod: "PIX" };
  acknowledge(journal, "settings", { body: { fees: FEES } }, {});
  acknowledge(journal, "create", { body: create }, { data: seen });
  acknowledge(journal, "pay", { subject: PAID }, { data: seen });
  const refunds = [{ approval: "pending" }];
  for (const amount of [1_000, 200, 100]) {
    const asked = { subject: PAID, body: { amount }, key: `refund of ${amount}`, status: 202 };
    acknowledge(journal, "refund", asked, { data: { ...seen, refunds } });
  }
  for (const [index, amount] of [500, 600, 198].entries()) {
    const approval = amount === 198 ? "none" : "pending";
    const asked = { body: { amount }, key: `w${index + 1}` };
    acknowledge(journal, "withdraw", asked, { id: index + 1, approval });
  }
  for (const [index, amount] of [300, 400, 500, 600].entries()) {
    acknowledge(journal, "transfer", { body: { amount } }, { paymentId: `payment ${index + 1}` });
  }
}

function decide(journal: Journal): void {
  const refund = { data: { kind: "refund" } };
  acknowledge(journal, "refund_approve", { subject: "r1", key: "a1" }, refund);
  acknowledge(journal, "refund_refuse", { subject: "r2", key: "a2" }, refund);
  acknowledge(journal, "withdraw_approve", { subject: 1, key: "a3" }, {});
  acknowledge(journal, "withdraw_refuse", { subject: 2, key: "a4" }, {});
  acknowledge(journal, "return", { subject: "payment 1" }, { data: {} });
  acknowledge(journal, "credit", { subject: "payment 2" }, { data: {} });
  for (const [id, target] of [
    ["p1", "withdraw:3"],
    ["p2", "payment:payment 3"],
  ] as const) {
    acknowledge(journal, "proposal", { subject: target, key: null }, { data: { id } });
    acknowledge(journal, "proposal_approve", { subject: id, key: null }, { data: { id } });
  }
}

function movement(
  type: string,
  postings: Movement["postings"],
  transactionId: string | null = null,
  withdrawId: number | null = null,
): Movement {
  return { type, transactionId, withdrawId, postings };
}

function withdrawn(id: number, amount: number, end: string, postings: Movement["postings"]) {
  const asked = { available: -amount, payout: amount };
  return [movement("withdraw_requested", asked, null, id), movement(end, postings, null, id)];
}

function payment(number: number, amount: number, status: string): UnexpectedSeen {
  const about = { reason: "NO_CHARGE", rule: "keep", transactionId: null, approval: "none" };
  return { id: `payment ${number}`, amount, status, ...about };
}

/** An approved proposal as the service shows it. */
export function proposal(
  id: string,
  target: string,
  wanted: { outcome?: string } = {},
): ProposalSeen {
  const decided = { status: "approved", decidedBy: "approver" };
  return { id, action: "any", target, request: wanted, ...decided };
}
