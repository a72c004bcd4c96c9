import type { Charge, Contradiction, Fee, Hold, Part, State } from "./state.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Basis points and a fixed part, half up on the integer, never more than the amount. */
export function feeOf(amount: number, fee: Fee): number {
  const share = (BigInt(amount) * BigInt(fee.basisPoints) * 2n + 10_000n) / 20_000n;
  return Math.min(amount, Number(share) + fee.fixed);
}

/** Credits `available`; the company's debt is repaid first. */
export function credit(state: State, amount: number): void {
  const { accounts } = state;
  const repaid = Math.min(amount, accounts.owed);
  accounts.owed -= repaid;
  accounts.available += amount - repaid;
}

/** Due credits become available. */
export function release(state: State): void {
  for (const charge of state.charges) {
    for (const part of charge.parts.filter(({ dueAt }) => dueAt <= state.now)) {
      state.accounts.awaiting -= part.amount;
      credit(state, part.amount);
    }
    charge.parts = charge.parts.filter(({ dueAt }) => dueAt > state.now);
  }
}

/**
 * Credits a charge's payment less its fee: a card's credit in installments of 30 days or by the
 * company's terms.
 */
export function creditPayment(state: State, charge: Charge, amount: number, paidAt: number): void {
  const fee = feeOf(amount, charge.terms.fee);
  state.accounts.fees += fee;
  addToDay(state, charge, [1, amount, fee, 0]);
  const parts = charge.method === "CREDIT_CARD" ? charge.installments : 1;
  const each = Math.floor((amount - fee) / parts);
  for (let installment = 1; installment <= parts; installment++) {
    const share = installment === 1 ? amount - fee - each * (parts - 1) : each;
    const days = installment * charge.terms.releaseDays;
    if (days === 0) credit(state, share);
    else
      addUnreleased(state, charge, { installment, amount: share, dueAt: paidAt + days * DAY_MS });
  }
  release(state);
}

/** The amount that can be held for a charge: its unreleased credit and the available money. */
export function holdableAmount(state: State, charge: Charge): number {
  return unreleasedOf(charge) + state.accounts.available;
}

/**
 * Takes an amount from a charge's unreleased credit, latest installment first, then from
 * `available`.
 */
export function hold(state: State, charge: Charge, amount: number): Hold {
  const parts = takeUnreleased(state, charge, amount);
  const available = amount - sum(parts);
  state.accounts.available -= available;
  state.accounts.blocked += amount;
  return { available, parts };
}

/** Releases a hold: each part returns to its source. */
export function releaseHold(state: State, charge: Charge, holding: Hold): void {
  state.accounts.blocked -= heldAmount(holding);
  for (const part of holding.parts) addUnreleased(state, charge, part);
  credit(state, holding.available);
  release(state);
}

/** The bank takes an amount: from its hold, then from the company's money; the rest is debt. */
export function clawBack(state: State, charge: Charge, amount: number, holding: Hold): void {
  const { accounts } = state;
  const held = heldAmount(holding);
  accounts.blocked -= held;
  addToDay(state, charge, [0, 0, 0, amount]);
  const awaiting = sum(takeUnreleased(state, charge, amount - held));
  const missing = amount - held - awaiting;
  const available = Math.min(missing, accounts.available);
  accounts.available -= available;
  accounts.owed += missing - available;
}

/** The blocked amount of a hold. */
export function heldAmount(holding: Hold): number {
  return holding.available + sum(holding.parts);
}

/** Records a contradiction once, however often it is reported. */
export function addContradiction(
  state: State,
  {
    what: id,
    kind,
    held,
    about = null,
  }: {
    what: string;
    kind: Contradiction["kind"];
    held: number;
    about?: Contradiction["about"];
  },
): void {
  if (state.contradictions.has(id)) return;
  state.contradictions.set(id, { kind, held, status: "open", action: null, about });
}

/** The withdrawable amount: available money less undecided holds. */
export function withdrawableOf(state: State): number {
  return Math.max(0, state.accounts.available - heldByContradictions(state));
}

/** What open contradictions hold: neither withdrawn nor refunded. */
export function heldByContradictions({ contradictions }: State): number {
  const open = [...contradictions.values()].filter(({ status }) => status === "open");
  return open.reduce((total, each) => total + each.held, 0);
}

/** The calendar day in São Paulo, which is three hours behind UTC all year. */
export function businessDay(timeMs: number): number {
  return Math.floor((timeMs - 3 * 60 * 60 * 1_000) / DAY_MS);
}

/** Adds count, gross, fees and refunds to the day's totals of the charge's method. */
export function addToDay(state: State, charge: Charge, sums: number[]): void {
  const day = new Date(businessDay(state.now) * DAY_MS).toISOString().slice(0, 10);
  const key = `${day} ${charge.method}`;
  const before = state.dailyTotals[key] ?? [0, 0, 0, 0];
  state.dailyTotals[key] = before.map((value, index) => value + (sums[index] ?? 0));
}

function addUnreleased(state: State, charge: Charge, part: Part): void {
  if (part.amount === 0) return;
  state.accounts.awaiting += part.amount;
  const same = charge.parts.find(({ installment }) => installment === part.installment);
  if (same === undefined) charge.parts.push({ ...part });
  else same.amount += part.amount;
}

function takeUnreleased(state: State, charge: Charge, amount: number): Part[] {
  const taken: Part[] = [];
  let missing = amount;
  for (const part of charge.parts.toSorted((a, b) => b.installment - a.installment)) {
    const share = Math.min(missing, part.amount);
    if (share === 0) continue;
    part.amount -= share;
    missing -= share;
    taken.push({ ...part, amount: share });
  }
  charge.parts = charge.parts.filter((part) => part.amount > 0);
  state.accounts.awaiting -= sum(taken);
  return taken;
}

function unreleasedOf(charge: Charge): number {
  return sum(charge.parts);
}

function sum(parts: Part[]): number {
  return parts.reduce((total, part) => total + part.amount, 0);
}
