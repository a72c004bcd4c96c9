import { askBank, contradictionOf, type Answers } from "./bank-word.ts";
import { credit } from "./books.ts";
import { creditKept } from "./charges.ts";
import {
  record,
  resumeOperation,
  type BankResult,
  type Script,
  type Trouble,
} from "./operations.ts";
import { returnPaymentInSuspense } from "./returns.ts";
import type {
  Contradiction,
  ContradictionAction,
  Operation,
  OperatorId,
  Proposal,
  ProposedDecision,
  State,
} from "./state.ts";
import { decidePayout, reinstate } from "./withdraws.ts";

const WINDOW_MS = 72 * 3_600_000;
/** An approval that began longer ago has crashed. */
const APPROVAL_LEASE_MS = 10 * 60_000;

const REFUSED = "INVALID_STATE";
/** What may end a contradiction of a kind. */
export const ALLOWED: Record<Contradiction["kind"], ContradictionAction[]> = {
  payment_set_aside: ["credit", "return", "dismiss"],
  payment_charge: ["correct", "dismiss"],
  dispute_status: ["correct", "dismiss"],
  payout_status: ["apply", "correct", "dismiss"],
};

/** One operator proposes a decision; the same one again is the one that waits. */
export function propose(
  state: State,
  proposed: Pick<Proposal, "target" | "request" | "decision">,
  answers: Answers,
): string {
  const { decision, target, request } = proposed;
  const refusal = refusalOf(state, decision, answers);
  if (refusal !== null) return refusal;
  for (const each of state.proposals) {
    if (each.target !== target) continue;
    settleCrashed(state, each, answers.script, "none");
    if (isExpired(state, each)) each.status = "expired";
  }
  const waiting = state.proposals.find(
    (each) => each.target === target && each.status === "pending",
  );
  if (waiting !== undefined) return waiting.request === request ? "202" : REFUSED;
  state.proposals.push({
    ...proposed,
    proposedAt: state.now,
    status: "pending",
    decidedBy: null,
    decidedAt: 0,
    hadEffect: false,
    token: `proposal ${state.proposals.length}`,
  });
  return "202";
}

/** An operator approves a proposal; only another one than its proposer may, and a crash leaves it for him. */
export function approve(
  state: State,
  proposal: Proposal,
  by: OperatorId,
  answers: Answers,
  trouble: Trouble,
): string {
  if (settleCrashed(state, proposal, answers.script, trouble) === "died") return "INTERNAL_ERROR";
  if (proposal.status === "approved" && proposal.decidedBy === by) return "200";
  if (proposal.status !== "pending" || isExpired(state, proposal)) return REFUSED;
  if (by === "operator") return REFUSED;
  const refusal = proposal.hadEffect ? null : refusalOf(state, proposal.decision, answers);
  if (refusal !== null) return refusal;
  Object.assign(proposal, { decidedBy: by, decidedAt: state.now });
  const answer = execute(state, proposal, answers.script, trouble);
  if (answer === "200") proposal.status = "approved";
  else if (answer !== "INTERNAL_ERROR") proposal.decidedBy = null;
  return answer;
}

/** What is decided already, or what the bank contradicts, is not decided. */
function refusalOf(state: State, decision: ProposedDecision, answers: Answers): string | null {
  const obstacle = obstacleTo(state, decision);
  if (obstacle !== null) return obstacle;
  return askBank(decision, state, answers) === "disagrees" ? "PROVIDER_DISAGREES" : null;
}

/** An operator refuses a proposal, also its proposer. */
export function refuse(
  state: State,
  proposal: Proposal,
  by: OperatorId,
  script: Script<BankResult>,
): string {
  settleCrashed(state, proposal, script, "none");
  if (proposal.status === "refused" && proposal.decidedBy === by) return "200";
  const isWaiting = proposal.status === "pending" && proposal.decidedBy === null;
  if (!isWaiting || isExpired(state, proposal)) return REFUSED;
  Object.assign(proposal, { status: "refused", decidedBy: by });
  return "200";
}

/**
 * Whoever proposes, approves or refuses settles an approval that crashed: one that had its effect is finished and
 * approved, unless that crashes too; any other waits again.
 */
function settleCrashed(
  state: State,
  proposal: Proposal,
  script: Script<BankResult>,
  trouble: Trouble,
): "settled" | "died" {
  const { status, decidedBy, decidedAt, hadEffect } = proposal;
  const isCrashed =
    status === "pending" && decidedBy !== null && decidedAt <= state.now - APPROVAL_LEASE_MS;
  if (!isCrashed) return "settled";
  if (!hadEffect) proposal.decidedBy = null;
  else if (finish(state, proposal, script, trouble) === "INTERNAL_ERROR") return "died";
  else proposal.status = "approved";
  return "settled";
}

function isExpired(state: State, { status, decidedBy, proposedAt }: Proposal): boolean {
  return status === "pending" && decidedBy === null && proposedAt + WINDOW_MS <= state.now;
}

/** Why a decision cannot be proposed; null if it can. */
export function obstacleTo(state: State, decision: ProposedDecision): string | null {
  switch (decision.action) {
    case "payout": {
      const { status } = decision.withdraw;
      const isReturn = status === "Paid" && decision.outcome === "returned";
      return status === "Processing" || isReturn ? null : REFUSED;
    }
    case "operation":
      return decision.operation.status === "PENDING" ? null : REFUSED;
    case "payment": {
      const payment = state.payments.get(decision.paymentId);
      if (payment?.inSuspense !== true) return "NOT_FOUND";
      const isGoing = payment.returned !== null && payment.returned.status !== "FAILED";
      return isGoing ? REFUSED : null;
    }
    case "unfreeze":
      return state.frozen ? null : REFUSED;
    case "contradiction": {
      const { kind, status, held } = contradictionOf(state, decision.number);
      // What is held left at the bank without a booking: a correction takes it from the company, too.
      const gives = held > 0 && (decision.amount ?? 0) > 0;
      const isPossible = status === "open" && ALLOWED[kind].includes(decision.how) && !gives;
      return isPossible ? null : REFUSED;
    }
  }
}

