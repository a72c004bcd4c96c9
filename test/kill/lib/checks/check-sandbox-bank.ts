import { DatabaseSync } from "node:sqlite";
import { movementsBy, totalExternalAmount } from "./check-statement.ts";
import { directoryIn } from "../database.ts";
import type { Inbox } from "../inbox.ts";
import type { Observed } from "../observe.ts";
import { assertDefined } from "../required.ts";

interface Charge {
  chargeId: string;
  payments: number;
  paidAmount: number;
  returnedAmount: number;
}

/** A payment at the bank without a charge. */
interface Transfer {
  paymentId: string;
  amount: number;
  returnedAmount: number;
}

interface Payout {
  companyId: number;
  id: number;
  centavoStatus: string;
  bankStatus: string | null;
}

/** Queries of the bank's book and of D1's rows. */
const QUERIES = [
  `SELECT p.charge_id AS chargeId, count(*) AS payments, sum(p.amount) AS paidAmount,
    coalesce((SELECT sum(r.amount) FROM sandbox_refunds r WHERE r.status = 'done'
      AND r.payment_id IN (SELECT payment_id FROM sandbox_payments
        WHERE charge_id = p.charge_id)), 0)
    + coalesce((SELECT sum(d.amount) FROM sandbox_disputes d
      WHERE d.charge_id = p.charge_id AND d.status = 'LOST'), 0) AS returnedAmount
   FROM sandbox_payments p WHERE p.charge_id <> 'none' GROUP BY p.charge_id`,
  `SELECT w.company_id AS companyId, w.id, w.status AS centavoStatus, p.status AS bankStatus
   FROM withdraws w LEFT JOIN sandbox_payouts p ON p.payout_id = w.payout_id
   WHERE coalesce(p.status, '') <> CASE
     WHEN w.status IN ('Awaiting', 'Cancelled') THEN ''
     WHEN w.amount % 100 = 98 THEN 'processing'
     WHEN w.status = 'Paid' THEN 'paid' WHEN w.status = 'Failed' THEN 'failed' ELSE '' END`,
  `SELECT payout_id AS payoutId FROM sandbox_payouts
   WHERE payout_id NOT IN (SELECT payout_id FROM withdraws)`,
  `SELECT company_id AS companyId, count(*) AS many, max(company_sequence) AS newest
   FROM events GROUP BY company_id`,
  `SELECT p.payment_id AS paymentId, p.amount,
    coalesce((SELECT sum(r.amount) FROM sandbox_refunds r
      WHERE r.status = 'done' AND r.payment_id = p.payment_id), 0) AS returnedAmount
   FROM sandbox_payments p WHERE p.charge_id = 'none'`,
] as const;

interface BankState {
  charges: Charge[];
  otherPayouts: Payout[];
  unknownPayouts: { payoutId: string }[];
  events: { companyId: number; many: number; newest: number }[];
  transfers: Transfer[];
}

/** Reads D1's file directly: a second workerd would lock it at times. */
function readBankState(stateDir: string): BankState {
  const db = new DatabaseSync(directoryIn(stateDir), { readOnly: true });
  try {
    const [charges, otherPayouts, strangers, events, transfers] = QUERIES.map(
      (query) => db.prepare(query).all() as never[],
    );
    return {
      charges: assertDefined(charges, "the bank's charges"),
      otherPayouts: assertDefined(otherPayouts, "the bank's payouts"),
      unknownPayouts: assertDefined(strangers, "the bank's other payouts"),
      events: assertDefined(events, "the events"),
      transfers: assertDefined(transfers, "the bank's payments without a charge"),
    };
  } finally {
    db.close();
  }
}

/**
 * Compares the bank's book with the companies' statements, and all events with the received ones.
 * The bank's book is the truth: no restart may lose or repeat any of it.
 */
export function sandboxBankProblems(
  stateDir: string,
  companies: Observed[],
  inbox: Inbox,
): string[] {
  const book = readBankState(stateDir);
  const problems = companies.flatMap((observed) => paymentProblems(book, observed));
  problems.push(...transferProblems(book, companies));
  for (const { companyId, id, centavoStatus, bankStatus } of book.otherPayouts) {
    problems.push(
      `wrong: withdraw ${id} of company ${companyId}: we say ${centavoStatus}, they ${bankStatus}`,
    );
  }
  for (const { payoutId } of book.unknownPayouts) {
    problems.push(`doubled: the bank has a payout ${payoutId} of no withdraw`);
  }
  for (const { companyId } of companies) {
    const came = inbox.events(companyId).size;
    const made = book.events.find((row) => row.companyId === companyId);
    if (made?.many !== came || made.newest !== came) {
      problems.push(`lost: ${came} of ${made?.many} events of company ${companyId} came`);
    }
  }
  return problems;
}

function paymentProblems(book: BankState, { transactions, movements }: Observed): string[] {
  const problems: string[] = [];
  const atBank = new Map(book.charges.map((charge) => [charge.chargeId, charge]));
  const onTransaction = movementsBy(movements, "transactionId");
  for (const { id } of transactions) {
    const booked = onTransaction(id);
    const payments = booked.of("charge_paid", "payment_suspended");
    const back = -totalExternalAmount(
      booked.of("refund_done", "suspense_returned", "dispute_lost", "chargeback"),
    );
    const ours = `${payments.length} payments of ${totalExternalAmount(payments)}, ${back} back`;
    const charge = atBank.get(id.replaceAll("-", "")) ?? {
      payments: 0,
      paidAmount: 0,
      returnedAmount: 0,
    };
    const theirs = `${charge.payments} payments of ${charge.paidAmount}, ${charge.returnedAmount} back`;
    if (ours !== theirs) problems.push(`lost: ${id}: the bank has ${theirs}; we have ${ours}`);
  }
  return problems;
}

/** Every payment without a charge is known, and went back once where it is returned and never elsewhere. */
function transferProblems({ transfers }: BankState, companies: Observed[]): string[] {
  const problems: string[] = [];
  const payments = companies.flatMap((observed) => observed.payments);
  const seen = new Map(payments.map((payment) => [payment.id, payment]));
  for (const { paymentId, amount, returnedAmount } of transfers) {
    const payment = seen.get(paymentId);
    const expected = payment?.status === "returned" ? amount : 0;
    if (payment?.amount === amount && returnedAmount === expected) continue;
    problems.push(
      `lost: payment ${paymentId}: the bank has ${amount}, ${returnedAmount} back; we have ` +
        `${payment?.amount} ${payment?.status}`,
    );
  }
  return problems;
}
