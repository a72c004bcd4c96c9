import * as fc from "fast-check";
import { processPayout } from "../../../src/api/withdraws/payout.ts";
import { payoutOutcome } from "../bank.ts";
import { again, anyItem, cents, maybeKey, pick, type Kind } from "../command.ts";
import { troubled } from "../faults.ts";
import type { Script, Trouble } from "../reference/operations.ts";
import type { State } from "../reference/state.ts";
import {
  cancelWithdraw,
  pursue,
  recordPayout,
  requestWithdraw,
  type PayoutAnswer,
} from "../reference/withdraws.ts";
import { often, repeat } from "./charges.ts";
import { anyTrouble } from "./operations.ts";

const PAYOUT_ANSWERS = ["paid", "failed", "returned", "processing", "unknown"] as const;

/** Where a request to withdraw or to take one back gets stuck. */
const requestTrouble = often<Trouble>("none", "request lost", "died after request");

/** Of an amount, or of a share of what is available, fee or not. */
export const withdraw: Kind<{
  amount: number;
  percent: number | null;
  key: string;
  trouble: Trouble;
  again: boolean;
}> = {
  wish: fc.record({
    amount: cents,
    percent: fc.option(fc.constantFrom(10, 30, 50, 100), { freq: 4 }),
    key: fc.constantFrom("k1", "k2", "k3", "k4", "k5", "k6"),
    trouble: requestTrouble,
    again,
  }),
  plan: (state, wish) => {
    const { available } = state.accounts;
    const share = wish.percent === null ? 0 : Math.floor((available * wish.percent) / 100);
    const amount = share > 0 ? Math.min(share, 999_999_999_999) : wish.amount;
    const troubles: Trouble[] = [wish.trouble, ...(wish.again ? ["none" as const] : [])];
    const expected = troubles.map((trouble) => {
      const first = requestWithdraw(state, amount, wish.key);
      if (trouble === "none" || first === "WITHDRAW_BELOW_MINIMUM") return first;
      if (trouble === "died after request") return "INTERNAL_ERROR";
      return requestWithdraw(state, amount, wish.key);
    });
    return {
      expected: expected.join(", "),
      act: async (real) => {
        const answers = [];
        for (const trouble of troubles) {
          const env = troubled(real.env, /^requestWithdraw$/, /^$/, trouble);
          answers.push(
            await real.request("POST", "/api/Withdraw/request", {
              body: { amount },
              key: wish.key,
              env,
            }),
          );
        }
        return answers.join(", ");
      },
    };
  },
};

/** A merchant takes a withdraw back; without a key a lost answer cannot be asked for again. */
export const takeBack: Kind<{
  withdraw: number;
  key: string | null;
  trouble: Trouble;
  again: boolean;
}> = {
  wish: fc.record({ withdraw: anyItem, key: maybeKey, trouble: requestTrouble, again }),
  ready: hasWithdraws,
  plan: (state, wish) => {
    const target = pick(state.withdraws, wish.withdraw);
    const troubles: Trouble[] = [wish.trouble, ...(wish.again ? ["none" as const] : [])];
    const expected = troubles.map((trouble) => {
      const first = cancelWithdraw(state, target, wish.key);
      if (trouble === "none") return first;
      if (trouble === "died after request") return "INTERNAL_ERROR";
      // The call to the object was made twice, which without a key nobody is told.
      return wish.key === null ? first : cancelWithdraw(state, target, wish.key);
    });
    return {
      expected: expected.join(", "),
      act: async (real) => {
        const path = `/api/Withdraw/${state.withdraws.indexOf(target) + 1}/cancel`;
        const answers = [];
        for (const trouble of troubles) {
          const env = troubled(real.env, /^cancelWithdraw$/, /^$/, trouble);
          answers.push(await real.request("POST", path, { key: wish.key, env }));
        }
        return answers.join(", ");
      },
    };
  },
};

/** The queue's consumer follows a payout's hint. */
export const payOut: Kind<{ withdraw: number; script: Script<PayoutAnswer>; trouble: Trouble }> = {
  wish: fc.record({
    withdraw: anyItem,
    script: fc.record({
      lookup: fc.constantFrom("not_found", "not_found", ...PAYOUT_ANSWERS),
      answer: often(...PAYOUT_ANSWERS),
      idempotent: fc.boolean(),
    }),
    trouble: anyTrouble,
  }),
  ready: hasWithdraws,
  plan: (state, wish) => {
    const open = state.withdraws.filter(({ status }) => OPEN.has(status));
    const target = pick(open.length > 0 ? open : state.withdraws, wish.withdraw);
    const id = state.withdraws.indexOf(target) + 1;
    return {
      expected: pursue(state, target, wish.script, wish.trouble),
      act: (real) => {
        real.bank.playPayouts(wish.script);
        const env = troubled(real.env, /^claimPayout$/, /^recordPayout$/, wish.trouble);
        return real.serve(() => processPayout(env, real.bank.registry(), real.company.id, id));
      },
    };
  },
};

/** The bank reports on a payout, asked or not, in whatever order it likes. */
export const reportPayout: Kind<{ withdraw: number; report: PayoutAnswer; again: boolean }> = {
  wish: fc.record({
    withdraw: anyItem,
    report: fc.constantFrom(...PAYOUT_ANSWERS, "paid", "returned"),
    again,
  }),
  ready: hasWithdraws,
  plan: (state, wish) => {
    const target = pick(state.withdraws, wish.withdraw);
    const id = state.withdraws.indexOf(target) + 1;
    const attempts = wish.again ? 2 : 1;
    const expected = Array.from({ length: attempts }, () =>
      recordPayout(state, target, wish.report),
    );
    return {
      expected: expected.join(", "),
      act: (real) =>
        repeat(attempts, async () => {
          const report = payoutOutcome(wish.report);
          const { kind } = await real.stub.recordPayout(real.company.id, id, report);
          return kind;
        }),
    };
  },
};

const OPEN: ReadonlySet<string> = new Set(["Awaiting", "Processing"]);

function hasWithdraws(state: State): boolean {
  return state.withdraws.length > 0;
}
