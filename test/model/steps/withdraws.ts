import * as fc from "fast-check";
import { processPayout } from "../../../src/api/withdraws/tasks.ts";
import { payoutOutcome } from "../bank.ts";
import {
  anyRepeat,
  anyItem,
  anyVain,
  cents,
  maybeKey,
  pick,
  type CommandKind,
} from "../command.ts";
import { withTrouble } from "../faults.ts";
import type { Script, Trouble } from "../reference/operations.ts";
import type { State } from "../reference/state.ts";
import {
  cancelWithdraw,
  decideWithdraw,
  runPayout,
  recordPayout,
  requestWithdraw,
  type PayoutResult,
} from "../reference/withdraws.ts";
import { mostly, repeat } from "./charges.ts";
import { anyTrouble } from "./operations.ts";

const PAYOUT_ANSWERS = ["paid", "failed", "returned", "processing", "unknown"] as const;

/** Faults of a withdraw request or a cancel. */
const requestTrouble = mostly<Trouble>("none", "request lost", "died after request");

/** An amount, or a share of the available money, with or without room for the fee. */
export const withdraw: CommandKind<{
  amount: number;
  percent: number | null;
  key: string;
  trouble: Trouble;
  again: boolean;
}> = {
  input: fc.record({
    amount: cents,
    percent: fc.option(fc.constantFrom(10, 30, 50, 100), { freq: 4 }),
    key: fc.constantFrom("k1", "k2", "k3", "k4", "k5", "k6"),
    trouble: requestTrouble,
    again: anyRepeat,
  }),
  plan: (state, command) => {
    const { available } = state.accounts;
    const share = command.percent === null ? 0 : Math.floor((available * command.percent) / 100);
    const amount = share > 0 ? Math.min(share, 999_999_999_999) : command.amount;
    const troubles: Trouble[] = [command.trouble, ...(command.again ? ["none" as const] : [])];
    const expected = troubles.map((trouble) => {
      const first = requestWithdraw(state, amount, command.key);
      if (trouble === "none" || first === "WITHDRAW_BELOW_MINIMUM") return first;
      if (trouble === "died after request") return "INTERNAL_ERROR";
      return requestWithdraw(state, amount, command.key);
    });
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        const answers = [];
        for (const trouble of troubles) {
          const env = withTrouble(real.env, /^requestWithdraw$/, /^$/, trouble);
          answers.push(
            await real.request("POST", "/api/Withdraw/request", {
              body: { amount },
              key: command.key,
              env,
            }),
          );
        }
        return answers.join(", ");
      },
    };
  },
};

/** A merchant cancels a withdraw; without a key a lost response cannot be replayed. */
export const cancelWithdrawStep: CommandKind<{
  withdraw: number;
  key: string | null;
  trouble: Trouble;
  again: boolean;
}> = {
  input: fc.record({ withdraw: anyItem, key: maybeKey, trouble: requestTrouble, again: anyRepeat }),
  isApplicable: hasWithdraws,
  plan: (state, command) => {
    const target = pick(state.withdraws, command.withdraw);
    const troubles: Trouble[] = [command.trouble, ...(command.again ? ["none" as const] : [])];
    const expected = troubles.map((trouble) => {
      const first = cancelWithdraw(state, target, command.key);
      if (trouble === "none") return first;
      if (trouble === "died after request") return "INTERNAL_ERROR";
      // The call to the object was repeated; without a key the repeat is rejected.
      return command.key === null ? first : cancelWithdraw(state, target, command.key);
    });
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        const path = `/api/Withdraw/${state.withdraws.indexOf(target) + 1}/cancel`;
        const answers = [];
        for (const trouble of troubles) {
          const env = withTrouble(real.env, /^cancelWithdraw$/, /^$/, trouble);
          answers.push(await real.request("POST", path, { key: command.key, env }));
        }
        return answers.join(", ");
      },
    };
  },
};

