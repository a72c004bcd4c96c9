import { book, contradict, credit, giveBack, heldIn, hold, reachOf, takeAway } from "./books.ts";
import type { Charge, Dispute, Holding, Payment, State, Status } from "./state.ts";

/** The table of moves (`docs/`): money that comes late is money. */
const MOVES: Record<Status, Status[]> = {
  creating: ["waiting_payment", "authorized", "paid", "refused", "failed"],
  waiting_payment: ["paid", "authorized", "refused", "cancelled", "failed"],
  authorized: ["paid", "cancelled"],
  paid: ["refunded"],
  refused: [],
  failed: ["paid"],
  cancelled: ["paid"],
  refunded: [],
};
const NOTHING_HELD: Holding = { available: 0, parts: [] };
/** After so long an acquirer that knows no such charge was never sent it. */
const LOST_AFTER_MS = 10 * 60_000;

/** A payment that the bank confirmed, credited at most once by its id; unexpected money is kept apart. */
export function settle(state: State, charge: Charge, payment: Payment): string {
  const { id, amount, paidAt } = payment;
  const known = state.payments.get(id);
  if (known?.charge === charge) return "already";
  if (known !== undefined) {
    // It stays with its first charge, and a person settles whose it is.
    const held = known.suspended ? 0 : known.amount;
    contradict(state, { what: `payment ${id} ${charge.index}`, kind: "payment_charge", held });
    return "contradiction";
  }
  const suspended = !MOVES[charge.status].includes("paid");
  state.payments.set(id, { charge, amount, suspended, returned: null });
  if (suspended) {
    state.accounts.suspense += amount;
    contradict(state, { what: `aside ${id}`, kind: "payment_set_aside", held: 0 });
    return "suspended";
  }
  book(state, charge, amount, paidAt);
  charge.paidAmount = amount;
  move(charge, "paid", "paid");
  // Whoever asked for just this money has it.
  asAsked(state, charge, "capture", amount);
  return "credited";
}

/** A card that is authorized, or a charge that ends without money. */
export function come(
  charge: Charge,
  to: "authorized" | "refused" | "failed" | "cancelled",
): string {
  if (charge.status === to) return "already";
  if (!MOVES[charge.status].includes(to)) return "not_allowed";
  move(charge, to, to);
  return "moved";
}

