import * as fc from "fast-check";
import { expect } from "vitest";
import { cents, type ExpectedStep } from "./command.ts";
import type { RealSystem } from "./real.ts";
import type { State } from "./reference/state.ts";
import { pay } from "./steps/charges.ts";
import { createCharge } from "./steps/creates.ts";
import { processPayoutStep, withdraw } from "./steps/withdraws.ts";
import { changeApprovalLimit, changeRefundLimits } from "./steps/world.ts";

/** What a life begins with, so that there is money to move and something to decide. */
export interface Opening {
  /** Amounts of paid charges. */
  paid: number[];
  /** Whether the first of them is paid once more, which nobody expected. */
  isPaidTwice: boolean;
  /** Whether all refunds and returns wait for an approval; all withdraws. */
  refundsWait: boolean;
  withdrawsWait: boolean;
  /** Whether there is a withdraw of which its bank says nothing. */
  isBankSilent: boolean;
}

const amount = fc.oneof(cents, fc.constant(100_000));

/** Some money, or none. */
export const anyOpening: fc.Arbitrary<Opening> = fc.record({
  paid: fc.array(amount, { maxLength: 3 }),
  isPaidTwice: fc.boolean(),
  refundsWait: fc.boolean(),
  withdrawsWait: fc.boolean(),
  isBankSilent: fc.constant(false),
});

/** Money, and mostly something that waits for a decision. */
export const openingWithDecisions: fc.Arbitrary<Opening> = fc.record({
  paid: fc.array(amount, { minLength: 1, maxLength: 3 }),
  isPaidTwice: fc.constantFrom(true, true, true, false),
  refundsWait: fc.boolean(),
  withdrawsWait: fc.boolean(),
  isBankSilent: fc.boolean(),
});

/** Plays an opening. Its steps are compared with the model's, too. */
export async function begin(
  state: State,
  real: RealSystem,
  { paid, isPaidTwice, refundsWait, withdrawsWait, isBankSilent }: Opening,
): Promise<void> {
  const run = async ({ expected, execute }: ExpectedStep) =>
    expect(await execute(real), "the opening").toBe(expected);
  for (const [charge, value] of paid.entries()) {
    await run(createCharge.plan(state, { ...PLAIN_CREATE, amount: value }));
    await run(pay.plan(state, { ...PLAIN_PAY, charge }));
  }
  if (isPaidTwice && paid.length > 0) await run(pay.plan(state, { ...PLAIN_PAY, charge: 0 }));
  const limits = { refundDailyLimit: null, refundApprovalAbove: 0 };
  if (refundsWait) await run(changeRefundLimits.plan(state, limits));
  if (isBankSilent) await run(withdraw.plan(state, PLAIN_WITHDRAW));
  if (state.withdraws.length > 0) await run(processPayoutStep.plan(state, SILENT_PAYOUT));
  if (withdrawsWait) await run(changeApprovalLimit.plan(state, { withdrawApprovalAbove: 0 }));
}

const PLAIN_CREATE = {
  method: "PIX",
  installments: 1,
  capture: true,
  days: 0,
  late: false,
  due: false,
  key: null,
  bank: "yes",
  trouble: "none",
  again: false,
} as const;
const PLAIN_PAY = {
  payment: null,
  amount: null,
  delayDays: 0,
  via: "object",
  again: false,
} as const;
const PLAIN_WITHDRAW = {
  amount: 1_000,
  percent: null,
  key: "opening",
  trouble: "none",
  again: false,
} as const;
const SILENT_PAYOUT = {
  withdraw: 0,
  script: { lookup: "unknown", result: "unknown", idempotent: true },
  trouble: "none",
} as const;
