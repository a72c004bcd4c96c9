import { book, giveBack, heldIn, hold, reachOf, takeAway } from "./books.ts";
import type { Charge, Dispute, Holding, Payment, State, Status } from "./state.ts";

/** The table of moves (`docs/`): money that comes late is money. */
const MOVES: Record<Status, Status[]> = {
  creating: ["waiting_payment", "paid", "failed"],
  waiting_payment: ["paid", "cancelled", "failed"],
  paid: ["refunded"],
  failed: ["paid"],
  cancelled: ["paid"],
  refunded: [],
};
const NOTHING_HELD: Holding = { available: 0, parts: [] };
const CREATE_LEASE_MS = 30_000;
const DAY_MS = 86_400_000;

/** Where the process that serves a create dies. */
export type CreateDeath = "none" | "unclaimed" | "claimed" | "unanswered" | "answered";

/** `POST /transactions/create` and what the bank says of it. Answers the status or code it gets. */
export function create(
  state: State,
  request: {
    amount: number;
    key: string | null;
    bank: "registered" | "refused" | "unknown";
    death: CreateDeath;
  },
): string {
  const { amount, key, bank, death } = request;
  if (death === "unclaimed") return "INTERNAL_ERROR";
  const known = key === null ? undefined : state.charges.find((charge) => charge.key === key);
  const charge = known ?? draft(state, amount, key);
  if (death === "claimed") return "INTERNAL_ERROR";
  if (charge.amount !== amount) return "IDEMPOTENCY_KEY_REUSED";
  if (charge.answer !== null) return `${answerOf(charge)} replayed`;
  if (known !== undefined && charge.leaseUntil > state.now) return "IDEMPOTENCY_IN_PROGRESS";
  charge.leaseUntil = state.now + CREATE_LEASE_MS;
  if (bank === "unknown") {
    charge.leaseUntil = 0;
    return "PROVIDER_UNAVAILABLE";
  }
  if (bank === "refused") end(charge, "failed");
  if (death === "unanswered") return "INTERNAL_ERROR";
  charge.answer = bank;
  if (!charge.moved) charge.status = "waiting_payment";
  return death === "answered" ? "INTERNAL_ERROR" : answerOf(charge);
}

/** A payment that the bank confirmed, credited at most once by its id; unexpected money is kept apart. */
export function settle(state: State, charge: Charge, payment: Payment): string {
  const { paymentId, amount, paidAt } = payment;
  if (state.payments.has(paymentId)) return "already";
  const suspended = !MOVES[charge.status].includes("paid");
  state.payments.set(paymentId, { charge, amount, suspended, returned: null });
  if (suspended) {
    state.accounts.suspense += amount;
    return "suspended";
  }
  book(state, charge, amount, paidAt);
  charge.paidAmount = amount;
  move(charge, "paid", "paid");
  return "credited";
}

/** A charge that ends without money. */
export function end(charge: Charge, to: "failed" | "cancelled"): string {
  if (charge.status === to) return "already";
  if (!MOVES[charge.status].includes(to)) return "not_allowed";
  move(charge, to, to);
  return "moved";
}

/** What a payer's bank asks back, has given up, or has taken. */
export function dispute(state: State, charge: Charge, report: Omit<Dispute, "holding">): string {
  if (charge.paidAmount === 0) return "not_allowed";
  const known = charge.disputes.find(({ id }) => id === report.id);
  if (known?.status === report.status) return "already";
  if (known !== undefined && known.status !== "OPEN") return "contradiction";
  const before = known?.holding ?? NOTHING_HELD;
  const booked: Dispute = { ...report, holding: NOTHING_HELD };
  charge.disputes =
    known === undefined
      ? [...charge.disputes, booked]
      : charge.disputes.map((each) => (each === known ? booked : each));
  if (report.status === "OPEN") {
    booked.holding = hold(state, charge, Math.min(report.amount, reachOf(state, charge)));
    charge.events.push("disputed");
  } else if (report.status === "WON") {
    if (heldIn(before) > 0) giveBack(state, charge, before);
  } else {
    const inPart = report.amount < heldIn(before);
    if (inPart) giveBack(state, charge, before);
    takeAway(state, charge, report.amount, inPart ? NOTHING_HELD : before);
    wentBack(charge, report.amount);
  }
  return "recorded";
}

/** An amount is with the payer again. */
export function wentBack(charge: Charge, amount: number): void {
  charge.refundedAmount = Math.min(charge.paidAmount, charge.refundedAmount + amount);
  if (charge.status !== "paid") return;
  if (charge.refundedAmount < charge.paidAmount) charge.events.push("partially_refunded");
  else move(charge, "refunded", "refunded");
}

/** Brings a charge to what its bank says: payments, what was asked back of them, or an end. */
export function sync(state: State, charge: Charge): "settled" | "ended" | "open" {
  const { bank } = charge;
  for (const payment of bank.payments) settle(state, charge, payment);
  for (const report of bank.disputes) dispute(state, charge, report);
  if (bank.payments.length > 0) return "settled";
  const expired = bank.status === "open" && charge.expiresAt <= state.now;
  if (bank.status === "open" && !expired) return "open";
  const to = bank.status === "failed" ? "failed" : "cancelled";
  const ended = end(charge, to);
  if (ended === "moved" && bank.status === "cancelled") cancelsAreDone(state, charge);
  return ended === "not_allowed" ? "open" : "ended";
}

/** What a merchant's cancel asked for is so, by the bank's own word; the cancel's answer was lost. */
function cancelsAreDone(state: State, charge: Charge): void {
  for (const each of state.operations) {
    const open = each.kind === "cancel" && each.charge === charge && each.status === "PENDING";
    if (open) each.status = "DONE";
  }
}

/** Whether a charge waits for its payer, and whether its time is over. */
export function isOpen(charge: Charge): boolean {
  return charge.status === "creating" || charge.status === "waiting_payment";
}

function draft(state: State, amount: number, key: string | null): Charge {
  const charge: Charge = {
    index: state.charges.length,
    amount,
    method: "PIX",
    installments: 1,
    terms: state.terms.PIX,
    status: "creating",
    moved: false,
    expiresAt: state.now + DAY_MS,
    paidAmount: 0,
    refundedAmount: 0,
    parts: [],
    disputes: [],
    events: [],
    bank: { status: "open", payments: [], disputes: [] },
    key,
    answer: null,
    leaseUntil: state.now + CREATE_LEASE_MS,
  };
  state.charges.push(charge);
  return charge;
}

function answerOf(charge: Charge): string {
  return charge.answer === "refused" ? "CHARGE_REFUSED" : "200";
}

function move(charge: Charge, to: Status, event: string): void {
  charge.status = to;
  charge.moved = true;
  charge.events.push(event);
}
