import {
  addToDay,
  creditPayment,
  addContradiction,
  credit,
  releaseHold,
  heldAmount,
  hold,
  holdableAmount,
  clawBack,
} from "./books.ts";
import type {
  Charge,
  Contradiction,
  Dispute,
  DisputeReport,
  Hold,
  Payment,
  State,
  Status,
} from "./state.ts";

/** The transitions of a charge (docs/states.md): a late payment is accepted. */
const TRANSITIONS: Record<Status, Status[]> = {
  creating: ["waiting_payment", "authorized", "paid", "refused", "failed"],
  waiting_payment: ["paid", "authorized", "refused", "cancelled", "failed"],
  authorized: ["paid", "cancelled"],
  paid: ["refunded"],
  refused: [],
  failed: ["paid"],
  cancelled: ["paid"],
  refunded: [],
};
const NO_HOLD: Hold = { available: 0, parts: [] };
/** After this time a charge that the acquirer does not know was never sent. */
const NEVER_SENT_AFTER_MS = 10 * 60_000;

/** Credits a confirmed payment at most once by its id; an unexpected one goes to suspense. */
export function settle(state: State, charge: Charge, payment: Payment): string {
  const { id, amount, paidAt } = payment;
  const known = state.payments.get(id);
  if (known?.charge === charge) return "already";
  if (known?.chosen === true) return "already";
  if (known !== undefined) {
    // The payment stays with its first charge, and an operator decides.
    const held = known.inSuspense ? 0 : known.amount;
    addContradiction(state, {
      what: `payment ${id} ${charge.index}`,
      kind: "payment_charge",
      held,
    });
    return "contradiction";
  }
  const isKeptLate = isLate(charge) && state.lateRule === "keep";
  const inSuspense = !TRANSITIONS[charge.status].includes("paid") || isKeptLate;
  state.payments.set(id, { charge, amount, paidAt, inSuspense, chosen: false, returned: null });
  if (inSuspense) {
    state.accounts.suspense += amount;
    askOperators(state, id);
    return "unexpected";
  }
  creditPayment(state, charge, amount, paidAt);
  charge.paidAmount = amount;
  transition(charge, "paid", "paid");
  // The capture that requested this amount is done.
  completeOperation(state, charge, "capture", amount);
  return "credited";
}

/** A card's late payment is expected: our own order takes it. */
function isLate({ status, method }: Charge): boolean {
  return method !== "CREDIT_CARD" && (status === "cancelled" || status === "failed");
}

/** The merchant credits a kept payment to its own charge, if that can still be paid. */
export function creditKept(state: State, paymentId: string): string {
  const payment = state.payments.get(paymentId);
  if (payment === undefined || !payment.inSuspense) return "not_found";
  const { charge, amount, paidAt, returned } = payment;
  const isGoing = returned !== null && returned.status !== "FAILED";
  if (isGoing || !TRANSITIONS[charge.status].includes("paid")) return "not_possible";
  payment.inSuspense = false;
  payment.chosen = true;
  state.accounts.suspense -= amount;
  creditPayment(state, charge, amount, paidAt);
  charge.paidAmount = amount;
  transition(charge, "paid", "paid");
  completeOperation(state, charge, "capture", amount);
  closeAside(state, paymentId);
  return "credited";
}

/** Operators may decide about a kept payment, and again once their return failed. */
export function askOperators(state: State, paymentId: string): void {
  const known = asideOf(state, paymentId);
  if (known.some(({ status }) => status === "open")) return;
  const what = `aside ${paymentId} ${known.length}`;
  const about = { kind: "payment", id: paymentId } as const;
  addContradiction(state, { what, kind: "payment_set_aside", held: 0, about });
}

/** A payment that was credited or returned needs no decision any more. */
export function closeAside(state: State, paymentId: string): void {
  for (const each of asideOf(state, paymentId)) each.status = "decided";
}

function asideOf({ contradictions }: State, paymentId: string): Contradiction[] {
  return [...contradictions.values()].filter(
    ({ kind, about }) =>
      kind === "payment_set_aside" && about?.kind === "payment" && about.id === paymentId,
  );
}