/** Another application approves or refuses a withdraw. */
export const decideWithdrawStep: CommandKind<{
  withdraw: number;
  decision: "approve" | "refuse";
  key: string | null;
  trouble: Trouble;
  isVain: boolean;
  again: boolean;
}> = {
  input: fc.record({
    withdraw: anyItem,
    decision: fc.constantFrom("approve", "approve", "refuse"),
    key: maybeKey,
    trouble: requestTrouble,
    isVain: anyVain,
    again: anyRepeat,
  }),
  isApplicable: (state, { isVain }) => (isVain ? hasWithdraws(state) : waitingIn(state).length > 0),
  plan: (state, { withdraw: number, decision, key, trouble: first, again }) => {
    const waiting = waitingIn(state);
    const target = pick(waiting.length > 0 ? waiting : state.withdraws, number);
    const troubles: Trouble[] = [first, ...(again ? ["none" as const] : [])];
    const expected = troubles.map((trouble) => {
      const answer = decideWithdraw(state, target, decision, key);
      if (trouble === "died after request") return "INTERNAL_ERROR";
      // The call to the object was repeated; without a key its own one replays it.
      const isRepeated = trouble !== "none" && key !== null;
      return isRepeated ? decideWithdraw(state, target, decision, key) : answer;
    });
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        const path = `/api/v1/withdraws/${state.withdraws.indexOf(target) + 1}/${decision}`;
        const answers = [];
        for (const trouble of troubles) {
          const env = withTrouble(real.env, /^decideWithdraw$/, /^$/, trouble);
          answers.push(await real.request("POST", path, { key, env, as: "second" }));
        }
        return answers.join(", ");
      },
    };
  },
};

/** The queue consumer processes a payout message. */
export const processPayoutStep: CommandKind<{
  withdraw: number;
  script: Script<PayoutResult>;
  trouble: Trouble;
}> = {
  input: fc.record({
    withdraw: anyItem,
    script: fc.record({
      lookup: fc.constantFrom("not_found", "not_found", ...PAYOUT_ANSWERS),
      result: mostly(...PAYOUT_ANSWERS),
      idempotent: fc.boolean(),
    }),
    trouble: anyTrouble,
  }),
  isApplicable: hasWithdraws,
  plan: (state, command) => {
    const open = state.withdraws.filter(({ status }) => OPEN.has(status));
    const target = pick(open.length > 0 ? open : state.withdraws, command.withdraw);
    const id = state.withdraws.indexOf(target) + 1;
    return {
      expected: runPayout(state, target, command.script, command.trouble),
      execute: (real) => {
        real.bank.scriptPayouts(command.script);
        const env = withTrouble(real.env, /^claimPayout$/, /^recordPayout$/, command.trouble);
        return real.serveOrCrash(() =>
          processPayout(env, real.bank.registry(), real.company.id, id),
        );
      },
    };
  },
};

/** The bank reports a payout, polled or not, in any order. */
export const reportPayout: CommandKind<{ withdraw: number; report: PayoutResult; again: boolean }> =
  {
    input: fc.record({
      withdraw: anyItem,
      report: fc.constantFrom(...PAYOUT_ANSWERS, "paid", "returned"),
      again: anyRepeat,
    }),
    isApplicable: hasWithdraws,
    plan: (state, command) => {
      const target = pick(state.withdraws, command.withdraw);
      const id = state.withdraws.indexOf(target) + 1;
      const attempts = command.again ? 2 : 1;
      const expected = Array.from({ length: attempts }, () =>
        recordPayout(state, target, command.report),
      );
      return {
        expected: expected.join(", "),
        execute: (real) =>
          repeat(attempts, async () => {
            const report = payoutOutcome(command.report);
            const { kind } = await real.object.recordPayout({
              companyId: real.company.id,
              id,
              report,
            });
            return kind;
          }),
      };
    },
  };

const OPEN: ReadonlySet<string> = new Set(["Awaiting", "Processing"]);

function waitingIn({ withdraws }: State) {
  return withdraws.filter(({ approval }) => approval === "pending");
}

function hasWithdraws(state: State): boolean {
  return state.withdraws.length > 0;
}