/** What a payer's bank asks back, has given up, or has taken. */
export function dispute(state: State, charge: Charge, report: Omit<Dispute, "holding">): string {
  if (charge.paidAmount === 0) {
    const { id, status, amount } = report;
    if (status !== "WON") {
      const held = status === "LOST" ? amount : 0;
      contradict(state, { what: `unpaid ${id} ${status}`, kind: "dispute_status", held });
    }
    return "not_allowed";
  }
  // Its payment came after it.
  for (const status of ["OPEN", "LOST"]) {
    const row = state.contradictions.get(`unpaid ${report.id} ${status}`);
    if (row !== undefined) row.status = "decided";
  }
  const known = charge.disputes.find(({ id }) => id === report.id);
  if (known !== undefined && known.status !== "OPEN") return again(state, charge, known, report);
  if (known?.status === report.status) return "already";
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

/** What is said of a dispute that has ended: the bank may have taken it after all, or given it back. */
function again(
  state: State,
  charge: Charge,
  known: Dispute,
  report: Omit<Dispute, "holding">,
): string {
  if (report.status === "OPEN") return "already";
  const what = `dispute ${report.id} ${report.status} ${report.amount}`;
  const kind = "dispute_status";
  if (report.status === known.status) {
    if (report.status === "WON" || report.amount === known.amount) return "already";
    contradict(state, { what, kind, held: Math.max(0, report.amount - known.amount) });
    return "contradiction";
  }
  if (report.status === "LOST") {
    takeAway(state, charge, report.amount, NOTHING_HELD);
    Object.assign(known, { status: "LOST", amount: report.amount });
    wentBack(charge, report.amount);
    contradict(state, { what, kind, held: 0 });
    return "contradiction";
  }
  if (known.kind !== "CHARGEBACK") {
    contradict(state, { what, kind, held: 0 });
    return "contradiction";
  }
  known.status = "WON";
  credit(state, known.amount);
  cameBack(state, charge);
  return "recorded";
}

/** What a chargeback took is back: refunded is what else went back. */
function cameBack(state: State, charge: Charge): void {
  const lost = charge.disputes.filter(({ status }) => status === "LOST");
  const refunds = state.operations.filter(
    (each) => each.charge === charge && each.kind === "refund" && each.status === "DONE",
  );
  const gone = [...lost, ...refunds].reduce((sum, { amount }) => sum + amount, 0);
  charge.refundedAmount = Math.min(charge.paidAmount, gone);
  if (charge.refundedAmount < charge.paidAmount) charge.status = "paid";
  charge.events.push("chargeback_reversed");
}

/** An amount is with the payer again. */
export function wentBack(charge: Charge, amount: number): void {
  charge.refundedAmount = Math.min(charge.paidAmount, charge.refundedAmount + amount);
  if (charge.status !== "paid") return;
  if (charge.refundedAmount < charge.paidAmount) charge.events.push("partially_refunded");
  else move(charge, "refunded", "refunded");
}

/** A process that may die at its first word to the company's books, before or after it was heard. */
export interface Dying {
  at: "none" | "sent" | "moved";
  dead: boolean;
  /** Tells the books something; once dead, it tells nothing any more. */
  call: <Answer>(tell: () => Answer) => Answer | "";
}

/** A process that lives on, until it is told where to die. */
export function noDeath(): Dying {
  const dying: Dying = {
    at: "none",
    dead: false,
    call: (tell) => {
      if (dying.dead) return "";
      dying.dead = dying.at !== "none";
      return dying.at === "sent" ? "" : tell();
    },
  };
  return dying;
}

/** Brings a charge to what its bank says: payments, what was asked back of them, or another state. */
export function sync(state: State, charge: Charge, dying = noDeath()): string {
  const { bank } = charge;
  if (!bank.known) {
    const since = charge.answeredAt ?? charge.createdAt;
    const lost = charge.status === "creating" && since + LOST_AFTER_MS <= state.now;
    return lost
      ? brought(
          dying.call(() => come(charge, "failed")),
          "failed",
        )
      : "not_found";
  }
  for (const payment of bank.payments) dying.call(() => settle(state, charge, payment));
  if (dying.dead) return "";
  for (const report of bank.disputes) dispute(state, charge, report);
  if (bank.payments.length > 0) return "paid";
  const expired = charge.expiresAt !== null && charge.expiresAt <= state.now;
  if (bank.status === "open" && !expired) return "open";
  const to = bank.status === "open" || bank.status === "expired" ? "cancelled" : bank.status;
  const came = dying.call(() => {
    const answer = come(charge, to);
    // What a merchant's cancel asked for is so, by the bank's own word; its answer was lost.
    if (answer === "moved" && bank.status === "cancelled") asAsked(state, charge, "cancel", 0);
    return answer;
  });
  const unmade = came === "not_allowed" && to === "cancelled" && charge.status === "creating";
  if (!unmade || charge.method !== "CREDIT_CARD") return brought(came, to);
  // Its acquirer took it back before anybody was told of it: an attempt that failed.
  return brought(
    dying.call(() => come(charge, "failed")),
    "failed",
  );
}

/** What was asked for is so; its answer was lost, or is still to come. */
function asAsked(state: State, charge: Charge, kind: "cancel" | "capture", amount: number): void {
  for (const each of state.operations) {
    const open = each.kind === kind && each.charge === charge && each.status === "PENDING";
    if (open && each.amount === amount) each.status = "DONE";
  }
}

function brought(came: string, to: string): string {
  return came === "not_allowed" ? "open" : to;
}

function move(charge: Charge, to: Status, event: string): void {
  charge.status = to;
  charge.moved = true;
  charge.events.push(event);
}