/** Books a decision once; what crashed after that is finished. */
function execute(
  state: State,
  proposal: Proposal,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  if (proposal.hadEffect) return finish(state, proposal, script, trouble);
  const { decision } = proposal;
  const paymentId = returnedBy(state, decision);
  if (paymentId !== null) return executeReturn(state, proposal, paymentId, script, trouble);
  if (decision.action === "payment") throw new Error("a payment goes back");
  const refusal =
    decision.action === "unfreeze" ? unfreeze(state, proposal) : book(state, decision);
  proposal.hadEffect = refusal === null;
  return trouble === "died after request" ? "INTERNAL_ERROR" : (refusal ?? "200");
}

/** A return that began and whose sender crashed goes on. */
function finish(
  state: State,
  { token }: Proposal,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  const operation = state.operations.find((each) => each.token === token);
  if (operation === undefined) return trouble === "died after request" ? "INTERNAL_ERROR" : "200";
  const answer = resumeOperation(state, operation, script, trouble);
  return answer === "died" ? "INTERNAL_ERROR" : "200";
}

/** The payment that a decision sends back; null for every other one. */
function returnedBy(state: State, decision: ProposedDecision): string | null {
  if (decision.action === "payment") return decision.paymentId;
  if (decision.action !== "contradiction" || decision.how !== "return") return null;
  const { about, status } = contradictionOf(state, decision.number);
  return status === "open" && about?.kind === "payment" ? about.id : null;
}

function executeReturn(
  state: State,
  proposal: Proposal,
  paymentId: string,
  script: Script<BankResult>,
  trouble: Trouble,
): string {
  const payment = state.payments.get(paymentId)!;
  const isPossible = payment.inSuspense && payment.returned?.approval !== "pending";
  const { decision, token } = proposal;
  // The contradiction is decided first: a refusal of the bank opens another one.
  if (isPossible && decision.action === "contradiction") close(state, decision);
  proposal.hadEffect = isPossible;
  const answer = returnPaymentInSuspense(state, paymentId, token, script, trouble);
  if (answer === "NOT_FOUND" && decision.action === "contradiction") return REFUSED;
  const isRefusal = ["INTERNAL_ERROR", "INVALID_STATE", "NOT_FOUND"].includes(answer);
  return isRefusal ? answer : "200";
}

/** Books a decision that sends nothing. Returns the refusal; null if it was booked. */
function book(
  state: State,
  decision: Exclude<ProposedDecision, { action: "payment" | "unfreeze" }>,
): string | null {
  switch (decision.action) {
    case "payout":
      return decidePayout(state, decision.withdraw, decision.outcome) === null ? REFUSED : null;
    case "operation":
      return decideOperation(state, decision.operation, decision.outcome);
    case "contradiction":
      return decideContradiction(state, decision);
  }
}

/** Not where the company was frozen again after the proposal. */
function unfreeze(state: State, { proposedAt }: Proposal): string | null {
  if (state.frozen && state.frozenAt > proposedAt) return REFUSED;
  state.frozen = false;
  return null;
}

function decideOperation(
  state: State,
  operation: Operation,
  outcome: "done" | "failed",
): string | null {
  const { kind, status, leaseUntil, checks } = operation;
  if (status === "PENDING" && (leaseUntil > state.now || checks === 0)) return REFUSED;
  const isOfCharge = kind === "cancel" || kind === "capture";
  const booked = outcome === "done" ? "DONE" : "FAILED";
  if (status !== "PENDING" && status !== booked && !isOfCharge) return REFUSED;
  record(state, operation, outcome);
  return null;
}

function decideContradiction(
  state: State,
  decision: Extract<ProposedDecision, { action: "contradiction" }>,
): string | null {
  const found = contradictionOf(state, decision.number);
  if (found.status !== "open") return REFUSED;
  const { about } = found;
  switch (decision.how) {
    case "correct":
      if (!correct(state, found, decision.amount ?? 0)) return REFUSED;
      break;
    case "credit":
      if (about?.kind !== "payment" || creditKept(state, about.id) !== "credited") return REFUSED;
      break;
    case "apply": {
      const isPaid = about?.kind === "withdraw" && about.report === "paid";
      if (!isPaid || !reinstate(state, about.withdraw)) return REFUSED;
      break;
    }
    case "return":
    case "dismiss":
      break;
  }
  close(state, decision);
  return null;
}

/** A positive amount is credited; a negative one is taken, and what is missing is owed. */
function correct(state: State, { about }: Contradiction, amount: number): boolean {
  const hasComeBack =
    about?.kind === "withdraw" &&
    about.report === "failed" &&
    about.withdraw.status === "Returned" &&
    !about.comeBack;
  if (amount > 0) {
    if (!hasComeBack) credit(state, amount);
    return !hasComeBack;
  }
  const taken = Math.min(-amount, state.accounts.available);
  state.accounts.available -= taken;
  state.accounts.owed += -amount - taken;
  return true;
}

function close(
  state: State,
  { number, how }: Extract<ProposedDecision, { action: "contradiction" }>,
): void {
  Object.assign(contradictionOf(state, number), { status: "decided", action: how });
}
