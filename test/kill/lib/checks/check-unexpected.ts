import { amountOf, isAcknowledged, isOpen, type Journal } from "../journal.ts";
import type { Movement, Observed, UnexpectedSeen } from "../observe.ts";
import { balancesOf, movementsBy } from "./check-statement.ts";
import { decisionsOf } from "./check-decisions.ts";

/** Unexpected payments whose money is in `suspense`. */
const IN_SUSPENSE = new Set(["kept", "crediting", "returning"]);

/**
 * Each acknowledged payment without a charge is there; each acknowledged return, credit and approved proposal has its
 * effect, once; nobody's payment was returned or credited without a request.
 */
export function unexpectedProblems(journal: Journal, observed: Observed): string[] {
  return [
    ...transferProblems(journal, observed),
    ...observed.payments.flatMap((payment) => paymentProblems(journal, observed, payment)),
    ...suspenseProblems(observed),
    ...madeProblems(observed),
  ];
}

/** The payments for which a transaction was made, by it. */
export function paymentsOfMade({ payments }: Observed): Map<string, UnexpectedSeen> {
  const credited = payments.filter(wasCreditedOnRequest);
  return new Map(credited.map((payment) => [payment.transactionId ?? "", payment]));
}

/** A rule credits to the payment's own charge at once, without a stay in `suspense`. */
export function wasCreditedByRule({ status, rule }: UnexpectedSeen): boolean {
  return status === "credited" && rule === "credit";
}

function wasCreditedOnRequest(payment: UnexpectedSeen): boolean {
  return payment.status === "credited" && !wasCreditedByRule(payment);
}

function transferProblems(journal: Journal, { companyId, payments }: Observed): string[] {
  const problems: string[] = [];
  const transfers = journal.of(companyId, "transfer");
  const came = payments.filter(({ reason }) => reason === "NO_CHARGE");
  const ids = new Set(came.map(({ id }) => id));
  for (const { answer } of transfers.filter(isAcknowledged)) {
    if (!ids.has(answer.paymentId)) problems.push(`lost: payment ${answer.paymentId}`);
  }
  const most = transfers.reduce((sum, { attempts }) => sum + attempts, 0);
  if (came.length > most) {
    problems.push(`doubled: ${came.length} payments without a charge, ${most} were made`);
  }
  const amounts = new Set(transfers.map(amountOf));
  for (const { id, amount } of came) {
    if (!amounts.has(amount)) problems.push(`wrong: payment ${id} is of ${amount}`);
  }
  return problems;
}

function paymentProblems(
  journal: Journal,
  { companyId, proposals }: Observed,
  payment: UnexpectedSeen,
): string[] {
  const { id, status } = payment;
  const problems: string[] = [];
  const askedFor = (kind: "return" | "credit") =>
    journal.of(companyId, kind).filter(({ subject }) => subject === id);
  const decisionsOn = decisionsOf(journal, companyId, "proposal");
  const decided = proposals
    .filter(({ target }) => target === `payment:${id}`)
    .map((proposal) => decisionsOn(proposal.id));
  const returns = askedFor("return");
  const credits = askedFor("credit");
  const isReturned = returns.some((intent) => intent.status === 200);
  const isCredited = credits.some(isAcknowledged);
  if (isReturned && status !== "returned") problems.push(`lost: returned payment ${id}: ${status}`);
  if (isCredited && status !== "credited") problems.push(`lost: credited payment ${id}: ${status}`);
  const isDecided = decided.some(({ approved }) => approved.length > 0);
  if (isDecided && status !== "returned" && status !== "returning") {
    problems.push(`lost: payment ${id}, whose return two operators decided: ${status}`);
  }
  const mayReturn =
    returns.some((intent) => isAcknowledged(intent) || isOpen(intent)) ||
    decided.some(({ mayBeApproved }) => mayBeApproved);
  const mayCredit = credits.some((intent) => isAcknowledged(intent) || isOpen(intent));
  if ((status === "returned" || status === "returning") && !mayReturn) {
    problems.push(`doubled: nobody asked for the return of payment ${id}`);
  }
  const isByRule = payment.rule === "credit";
  if ((status === "credited" || status === "crediting") && !mayCredit && !isByRule) {
    problems.push(`doubled: nobody asked for the credit of payment ${id}`);
  }
  return problems;
}

/** What left `suspense` is what was returned and credited, to the centavo and each once. */
function suspenseProblems({ companyId, payments, movements, lines }: Observed): string[] {
  const problems: string[] = [];
  const compare = (what: string, booked: Movement[], seen: UnexpectedSeen[]) => {
    const ours = `${booked.length} of ${-sumOf(booked.map(({ postings }) => postings["suspense"]))}`;
    const theirs = `${seen.length} of ${sumOf(seen.map(({ amount }) => amount))}`;
    if (ours === theirs) return;
    const word = booked.length > seen.length ? "doubled" : "lost";
    problems.push(`${word}: company ${companyId} booked ${what}: ${ours}; payments show ${theirs}`);
  };
  const of = (type: string) => movements.filter((movement) => movement.type === type);
  const returned = payments.filter(({ status }) => status === "returned");
  compare("returns", of("suspense_returned"), returned);
  compare("credits", of("suspense_credited"), payments.filter(wasCreditedOnRequest));
  const { suspense = 0 } = balancesOf(lines);
  const kept = payments.filter(({ status }) => IN_SUSPENSE.has(status));
  const expected = sumOf(kept.map(({ amount }) => amount));
  if (suspense !== expected) {
    problems.push(`wrong: suspense of company ${companyId} is ${suspense}, not ${expected}`);
  }
  return problems;
}

/** The transaction that is made for a payment exists and was credited once, with the payment's amount. */
function madeProblems(observed: Observed): string[] {
  const problems: string[] = [];
  const onTransaction = movementsBy(observed.movements, "transactionId");
  const ids = new Set(observed.transactions.map(({ id }) => id));
  for (const [id, payment] of paymentsOfMade(observed)) {
    if (!ids.has(id)) problems.push(`lost: transaction ${id} of payment ${payment.id}`);
    const credits = onTransaction(id).of("charge_paid", "suspense_credited");
    const amounts = credits.map(({ postings }) => -(postings["suspense"] ?? 0)).join();
    if (amounts === String(payment.amount)) continue;
    problems.push(`wrong: transaction ${id} was credited ${amounts}, not ${payment.amount}`);
  }
  return problems;
}

function sumOf(amounts: (number | undefined)[]): number {
  return amounts.reduce<number>((sum, amount = 0) => sum + amount, 0);
}
