import * as fc from "fast-check";
import { returnByTwo } from "../../support/builders/operations/decide.ts";
import { anyItem, anyRepeat, anyVain, maybeKey, pick, type CommandKind } from "../command.ts";
import { withTrouble } from "../faults.ts";
import type { BankResult, Script, Trouble } from "../reference/operations.ts";
import { expireRefunds } from "../reference/refund-approvals.ts";
import { creditRequested, returnRequested, returnPaymentInSuspense } from "../reference/returns.ts";
import type { State } from "../reference/state.ts";
import { expireApprovals } from "../reference/withdraws.ts";
import { mostly } from "./charges.ts";
import { anyScript, anyTrouble, keyOf, RECORD } from "./operations.ts";
import { depsOfCompany } from "../../../src/http/context.ts";

const DECIDE = /^decidePayment$/;

/** The merchant sends an unexpected payment back over HTTP, perhaps twice, and perhaps it waits for an approval. */
export const requestReturnStep: CommandKind<{
  payment: number;
  key: string | null;
  script: Script<BankResult>;
  trouble: Trouble;
  again: boolean;
}> = {
  input: fc.record({
    payment: anyItem,
    key: maybeKey,
    script: anyScript,
    trouble: anyTrouble,
    again: anyRepeat,
  }),
  isApplicable: (state) => unexpectedIds(state).length > 0,
  plan: (state, { payment, key: wanted, script, trouble: first, again }) => {
    expireWaiting(state);
    const paymentId = pick(unexpectedIds(state), payment);
    const key = keyOf(state, wanted, "return");
    const troubles: Trouble[] = [first, ...(again ? ["none" as const] : [])];
    const expected = troubles.map((trouble, attempt) => {
      const token = `asked return ${state.operations.length} ${attempt}`;
      const use = { key, request: paymentId, token };
      return returnRequested(state, paymentId, use, script, trouble);
    });
    return {
      expected: expected.join(", "),
      execute: (real) => {
        real.bank.scriptOperations(script);
        return real.whileD1IsUp(async () => {
          const answers = [];
          for (const trouble of troubles) {
            const env = withTrouble(real.env, DECIDE, RECORD, trouble);
            const path = `/api/v1/payments/unexpected/${paymentId}/return`;
            answers.push(await real.request("POST", path, { key, env }));
          }
          return answers.join(", ");
        });
      },
    };
  },
};

/** The merchant credits an unexpected payment to the charge that it came for, over HTTP and perhaps twice. */
export const requestCreditStep: CommandKind<{
  payment: number;
  key: string | null;
  trouble: Trouble;
  again: boolean;
}> = {
  input: fc.record({
    payment: anyItem,
    key: maybeKey,
    trouble: mostly<Trouble>("none", "request lost", "died after request"),
    again: anyRepeat,
  }),
  isApplicable: (state) => unexpectedIds(state).length > 0,
  plan: (state, { payment, key: wanted, trouble: first, again }) => {
    expireWaiting(state);
    const paymentId = pick(unexpectedIds(state), payment);
    const { charge } = state.payments.get(paymentId)!;
    const key = keyOf(state, wanted, "credit")!;
    const troubles: Trouble[] = [first, ...(again ? ["none" as const] : [])];
    const expected = troubles.map((trouble) => {
      const answer = creditRequested(state, paymentId, { key, request: paymentId });
      if (trouble === "died after request") return "INTERNAL_ERROR";
      if (trouble === "none") return answer;
      return creditRequested(state, paymentId, { key, request: paymentId });
    });
    return {
      expected: expected.join(", "),
      execute: (real) =>
        real.whileD1IsUp(async () => {
          const body = { transactionId: real.transactionIds[charge.index] };
          const answers = [];
          for (const trouble of troubles) {
            const env = withTrouble(real.env, DECIDE, /^$/, trouble);
            const path = `/api/v1/payments/unexpected/${paymentId}/credit`;
            answers.push(await real.request("POST", path, { body, key, env }));
          }
          return answers.join(", ");
        }),
    };
  },
};

/** The operator returns an unexpected or a credited payment. */
export const returnFromSuspense: CommandKind<{
  payment: number;
  script: Script<BankResult>;
  trouble: Trouble;
  isVain: boolean;
}> = {
  input: fc.record({ payment: anyItem, script: anyScript, trouble: anyTrouble, isVain: anyVain }),
  isApplicable: ({ payments }, { isVain }) =>
    isVain ? payments.size > 0 : [...payments.values()].some(({ inSuspense }) => inSuspense),
  plan: (state, command) => {
    const all = [...state.payments];
    const inSuspense = all.filter(([, payment]) => payment.inSuspense);
    const [paymentId] = pick(inSuspense.length > 0 ? inSuspense : all, command.payment);
    const token = `return ${state.operations.length}`;
    const answer = returnPaymentInSuspense(
      state,
      paymentId,
      token,
      command.script,
      command.trouble,
    );
    return {
      expected: answer === "INTERNAL_ERROR" ? "died" : answer,
      execute: (real) => {
        real.bank.scriptOperations(command.script);
        const env = withTrouble(real.env, /^decideByOperators$/, RECORD, command.trouble);
        return real.serveOrCrash(async () => {
          const company = await real.findCompany();
          return returnByTwo({ env, deps: depsOfCompany(real.deps, company), company }, paymentId);
        });
      },
    };
  },
};

/** The object's own work runs first, so that D1 lists every unexpected payment. */
function expireWaiting(state: State): void {
  expireApprovals(state);
  expireRefunds(state);
}

/** Unexpected payments, whatever became of them. */
function unexpectedIds({ payments }: State): string[] {
  return [...payments].filter(([, each]) => each.inSuspense || each.chosen).map(([id]) => id);
}
