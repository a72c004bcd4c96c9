import { businessDay } from "./books.ts";
import { come, noDeath, sync, type Dying } from "./charges.ts";
import type { Charge, Method, State } from "./state.ts";

const LEASE_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ten digits of centavos. */
const BOLETO_MAX = 9_999_999_999;
/** Banks report late, and later where a late payment costs more. */
const REPORT_DAYS = 3;
const LATE_DAYS = 30;
const AUTHORIZATION_DAYS = 7;

/** Where the process that serves a create dies. */
export type CreateDeath =
  | "none"
  | "unclaimed"
  | "claimed"
  | "sent"
  | "moved"
  | "unanswered"
  | "answered";

/**
 * What the bank does about a charge: `lost` and `silent` say nothing, the one after it did as it was
 * asked; `odd` makes a boleto that cannot be paid, or has not decided about a card yet.
 */
export type BankOfCreate = "yes" | "declined" | "refused" | "silent" | "lost" | "odd";

export interface CreateRequest {
  amount: number;
  method: Method;
  installments: number;
  /** Whether a card's money is taken at once. */
  capture: boolean;
  /** Of a boleto: until it is due, and whether paying late costs more. */
  days: number;
  late: boolean;
}

/** `POST /transactions/create` and what the bank says of it. Answers the status or code it gets. */
export function create(
  state: State,
  request: CreateRequest,
  wish: { key: string | null; bank: BankOfCreate; death: CreateDeath },
): string {
  const { key, bank, death } = wish;
  if (request.method === "BOLETO" && request.amount > BOLETO_MAX) return "AMOUNT_TOO_LARGE";
  if (death === "unclaimed") return "INTERNAL_ERROR";
  const known = key === null ? undefined : state.charges.find((charge) => charge.key === key);
  const charge = known ?? draft(state, request, key);
  if (death === "claimed") return "INTERNAL_ERROR";
  if (charge.request !== requestOf(request)) return "IDEMPOTENCY_KEY_REUSED";
  if (charge.answer !== null) return `${answerOf(charge)} replayed`;
  if (known !== undefined && charge.leaseUntil > state.now) return "IDEMPOTENCY_IN_PROGRESS";
  charge.leaseUntil = state.now + LEASE_MS;
  const dying = noDeath();
  if (death === "sent" || death === "moved") dying.at = death;
  const brought = finish(state, charge, { bank, first: known === undefined, hasCard: true }, dying);
  if (dying.dead) return "INTERNAL_ERROR";
  if (brought === "nothing") return "PROVIDER_UNAVAILABLE";
  if (death === "unanswered") return "INTERNAL_ERROR";
  answer(state, charge, brought);
  return death === "answered" ? "INTERNAL_ERROR" : answerOf(charge);
}

/** The minute's cron looks at a charge. What it asks a bank to register is what was asked before. */
export function sweep(state: State, charge: Charge, bank: BankOfCreate): void {
  if (charge.answer !== null) {
    sync(state, charge);
    return;
  }
  if (charge.leaseUntil > state.now) return;
  charge.leaseUntil = state.now + LEASE_MS;
  const brought = finish(state, charge, { bank, first: false, hasCard: false }, noDeath());
  if (brought !== "nothing") answer(state, charge, brought);
}

type Brought = "registered" | "refused" | "nothing" | "decided" | "undecided";

/** `nothing`: the key is free for the next request at once. */
function finish(
  state: State,
  charge: Charge,
  wish: { bank: BankOfCreate; first: boolean; hasCard: boolean },
  dying: Dying,
): Brought {
  const { bank, first, hasCard } = wish;
  if (charge.method === "CREDIT_CARD") {
    // Somebody may have sent it before: it is asked about.
    const found = first ? "not_found" : sync(state, charge, dying);
    if (dying.dead) return "nothing";
    if (found !== "not_found") return found === "open" ? "undecided" : "decided";
    if (hasCard) return charged(state, charge, bank, dying);
    charge.leaseUntil = 0;
    return "nothing";
  }
  const unfit = charge.method === "BOLETO" && bank === "odd";
  if (bank === "silent" || bank === "lost" || unfit) {
    charge.leaseUntil = 0;
    return "nothing";
  }
  if (bank !== "refused") return "registered";
  dying.call(() => come(charge, "failed"));
  return "refused";
}

function charged(state: State, charge: Charge, bank: BankOfCreate, dying: Dying): Brought {
  const asked = charge.bank;
  if (bank === "silent") return "undecided";
  if (bank === "refused") {
    dying.call(() => come(charge, "failed"));
    return "refused";
  }
  asked.known = true;
  if (bank === "declined") asked.status = "refused";
  else if (bank !== "odd" && !charge.capture) asked.status = "authorized";
  else if (bank !== "odd") {
    const id = `sale ${charge.index}`;
    asked.payments.push({ id, amount: charge.amount, paidAt: state.now });
  }
  if (bank === "lost") return "undecided";
  return sync(state, charge, dying) === "open" ? "undecided" : "decided";
}

function answer(state: State, charge: Charge, brought: Brought): void {
  charge.answeredAt = state.now;
  charge.answer = brought === "refused" ? "refused" : "given";
  if (brought === "registered" && !charge.moved) charge.status = "waiting_payment";
}

function answerOf(charge: Charge): string {
  return charge.answer === "refused" ? "CHARGE_REFUSED" : "200";
}

function draft(state: State, request: CreateRequest, key: string | null): Charge {
  const { amount, method, installments, capture } = request;
  const charge: Charge = {
    index: state.charges.length,
    amount,
    method,
    installments: method === "CREDIT_CARD" ? installments : 1,
    terms: state.terms[method],
    status: "creating",
    moved: false,
    createdAt: state.now,
    answeredAt: null,
    expiresAt: expiryOf(request, state.now),
    paidAmount: 0,
    refundedAmount: 0,
    parts: [],
    disputes: [],
    events: [],
    bank: { known: method !== "CREDIT_CARD", status: "open", payments: [], disputes: [] },
    key,
    request: requestOf(request),
    capture,
    answer: null,
    leaseUntil: state.now + LEASE_MS,
  };
  state.charges.push(charge);
  return charge;
}

function expiryOf({ method, capture, days, late }: CreateRequest, now: number): number | null {
  if (method === "PIX") return now + DAY_MS;
  if (method === "CREDIT_CARD") return capture ? null : now + AUTHORIZATION_DAYS * DAY_MS;
  const lastDay = businessDay(now) + days + (late ? LATE_DAYS : REPORT_DAYS);
  return (lastDay + 1) * DAY_MS + 3 * HOUR_MS - 1_000;
}

/** What makes two requests the same: all that is sent of this method. */
function requestOf({ amount, method, installments, capture, days, late }: CreateRequest): string {
  if (method === "PIX") return `${amount}`;
  return method === "BOLETO"
    ? `boleto ${amount} ${days} ${late}`
    : `card ${amount} ${installments} ${capture}`;
}
