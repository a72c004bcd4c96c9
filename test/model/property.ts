import * as fc from "fast-check";
import { env } from "cloudflare:workers";
import { takeCreatedCompanies } from "../support/builders/companies/company.ts";
import { expect } from "vitest";
import { cents, commandsOf, type CommandKind, type ExpectedStep, type Tally } from "./command.ts";
import { RealSystem, type Hooks } from "./real.ts";
import { initialState, type State } from "./reference/state.ts";
import {
  changeLateRule,
  creditSuspended,
  evidence,
  requestReturn,
  pay,
  reportStatus,
} from "./steps/charges.ts";
import { payStaticCode } from "./steps/static-codes.ts";
import { createCharge, sweepCharge } from "./steps/creates.ts";
import {
  cancelCharge,
  captureCharge,
  resumePending,
  decideRefundStep,
  refundCharge,
} from "./steps/operations.ts";
import { requestCreditStep, requestReturnStep, returnSuspended } from "./steps/returns.ts";
import { approveProposalStep, proposeStep, refuseProposalStep } from "./steps/proposals.ts";
import {
  processPayoutStep,
  reportPayout,
  cancelWithdrawStep,
  decideWithdrawStep,
  withdraw,
} from "./steps/withdraws.ts";
import {
  changeApprovalLimit,
  changeRefundLimits,
  changeTerms,
  alarm,
  breakDrain,
  evict,
  freeze,
  restoreD1,
  changeDailyLimit,
  tick,
  wait,
} from "./steps/world.ts";

const MAX_COMMANDS = 30;

interface Settings {
  runs: number;
  /** The same for the lives with banks. */
  banksRuns: number;
  seed: number;
  path: string;
  replayPath: string;
}

/**
 * The number of runs and the replay position: `MODEL_RUNS`, `MODEL_SEED`, `MODEL_PATH`,
 * `MODEL_REPLAY_PATH`.
 */
export const settings = (env as unknown as { MODEL: Settings }).MODEL;

/** The payment before the first command. */
const anyOpening = fc.array(fc.oneof(cents, fc.constant(100_000)), { maxLength: 3 });

/** A company's books equal the reference model's after any commands. */
export function ledgerMatchesModel(tally: Tally, seams: Partial<Hooks> = {}, replayPath = "") {
  const of = <Wish>(weight: number, name: string, kind: CommandKind<Wish>) =>
    Array.from({ length: weight }, () => commandsOf(name, kind, tally));
  const commands = fc.commands(
    [
      ...of(4, "create", createCharge),
      ...of(2, "sweep", sweepCharge),
      ...of(4, "pay", pay),
      ...of(2, "pay static code", payStaticCode),
      ...of(2, "tell", reportStatus),
      ...of(3, "dispute", requestReturn),
      ...of(2, "evidence", evidence),
      ...of(4, "refund", refundCharge),
      ...of(2, "cancel", cancelCharge),
      ...of(3, "capture", captureCharge),
      ...of(2, "follow up", resumePending),
      ...of(2, "return suspended", returnSuspended),
      ...of(2, "credit suspended", creditSuspended),
      ...of(3, "ask for a return", requestReturnStep),
      ...of(2, "ask for a credit", requestCreditStep),
      ...of(1, "late rule", changeLateRule),
      ...of(4, "withdraw", withdraw),
      ...of(1, "take back", cancelWithdrawStep),
      ...of(2, "decide", decideWithdrawStep),
      ...of(4, "pay out", processPayoutStep),
      ...of(3, "report payout", reportPayout),
      ...of(3, "wait", wait),
      ...of(1, "agree", changeTerms),
      ...of(1, "limit", changeDailyLimit),
      ...of(1, "approval limit", changeApprovalLimit),
      ...of(3, "decide refund", decideRefundStep),
      ...of(2, "refund limits", changeRefundLimits),
      ...of(4, "propose", proposeStep),
      ...of(4, "approve proposal", approveProposalStep),
      ...of(1, "refuse proposal", refuseProposalStep),
      ...of(1, "freeze", freeze),
      ...of(1, "evict", evict),
      ...of(1, "alarm", alarm),
      ...of(1, "tick", tick),
      ...of(3, "break drain", breakDrain),
      ...of(1, "heal", restoreD1),
    ],
    { maxCommands: MAX_COMMANDS, size: "max", ...(replayPath === "" ? {} : { replayPath }) },
  );
  return fc.asyncProperty(anyOpening, fc.noBias(commands), async (paid, run) => {
    const state = initialState();
    const real = await RealSystem.start(state, seams);
    try {
      for (const amount of paid) await createPaidCharge(state, real, amount);
      await fc.asyncModelRun(() => ({ model: state, real }), run);
      await real.cleanUp();
    } finally {
      takeCreatedCompanies();
    }
  });
}

/** A charge that was paid before the first command, so that there is money to move. */
async function createPaidCharge(state: State, real: RealSystem, amount: number): Promise<void> {
  await runStep(createCharge.plan(state, { ...PLAIN_CREATE, amount }), real);
  const charge = state.charges.length - 1;
  await runStep(pay.plan(state, { ...PLAIN_PAY, charge }), real);
}

async function runStep({ expected, execute }: ExpectedStep, real: RealSystem): Promise<void> {
  expect(await execute(real)).toBe(expected);
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
