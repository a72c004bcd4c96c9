import {
  netExternalAmount,
  movementsBy,
  balancesOf,
  totalExternalAmount,
} from "./check-statement.ts";
import { amountOf, isOpen, type Intent, type Journal } from "../journal.ts";
import { acknowledged, intentsBySubject } from "./check-durability.ts";
import { cardOutcome, methodOf } from "../methods.ts";
import type { Movement, Observed } from "../observe.ts";
import { possibleFees } from "./possible-fees.ts";

const WITHDRAW_IS_FINAL = new Set(["Paid", "Failed", "Cancelled"]);

/**
 * Compares transactions, withdraws and balance with the client's log, once all requests are
 * finished and the service caught up.
 */
export function balanceProblems(journal: Journal, observed: Observed): string[] {
  const { companyId, transactions, withdraws, movements, lines } = observed;
  const problems: string[] = [];
  for (const intent of journal.unanswered()) {
    if (intent.companyId === companyId) problems.push(`lost: ${intent.kind} has no answer`);
  }
  const onTransaction = movementsBy(movements, "transactionId");
  const intents = intentsBySubject(journal, companyId);
  const creates = new Map(journal.of(companyId, "create").map((intent) => [intent.key, intent]));
  let expected = 0;
  for (const transaction of transactions) {
    const booked = onTransaction(transaction.id);
    const own = intents.get(transaction.id) ?? [];
    const [credit] = booked.of("charge_paid");
    const create = creates.get(transaction.key);
    if (create === undefined) continue;
    const amount = credit === undefined ? null : netExternalAmount(credit);
    const status = statusProblem(transaction, amount, { create, own, booked });
    if (status !== null) problems.push(status);
    if (credit === undefined || amount === null) continue;
    const fee = credit.postings["fees"] ?? 0;
    if (!possibleFees(journal, create, methodOf(create), amount).has(fee)) {
      problems.push(`wrong: the fee of ${transaction.id} is ${fee}`);
    }
    const back = refundedInLedger(booked);
    const possible = refundedByRequests({ amount }, own);
    if (!possible.includes(back)) {
      problems.push(`wrong: ${transaction.id} gave ${back} back, not ${possible.join(" or ")}`);
    }
    const [certain, other] = possible;
    expected += amount - fee - (other === undefined ? (certain ?? 0) : back);
  }
  for (const withdraw of withdraws) {
    if (!WITHDRAW_IS_FINAL.has(withdraw.status)) {
      problems.push(`lost: withdraw ${withdraw.id} is still ${withdraw.status}`);
    }
    const refused = withdraw.amount % 100 === 99;
    if ((withdraw.status === "Failed") !== (refused && withdraw.status !== "Cancelled")) {
      problems.push(`wrong: withdraw ${withdraw.id} of ${withdraw.amount} is ${withdraw.status}`);
    }
    if (withdraw.status === "Paid") expected -= withdraw.amount + withdraw.fee;
  }
  const { available = 0, awaiting = 0, blocked = 0, debt = 0, payout = 0 } = balancesOf(lines);
  const has = available + awaiting + blocked + debt;
  if (has !== expected) problems.push(`wrong: company ${companyId} has ${has}, not ${expected}`);
  if (payout !== 0) problems.push(`wrong: ${payout} is on its way although nothing is`);
  return problems;
}

type BookedAmounts = { of: (...types: string[]) => Movement[] };

/** The amount that was returned to a payer, by the statement. */
function refundedInLedger(booked: BookedAmounts): number {
  return -totalExternalAmount(booked.of("refund_done", "dispute_lost", "chargeback"));
}

/**
 * The amounts that may have been returned to a payer, by the client's log: its refunds, or
 * everything after a lost dispute or chargeback. Both are possible after an unanswered attempt
 * without a key.
 */
function refundedByRequests({ amount }: { amount: number }, own: Intent[]): number[] {
  const refunds = acknowledged(own.filter((intent) => intent.kind === "refund"));
  const refunded = refunds.reduce(
    (sum, intent) => sum + (intent.body === undefined ? amount : amountOf(intent)),
    0,
  );
  const taking = own.filter(
    (intent) =>
      intent.kind === "chargeback" ||
      (intent.kind === "resolve" && intent.body?.["outcome"] === "lost"),
  );
  if (acknowledged(taking).length > 0) return [amount];
  const perhaps = taking.some((intent) => isOpen(intent) || intent.attempts > 1);
  return perhaps ? [refunded, amount] : [refunded];
}

/** `paid`: the credited amount in centavos; null if not credited. */
function statusProblem(
  { id, status }: { id: string; status: string },
  paid: number | null,
  { create, own, booked }: { create: Intent; own: Intent[]; booked: BookedAmounts },
): string | null {
  const cancelled = acknowledged(own.filter((intent) => intent.kind === "cancel")).length > 0;
  const refused = cardOutcome(create) === "refused";
  const unpaid = refused ? "FAILED" : cancelled ? "CANCELLED" : "PENDING";
  const given = refundedInLedger(booked) >= (paid ?? 0) ? "REFUNDED" : "PAID";
  const expected = paid === null ? unpaid : given;
  return status === expected ? null : `lost: ${id} is ${status}, not ${expected}`;
}
