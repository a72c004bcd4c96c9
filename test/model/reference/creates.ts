import { getHolidays } from "@brazilian-utils/brazilian-utils";
import { businessDay } from "./books.ts";
import { endCharge, noCrash, sync, type CrashPoint } from "./charges.ts";
import type { Charge, Method, Payment, State } from "./state.ts";

const LEASE_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ten digits of centavos. */
const BOLETO_MAX = 9_999_999_999;
/** Banks report late, and later if late payments pay interest. */
const REPORT_DAYS = 3;
const LATE_DAYS = 30;
const AUTHORIZATION_DAYS = 7;
/** A PIX with a due date stays open so long after its last day. */
const HOLIDAY_DAYS = 7;

/** Where the process of a create crashes. */
export type CreateCrash =
  | "none"
  | "unclaimed"
  | "claimed"
  | "sent"
  | "moved"
  | "unanswered"
  | "answered";

/**
 * The bank's reaction to a create: `lost` and `silent` give no response, the first one with the
 * effect. `odd` is a mismatched boleto or an undecided card.
 */
export type CreateBankState = "yes" | "declined" | "refused" | "silent" | "lost" | "odd";

export interface CreateRequest {
  amount: number;
  method: Method;
  installments: number;
  /** Whether a card is captured at once. */
  capture: boolean;
  /** Days until a boleto or a PIX with a due date is due, and whether it has interest. */
  days: number;
  late: boolean;
  /** Whether a PIX has a due date. */
  due: boolean;
}

/** `POST /transactions/create` with its bank's reaction; returns the status or code. */
export function create(
  state: State,
  request: CreateRequest,
  options: { key: string | null; bank: CreateBankState; death: CreateCrash },
): string {
  const { key, bank, death } = options;
  if (request.method === "BOLETO" && request.amount > BOLETO_MAX) return "AMOUNT_TOO_LARGE";
  if (death === "unclaimed") return "INTERNAL_ERROR";
  const known = key === null ? undefined : state.charges.find((charge) => charge.key === key);
  const charge = known ?? draft(state, request, key);
  if (death === "claimed") return "INTERNAL_ERROR";
  if (charge.request !== requestOf(request, state.now)) return "IDEMPOTENCY_KEY_REUSED";
  if (charge.createResult !== null) return `${responseOf(charge)} replayed`;
  if (known !== undefined && charge.leaseUntil > state.now) return "IDEMPOTENCY_IN_PROGRESS";
  charge.leaseUntil = state.now + LEASE_MS;
  const dying = noCrash();
  if (death === "sent" || death === "moved") dying.at = death;
  const received = finish(
    state,
    charge,
    { bank, first: known === undefined, hasCard: true },
    dying,
  );
  if (dying.isCrashed) return "INTERNAL_ERROR";
  if (received === "nothing") return "PROVIDER_UNAVAILABLE";
  if (death === "unanswered") return "INTERNAL_ERROR";
  saveProviderResult(state, charge, received);
  return death === "answered" ? "INTERNAL_ERROR" : responseOf(charge);
}

/** The charge that a static code's payment makes: it waits for that payment only. */
export function draftOfPayment(state: State, payment: Payment): Charge {
  const { amount } = payment;
  const request = { amount, method: "PIX", installments: 1, capture: true } as const;
  return Object.assign(draft(state, { ...request, days: 0, late: false, due: false }, null), {
    status: "waiting_payment",
    registeredAt: state.now,
    expiresAt: null,
    createResult: "given",
    leaseUntil: 0,
    isOfPayment: true,
    bank: { known: true, status: "open", payments: [payment], disputes: [] },
  } as const satisfies Partial<Charge>);
}

/** The cron sweeps a charge. It registers the charge with the first request's data. */
export function sweep(state: State, charge: Charge, bank: CreateBankState): void {
  if (charge.createResult !== null) {
    sync(state, charge);
    return;
  }
  if (charge.leaseUntil > state.now) return;
  charge.leaseUntil = state.now + LEASE_MS;
  const received = finish(state, charge, { bank, first: false, hasCard: false }, noCrash());
  if (received !== "nothing") saveProviderResult(state, charge, received);
}

type ProviderResult = "registered" | "refused" | "nothing" | "decided" | "undecided";