/** A card that is authorized, or a charge that ends without money. */
export function endCharge(
  charge: Charge,
  to: "authorized" | "refused" | "failed" | "cancelled",
): string {
  if (charge.status === to) return "already";
  if (!TRANSITIONS[charge.status].includes(to)) return "not_allowed";
  transition(charge, to, to);
  return "transitioned";
}

/** A dispute's report: open, won or lost. */
export function dispute(state: State, charge: Charge, report: DisputeReport): string {
  if (charge.paidAmount === 0) {
    const { id, status, amount } = report;
    if (status !== "WON") {
      const held = status === "LOST" ? amount : 0;
      addContradiction(state, { what: `unpaid ${id} ${status}`, kind: "dispute_status", held });
    }
    return "not_allowed";
  }
  // The dispute's payment was credited after it.
  for (const status of ["OPEN", "LOST"]) {
    const row = state.contradictions.get(`unpaid ${report.id} ${status}`);
    if (row !== undefined) row.status = "decided";
  }
  const known = charge.disputes.find(({ id }) => id === report.id);
  if (known !== undefined && known.status !== "OPEN")
    return repeatedDispute(state, charge, known, report);
  const deadline = report.deadline ?? known?.deadline ?? null;
  if (known?.status === report.status) {
    if (deadline === known.deadline) return "already";
    known.deadline = deadline;
    return "recorded";
  }
  const before = known?.holding ?? NO_HOLD;
  const booked: Dispute = known ?? { ...report, holding: NO_HOLD, text: null, events: [] };
  if (known === undefined) {
    charge.disputes.push(booked);
    state.disputes.push(booked);
  }
  Object.assign(booked, { ...report, deadline, holding: NO_HOLD });
  announce(booked);
  if (report.status === "OPEN") {
    booked.holding = hold(state, charge, Math.min(report.amount, holdableAmount(state, charge)));
    charge.events.push("disputed");
  } else if (report.status === "WON") {
    if (heldAmount(before) > 0) releaseHold(state, charge, before);
  } else {
    const inPart = report.amount < heldAmount(before);
    if (inPart) releaseHold(state, charge, before);
    clawBack(state, charge, report.amount, inPart ? NO_HOLD : before);
    addRefunded(charge, report.amount);
  }
  return "recorded";
}

function announce({ status, events }: Dispute): void {
  events.push(status === "OPEN" ? "opened" : status.toLowerCase());
}

/** A merchant's evidence against a dispute; `id` may be of none. */
export function submitEvidence(
  state: State,
  { id, text, key }: { id: string; text: string; key: string | null },
): string {
  const known = state.disputes.find((each) => each.id === id);
  if (known === undefined) return "NOT_FOUND";
  const request = `${id} ${text}`;
  const earlier = key === null ? undefined : state.evidenceKeys.get(key);
  if (earlier !== undefined) return earlier === request ? "200 replayed" : "IDEMPOTENCY_KEY_REUSED";
  if (known.status !== "OPEN") return "INVALID_STATE";
  if (known.deadline !== null && state.now > known.deadline) return "EVIDENCE_DEADLINE_PASSED";
  known.text = text;
  if (key !== null) state.evidenceKeys.set(key, request);
  return "200";
}

/** A report of an ended dispute: the bank may have reversed its decision. */
function repeatedDispute(
  state: State,
  charge: Charge,
  known: Dispute,
  report: DisputeReport,
): string {
  if (report.status === "OPEN") return "already";
  const what = `dispute ${report.id} ${report.status} ${report.amount}`;
  const kind = "dispute_status";
  if (report.status === known.status) {
    if (report.status === "WON" || report.amount === known.amount) return "already";
    addContradiction(state, { what, kind, held: Math.max(0, report.amount - known.amount) });
    return "contradiction";
  }
  if (report.status === "LOST") {
    clawBack(state, charge, report.amount, NO_HOLD);
    Object.assign(known, { status: "LOST", amount: report.amount });
    announce(known);
    addRefunded(charge, report.amount);
    addContradiction(state, { what, kind, held: 0 });
    return "contradiction";
  }
  if (known.kind !== "CHARGEBACK") {
    addContradiction(state, { what, kind, held: 0 });
    return "contradiction";
  }
  known.status = "WON";
  announce(known);
  credit(state, known.amount);
  addToDay(state, charge, [0, 0, 0, -known.amount]);
  reverseChargeback(state, charge);
  return "recorded";
}

