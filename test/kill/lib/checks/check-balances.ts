import {
  netExternalAmount,
  movementsBy,
  balancesOf,
  totalExternalAmount,
} from "./check-statement.ts";
import { amountOf, isOpen, type Intent, type Journal } from "../journal.ts";
import { acknowledged, intentsBySubject } from "./check-durability.ts";
import { cardOutcome, methodOf } from "../methods.ts";
import type { Movement, Observed, RefundSeen } from "../observe.ts";
import { refundedAmount, type Refunds } from "./check-refund-approvals.ts";
import { paymentsOfMade } from "./check-unexpected.ts";
import { possibleFees } from "./possible-fees.ts";

const WITHDRAW_IS_FINAL = new Set(["Paid", "Failed", "Cancelled"]);
/** Endings of amounts that the receiving bank refuses, and that it never decides. */
const REFUSED_ENDING = 99;
const UNDECIDED_ENDING = 98;
/** The sandbox's ids of boletos' payments; those of a PIX are end-to-end ids. */
const SLIP_PREFIX = "B";

/**
 * Compares transactions, withdraws and balance with the client's log, once all requests are
 * finished and the service caught up. `refunds`: of the transactions of which one waited for an approval.
 */
export function balanceProblems(
  journal: Journal,
  observed: Observed,
  refunds: Refunds = new Map(),
): string[] {
  const { companyId, transactions, withdraws, movements, lines } = observed;
  const problems: string[] = [];
  for (const intent of journal.unanswered()) {
    if (intent.companyId === companyId) problems.push(`lost: ${intent.kind} has no answer`);
  }
  const onTransaction = movementsBy(movements, "transactionId");
  const intents = intentsBySubject(journal, companyId);
  const creates = new Map(journal.of(companyId, "create").map((intent) => [intent.key, intent]));
  let expected = 0;
  for (const [id, payment] of paymentsOfMade(observed)) {
    const [fee = 0] = onTransaction(id)
      .of("suspense_credited")
      .map(({ postings }) => postings["fees"] ?? 0);
    const credits = journal.of(companyId, "credit").filter(({ subject }) => subject === payment.id);
    const method = payment.id.startsWith(SLIP_PREFIX) ? "BOLETO" : "PIX";
    const isPossible = credits.some((credit) =>
      possibleFees(journal, credit, method, payment.amount).has(fee),
    );
    if (!isPossible) problems.push(`wrong: the fee of ${id} is ${fee}`);
    expected += payment.amount - fee;
  }
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
    const possible = refundedByRequests({ amount }, own, refunds.get(transaction.id));
    if (!possible.includes(back)) {
      problems.push(`wrong: ${transaction.id} gave ${back} back, not ${possible.join(" or ")}`);
    }
    const [certain, other] = possible;
    expected += amount - fee - (other === undefined ? (certain ?? 0) : back);
  }
  let underway = 0;
  for (const { id, status, approval, amount, fee } of withdraws) {
    const ending = amount % 100;
    const isUndecided = ending === UNDECIDED_ENDING && status === "Processing";
    const isUnderway = isUndecided || (status === "Awaiting" && approval === "pending");
    if (!WITHDRAW_IS_FINAL.has(status) && !isUnderway) {
      problems.push(`lost: withdraw ${id} is still ${status}`);
    }
    const isRefused = ending === REFUSED_ENDING && status !== "Cancelled" && !isUnderway;
    if (ending !== UNDECIDED_ENDING && (status === "Failed") !== isRefused) {
      problems.push(`wrong: withdraw ${id} of ${amount} is ${status}`);
    }
    if (isUnderway) underway += amount;
    if (isUnderway || status === "Paid") expected -= amount + fee;
  }
  const { available = 0, awaiting = 0, blocked = 0, debt = 0, payout = 0 } = balancesOf(lines);
  const has = available + awaiting + blocked + debt;
  if (has !== expected) problems.push(`wrong: company ${companyId} has ${has}, not ${expected}`);
  if (observed.balance.held !== 0) {
    problems.push(`wrong: ${observed.balance.held} is held, and its bank contradicts nothing`);
  }
  if (payout !== underway) {
    problems.push(`wrong: ${payout} is on its way from company ${companyId}, not ${underway}`);
  }
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
 * without a key. `seen`: its refunds, of which some waited for an approval.
 */
function refundedByRequests(
  { amount }: { amount: number },
  own: Intent[],
  seen: RefundSeen[] | undefined,
): number[] {
  const requests = acknowledged(own.filter((intent) => intent.kind === "refund"));
  const requested = requests.reduce(
    (sum, intent) => sum + (intent.body === undefined ? amount : amountOf(intent)),
    0,
  );
  const refunded = seen === undefined ? requested : refundedAmount(seen);
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