/** `nothing`: the key is free for the next request at once. */
function finish(
  state: State,
  charge: Charge,
  options: { bank: CreateBankState; first: boolean; hasCard: boolean },
  dying: CrashPoint,
): ProviderResult {
  const { bank, first, hasCard } = options;
  if (charge.method === "CREDIT_CARD") {
    // The charge may have been sent before: it is looked up.
    const found = first ? "not_found" : sync(state, charge, dying);
    if (dying.isCrashed) return "nothing";
    if (found !== "not_found") return found === "open" ? "undecided" : "decided";
    if (hasCard) return chargeCard(state, charge, bank, dying);
    charge.leaseUntil = 0;
    return "nothing";
  }
  const unfit = charge.method === "BOLETO" && bank === "odd";
  if (bank === "silent" || bank === "lost" || unfit) {
    charge.leaseUntil = 0;
    return "nothing";
  }
  if (bank !== "refused") return "registered";
  dying.call(() => endCharge(charge, "failed"));
  return "refused";
}

function chargeCard(
  state: State,
  charge: Charge,
  bank: CreateBankState,
  crashPoint: CrashPoint,
): ProviderResult {
  const asked = charge.bank;
  if (bank === "silent") return "undecided";
  if (bank === "refused") {
    crashPoint.call(() => endCharge(charge, "failed"));
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
  return sync(state, charge, crashPoint) === "open" ? "undecided" : "decided";
}

function saveProviderResult(state: State, charge: Charge, result: ProviderResult): void {
  charge.registeredAt = state.now;
  charge.createResult = result === "refused" ? "refused" : "given";
  if (result === "registered" && !charge.hasTransitioned) charge.status = "waiting_payment";
}

function responseOf(charge: Charge): string {
  return charge.createResult === "refused" ? "CHARGE_REFUSED" : "200";
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
    hasTransitioned: false,
    createdAt: state.now,
    registeredAt: null,
    expiresAt: expiryOf(request, state.now),
    paidAmount: 0,
    refundedAmount: 0,
    parts: [],
    disputes: [],
    events: [],
    bank: { known: method !== "CREDIT_CARD", status: "open", payments: [], disputes: [] },
    key,
    request: requestOf(request, state.now),
    capture,
    createResult: null,
    leaseUntil: state.now + LEASE_MS,
    isOfPayment: false,
  };
  state.charges.push(charge);
  return charge;
}

function expiryOf(request: CreateRequest, now: number): number | null {
  const { method, capture, days, late, due } = request;
  if (method === "PIX" && due) {
    const validity = late ? LATE_DAYS : 0;
    const lastPayable = nextBankDay(nextBankDay(businessDay(now) + days) + validity);
    return endOf(lastPayable + HOLIDAY_DAYS);
  }
  if (method === "PIX") return now + DAY_MS;
  if (method === "CREDIT_CARD") return capture ? null : now + AUTHORIZATION_DAYS * DAY_MS;
  return endOf(businessDay(now) + days + (late ? LATE_DAYS : REPORT_DAYS));
}

/** The last second of a day in São Paulo, by the day's number since 1970. */
function endOf(day: number): number {
  return (day + 1) * DAY_MS + 3 * HOUR_MS - 1_000;
}

/** The day, or the first with banks after it. The first of January 1970 was a Thursday. */
function nextBankDay(day: number): number {
  const isWeekend = day % 7 === 2 || day % 7 === 3;
  return isWeekend || isHoliday(day) ? nextBankDay(day + 1) : day;
}

/** By the library that the product does not ask for days. Carnival's Monday is the day before its Tuesday. */
function isHoliday(day: number): boolean {
  const { year, text } = calendarOf(day);
  return getHolidays({ year }).some(({ date, name, type }) => {
    const at = calendarOf(Math.round(date.getTime() / DAY_MS)).text;
    if (/Carnaval/.test(name)) return at === text || at === calendarOf(day + 1).text;
    const isOfBanks = /Sexta-feira Santa|Corpus Christi/.test(name) || type === "national";
    return at === text && isOfBanks;
  });
}

function calendarOf(day: number): { year: number; text: string } {
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  return { year: Number(text.slice(0, 4)), text };
}

/** A due date of the calendar, by the day of the request. */
export function dueDateOf({ days }: CreateRequest, now: number): string {
  return new Date((businessDay(now) + days) * DAY_MS).toISOString().slice(0, 10);
}

/** Two requests are equal if all fields of the method are equal. */
function requestOf(request: CreateRequest, now: number): string {
  const { amount, method, installments, capture, days, late, due } = request;
  if (method === "PIX" && due) return `due ${amount} ${dueDateOf(request, now)} ${late}`;
  if (method === "PIX") return `${amount}`;
  return method === "BOLETO"
    ? `boleto ${amount} ${days} ${late}`
    : `card ${amount} ${installments} ${capture}`;
}
