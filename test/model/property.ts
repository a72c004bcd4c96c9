import * as fc from "fast-check";
import { env } from "cloudflare:workers";
import { takeMadeCompanies } from "../support/builders/company.ts";
import { expect } from "vitest";
import { cents, commandsOf, type Kind, type Plan, type Tally } from "./command.ts";
import { Real, type Seams } from "./real.ts";
import { firstDay, type State } from "./reference/state.ts";
import { askBack, pay, tell } from "./steps/charges.ts";
import { createCharge, sweepCharge } from "./steps/creates.ts";
import {
  cancelCharge,
  captureCharge,
  followUp,
  refundCharge,
  returnSuspended,
} from "./steps/operations.ts";
import { payOut, reportPayout, takeBack, withdraw } from "./steps/withdraws.ts";
import { agree, alarm, breakDrain, evict, freeze, heal, limit, tick, wait } from "./steps/world.ts";

const MAX_COMMANDS = 30;

interface Settings {
  runs: number;
  /** The same of the lives with banks. */
  banksRuns: number;
  seed: number;
  path: string;
  replayPath: string;
}

/** How often, and from where: `MODEL_RUNS`, `MODEL_SEED`, `MODEL_PATH`, `MODEL_REPLAY_PATH`. */
export const settings = (env as unknown as { MODEL: Settings }).MODEL;

/** What was paid before the first command: there is something to move. */
const opening = fc.array(fc.oneof(cents, fc.constant(100_000)), { maxLength: 3 });

/** Whatever happens to a company, its books are those of the reference model. */
export function booksFollowTheModel(tally: Tally, seams: Partial<Seams> = {}, replayPath = "") {
  const of = <Wish>(weight: number, name: string, kind: Kind<Wish>) =>
    Array.from({ length: weight }, () => commandsOf(name, kind, tally));
  const commands = fc.commands(
    [
      ...of(4, "create", createCharge),
      ...of(2, "sweep", sweepCharge),
      ...of(4, "pay", pay),
      ...of(2, "tell", tell),
      ...of(3, "dispute", askBack),
      ...of(4, "refund", refundCharge),
      ...of(2, "cancel", cancelCharge),
      ...of(3, "capture", captureCharge),
      ...of(2, "follow up", followUp),
      ...of(2, "return suspended", returnSuspended),
      ...of(4, "withdraw", withdraw),
      ...of(1, "take back", takeBack),
      ...of(4, "pay out", payOut),
      ...of(3, "report payout", reportPayout),
      ...of(3, "wait", wait),
      ...of(1, "agree", agree),
      ...of(1, "limit", limit),
      ...of(1, "freeze", freeze),
      ...of(1, "evict", evict),
      ...of(1, "alarm", alarm),
      ...of(1, "tick", tick),
      ...of(3, "break drain", breakDrain),
      ...of(1, "heal", heal),
    ],
    { maxCommands: MAX_COMMANDS, size: "max", ...(replayPath === "" ? {} : { replayPath }) },
  );
  return fc.asyncProperty(opening, fc.noBias(commands), async (paid, run) => {
    const state = firstDay();
    const real = await Real.begin(state, seams);
    try {
      for (const amount of paid) await openWith(state, real, amount);
      await fc.asyncModelRun(() => ({ model: state, real }), run);
      await real.finish();
    } finally {
      takeMadeCompanies();
    }
  });
}

/** A charge that was paid before the first command, so that there is money to move. */
async function openWith(state: State, real: Real, amount: number): Promise<void> {
  await givePlan(createCharge.plan(state, { ...PLAIN_CREATE, amount }), real);
  const charge = state.charges.length - 1;
  await givePlan(pay.plan(state, { ...PLAIN_PAY, charge }), real);
}

async function givePlan({ expected, act }: Plan, real: Real): Promise<void> {
  expect(await act(real)).toBe(expected);
}

const PLAIN_CREATE = {
  method: "PIX",
  installments: 1,
  capture: true,
  days: 0,
  late: false,
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