/** A reversed chargeback: the refunded amount is what other refunds took. */
function reverseChargeback(state: State, charge: Charge): void {
  const lost = charge.disputes.filter(({ status }) => status === "LOST");
  const refunds = state.operations.filter(
    (each) => each.charge === charge && each.kind === "refund" && each.status === "DONE",
  );
  const gone = [...lost, ...refunds].reduce((sum, { amount }) => sum + amount, 0);
  charge.refundedAmount = Math.min(charge.paidAmount, gone);
  if (charge.refundedAmount < charge.paidAmount) charge.status = "paid";
  charge.events.push("chargeback_reversed");
}

/** Adds an amount to the charge's refunds. */
export function addRefunded(charge: Charge, amount: number): void {
  charge.refundedAmount = Math.min(charge.paidAmount, charge.refundedAmount + amount);
  if (charge.status !== "paid") return;
  if (charge.refundedAmount < charge.paidAmount) charge.events.push("partially_refunded");
  else transition(charge, "refunded", "refunded");
}

/** A process that may crash at its first report to the object, before or after its effect. */
export interface CrashPoint {
  at: "none" | "sent" | "moved";
  isCrashed: boolean;
  /** Reports to the object; after the crash it reports nothing. */
  call: <Answer>(tell: () => Answer) => Answer | "";
}

/** A process without a crash. */
export function noCrash(): CrashPoint {
  const dying: CrashPoint = {
    at: "none",
    isCrashed: false,
    call: (tell) => {
      if (dying.isCrashed) return "";
      dying.isCrashed = dying.at !== "none";
      return dying.at === "sent" ? "" : tell();
    },
  };
  return dying;
}

/** Refreshes a charge from its bank: payments, disputes or another status. */
export function sync(state: State, charge: Charge, crashPoint = noCrash()): string {
  const { bank } = charge;
  if (!bank.known) {
    const since = charge.registeredAt ?? charge.createdAt;
    const lost = charge.status === "creating" && since + NEVER_SENT_AFTER_MS <= state.now;
    return lost
      ? refreshedStatus(
          crashPoint.call(() => endCharge(charge, "failed")),
          "failed",
        )
      : "not_found";
  }
  for (const payment of bank.payments) crashPoint.call(() => settle(state, charge, payment));
  if (crashPoint.isCrashed) return "";
  for (const report of bank.disputes) dispute(state, charge, report);
  if (bank.payments.length > 0) return "paid";
  const expired = charge.expiresAt !== null && charge.expiresAt <= state.now;
  if (bank.status === "open" && !expired) return "open";
  const to = bank.status === "open" || bank.status === "expired" ? "cancelled" : bank.status;
  const came = crashPoint.call(() => {
    const answer = endCharge(charge, to);
    // The bank confirms the merchant's cancel, whose response was lost.
    if (answer === "transitioned" && bank.status === "cancelled")
      completeOperation(state, charge, "cancel", 0);
    return answer;
  });
  const unmade = came === "not_allowed" && to === "cancelled" && charge.status === "creating";
  if (!unmade || charge.method !== "CREDIT_CARD") return refreshedStatus(came, to);
  // The acquirer reversed the charge before it was reported: the charge failed.
  return refreshedStatus(
    crashPoint.call(() => endCharge(charge, "failed")),
    "failed",
  );
}

/** The operation took effect; its response was lost or is still to come. */
function completeOperation(
  state: State,
  charge: Charge,
  kind: "cancel" | "capture",
  amount: number,
): void {
  for (const each of state.operations) {
    const open = each.kind === kind && each.charge === charge && each.status === "PENDING";
    if (open && each.amount === amount) each.status = "DONE";
  }
}

function refreshedStatus(came: string, to: string): string {
  return came === "not_allowed" ? "open" : to;
}

function transition(charge: Charge, to: Status, event: string): void {
  charge.status = to;
  charge.hasTransitioned = true;
  charge.events.push(event);
}
