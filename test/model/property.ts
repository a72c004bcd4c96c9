import * as fc from "fast-check";
import { env } from "cloudflare:workers";
import { takeCreatedCompanies } from "../support/builders/companies/company.ts";
import { commandsOf, inTurn, type CommandKind, type Tally } from "./command.ts";
import { anyOpening, begin, openingWithDecisions } from "./openings.ts";
import { RealSystem, type Hooks } from "./real.ts";
import { initialState } from "./reference/state.ts";
import {
  changeLateRule,
  creditFromSuspense,
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
import { requestCreditStep, requestReturnStep, returnFromSuspense } from "./steps/returns.ts";
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
  /** The same for the lives with two houses: `HOUSE_RUNS`. */
  houseRuns: number;
  /** The same for the lives with subscriptions: `SUBSCRIPTION_RUNS`. */
  subscriptionRuns: number;
  seed: number;
  path: string;
  replayPath: string;
}

/**
 * The number of runs and the replay position: `MODEL_RUNS`, `MODEL_SEED`, `MODEL_PATH`,
 * `MODEL_REPLAY_PATH`.
 */
export const settings = (env as unknown as { MODEL: Settings }).MODEL;

/** A company's books equal the reference model's after any commands. */
export function ledgerMatchesModel(tally: Tally, seams: Partial<Hooks> = {}, replayPath = "") {
  const of = <Wish>(weight: number, name: string, kind: CommandKind<Wish>) =>
    Array.from({ length: weight }, () => commandsOf(name, kind, tally));
  const everything = [
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
    ...of(2, "return from suspense", returnFromSuspense),
    ...of(2, "credit from suspense", creditFromSuspense),
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
    ...of(3, "propose", proposeStep),
    ...of(4, "approve proposal", approveProposalStep),
    ...of(2, "decide by two", inTurn(proposeStep, approveProposalStep)),
    ...of(1, "refuse proposal", refuseProposalStep),
    ...of(1, "freeze", freeze),
    ...of(1, "evict", evict),
    ...of(1, "alarm", alarm),
    ...of(1, "tick", tick),
    ...of(3, "break drain", breakDrain),
    ...of(1, "heal", restoreD1),
  ];
  /** Of what goes out after somebody else's word: such lives get further. */
  const exits = [
    ...of(3, "pay", pay),
    ...of(4, "refund", refundCharge),
    ...of(4, "ask for a return", requestReturnStep),
    ...of(2, "ask for a credit", requestCreditStep),
    ...of(6, "decide refund", decideRefundStep),
    ...of(3, "withdraw", withdraw),
    ...of(5, "decide", decideWithdrawStep),
    ...of(3, "pay out", processPayoutStep),
    ...of(2, "report payout", reportPayout),
    ...of(2, "follow up", resumePending),
    ...of(5, "propose", proposeStep),
    ...of(8, "approve proposal", approveProposalStep),
    ...of(4, "decide by two", inTurn(proposeStep, approveProposalStep)),
    ...of(4, "refund and decide", inTurn(refundCharge, decideRefundStep)),
    ...of(3, "return and decide", inTurn(requestReturnStep, decideRefundStep)),
    ...of(1, "refuse proposal", refuseProposalStep),
    ...of(1, "approval limit", changeApprovalLimit),
    ...of(1, "refund limits", changeRefundLimits),
    ...of(2, "wait", wait),
    ...of(1, "dispute", requestReturn),
    ...of(1, "freeze", freeze),
    ...of(1, "evict", evict),
    ...of(1, "tick", tick),
    ...of(1, "break drain", breakDrain),
    ...of(1, "heal", restoreD1),
  ];
  const lifeOf = (kinds: typeof everything) =>
    fc.commands(kinds, {
      maxCommands: MAX_COMMANDS,
      size: "max",
      ...(replayPath === "" ? {} : { replayPath }),
    });
  const lives = fc.oneof(
    { weight: 1, arbitrary: fc.tuple(anyOpening, lifeOf(everything)) },
    { weight: 1, arbitrary: fc.tuple(openingWithDecisions, lifeOf(exits)) },
  );
  return fc.asyncProperty(fc.noBias(lives), async ([opening, run]) => {
    const state = initialState();
    const real = await RealSystem.start(state, seams);
    try {
      await begin(state, real, opening);
      await fc.asyncModelRun(() => ({ model: state, real }), run);
      await real.cleanUp();
    } finally {
      takeCreatedCompanies();
    }
  });
}
