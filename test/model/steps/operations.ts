import * as fc from "fast-check";
import { processOperation } from "../../../src/api/transactions/operations.ts";
import {
  anyRepeat,
  anyItem,
  anyVain,
  maybeKey,
  pick,
  type CommandKind,
  type ExpectedStep,
} from "../command.ts";
import { withTrouble } from "../faults.ts";
import type { RealSystem } from "../real.ts";
import { cancel, capture } from "../reference/cancels.ts";
import {
  resumeOperation,
  type BankResult,
  type Script,
  type Trouble,
} from "../reference/operations.ts";
import { decideRefund } from "../reference/refund-approvals.ts";
import { refund } from "../reference/refunds.ts";
import type { Charge, State } from "../reference/state.ts";
import { bankOf, hasCharges, mostly } from "./charges.ts";

const REQUEST = /^(request(Refund|CancelOrCapture)|claimOperation)$/;
export const RECORD = /^recordOperation$/;

/** Faults between the Worker, the company's object and the bank. */
export const anyTrouble = mostly<Trouble>(
  "none",
  "request lost",
  "record lost",
  "died after request",
  "died before record",
  "died after record",
);

/** The bank's results of an operation. */
export const anyScript: fc.Arbitrary<Script<BankResult>> = fc.record({
  lookup: fc.constantFrom("not_found", "done", "failed", "processing", "unknown"),
  result: mostly("done", "failed", "processing", "unknown"),
  idempotent: fc.boolean(),
});

interface OperationOptions {
  charge: number;
  key: string | null;
  script: Script<BankResult>;
  trouble: Trouble;
  repeat: boolean;
}

/** Repeated only with a key: without one it is another request. */
const operationArbitrary = {
  charge: anyItem,
  key: maybeKey,
  script: anyScript,
  trouble: anyTrouble,
  repeat: anyRepeat,
};

/** A refund of everything, a part, or too much. */
export const refundCharge: CommandKind<OperationOptions & { percent: number | null }> = {
  input: fc.record({
    ...operationArbitrary,
    percent: fc.option(fc.constantFrom(1, 30, 50, 100, 120), { freq: 3 }),
  }),
  isApplicable: hasCharges,
  plan: (state, command) => {
    const charge = refundable(state, command);
    const due = charge.paidAmount > 0 ? charge.paidAmount : charge.amount;
    const amount = command.percent === null ? null : share(due, command.percent);
    return planOperation(state, charge, command, {
      path: "refund",
      request: `${charge.index} ${amount}`,
      body: amount === null ? {} : { body: { amount } },
      predict: (use, trouble) => refund(state, charge, amount, use, command.script, trouble),
    });
  },
};

/** A merchant cancels a charge, open or not. */
export const cancelCharge: CommandKind<OperationOptions & { isVain: boolean }> = {
  input: fc.record({ ...operationArbitrary, isVain: anyVain }),
  isApplicable: (state, { isVain }) => (isVain ? hasCharges(state) : openIn(state).length > 0),
  plan: (state, command) => {
    const charge = pick(command.isVain ? state.charges : openIn(state), command.charge);
    return planOperation(state, charge, command, {
      path: "cancel",
      request: `${charge.index}`,
      body: {},
      predict: (use, trouble) => cancel(state, charge, use, command.script, trouble),
    });
  },
};

/** A merchant captures an authorized card: everything, a part, or too much. */
export const captureCharge: CommandKind<
  OperationOptions & { percent: number | null; isVain: boolean }
> = {
  input: fc.record({
    ...operationArbitrary,
    isVain: anyVain,
    percent: fc.option(fc.constantFrom(1, 50, 100, 120), { freq: 3 }),
  }),
  isApplicable: (state, { isVain }) =>
    isVain ? hasCharges(state) : authorizedIn(state).length > 0,
  plan: (state, command) => {
    const authorized = authorizedIn(state);
    const charge = pick(authorized.length > 0 ? authorized : state.charges, command.charge);
    const { percent } = command;
    const amount = percent === null ? null : share(charge.amount, percent);
    return planOperation(state, charge, command, {
      path: "capture",
      request: `${charge.index} ${amount}`,
      body: amount === null ? {} : { body: { amount } },
      predict: (use, trouble) => capture(state, charge, amount, use, command.script, trouble),
    });
  },
};

/** The queue consumer resumes an operation. */
export const resumePending: CommandKind<{
  operation: number;
  script: Script<BankResult>;
  trouble: Trouble;
}> = {
  input: fc.record({ operation: anyItem, script: anyScript, trouble: anyTrouble }),
  isApplicable: (state) => state.operations.length > 0,
  plan: (state, command) => {
    const open = state.operations.filter((each) => each.status === "PENDING");
    const operation = pick(open.length > 0 ? open : state.operations, command.operation);
    const id = state.operations.indexOf(operation) + 1;
    return {
      expected: resumeOperation(state, operation, command.script, command.trouble),
      execute: (real) => {
        real.bank.scriptOperations(command.script);
        const env = withTrouble(real.env, REQUEST, RECORD, command.trouble);
        return real.serveOrCrash(() => processOperation(env, real.deps, real.company.id, id));
      },
    };
  },
};

/** A refund and a capture need a key; one that nobody sends again is as good as none. */
export function keyOf(state: State, key: string | null, path: string): string | null {
  if (key !== null || path === "cancel") return key;
  return `once_${state.operationKeys.size}_${state.operations.length}`;
}

/** Another application approves or refuses a refund or return. */
export const decideRefundStep: CommandKind<{
  operation: number;
  decision: "approve" | "refuse";
  key: string | null;
  script: Script<BankResult>;
  trouble: Trouble;
  isVain: boolean;
  again: boolean;
}> = {
  input: fc.record({
    operation: anyItem,
    decision: fc.constantFrom("approve", "approve", "approve", "refuse"),
    key: maybeKey,
    script: anyScript,
    trouble: mostly<Trouble>("none", "request lost", "died after request"),
    isVain: anyVain,
    again: anyRepeat,
  }),
  isApplicable: (state, { isVain }) =>
    isVain ? exitsIn(state).length > 0 : waitingIn(state).length > 0,
  plan: (state, { operation: number, decision, key, script: answers, trouble: first, again }) => {
    const waiting = waitingIn(state);
    const target = pick(waiting.length > 0 ? waiting : exitsIn(state), number);
    const troubles: Trouble[] = [first, ...(again ? ["none" as const] : [])];
    const expected = troubles.map((trouble) =>
      decideRefund(state, target, decision, { key, script: answers, trouble }),
    );
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        real.bank.scriptOperations(answers);
        const id = await real.operationIdOf(state.operations.indexOf(target) + 1);
        const given = [];
        for (const trouble of troubles) {
          const env = withTrouble(real.env, /^decideExit$/, /^$/, trouble);
          const path = `/api/v1/refunds/${id}/${decision}`;
          given.push(await real.request("POST", path, { key, env, as: "second" }));
        }
        return given.join(", ");
      },
    };
  },
};

function openIn({ charges }: State): Charge[] {
  return charges.filter(({ status }) => status === "waiting_payment" || status === "authorized");
}

function authorizedIn({ charges }: State): Charge[] {
  return charges.filter(({ status }) => status === "authorized");
}

/** Refunds and returns, which are decided alike. */
function exitsIn(state: State) {
  return state.operations.filter(({ kind }) => kind === "refund" || kind === "return");
}

function waitingIn(state: State) {
  return exitsIn(state).filter(({ approval }) => approval === "pending");
}

function share(amount: number, percent: number): number {
  return Math.min(999_999_999_999, Math.ceil((amount * percent) / 100));
}

/** A paid charge, if there is one. */
function refundable(state: State, options: OperationOptions): Charge {
  const paid = state.charges.filter((each) => each.status === "paid");
  return pick(paid.length > 0 ? paid : state.charges, options.charge);
}

function planOperation(
  state: State,
  charge: Charge,
  options: OperationOptions,
  operationPath: {
    path: "refund" | "cancel" | "capture";
    request: string;
    body: { body?: object };
    predict: (
      use: { key: string | null; request: string; token: string },
      trouble: Trouble,
    ) => string;
  },
): ExpectedStep {
  const key = keyOf(state, options.key, operationPath.path);
  const { request } = operationPath;
  const troubles: Trouble[] = [
    options.trouble,
    ...(options.repeat && key !== null ? ["none" as const] : []),
  ];
  const before = { charge, bank: bankOf(charge) };
  const expected = troubles.map((trouble, attempt) => {
    const token = `${operationPath.path} ${state.operations.length} ${attempt}`;
    return operationPath.predict({ key, request, token }, trouble);
  });
  return {
    expected: expected.join(", "),
    execute: async (real: RealSystem) => {
      real.bank.scriptOperations(options.script);
      real.bank.previousState = before;
      const path = `/api/v1/transactions/${real.transactionIds[charge.index]}/${operationPath.path}`;
      const answers = [];
      for (const trouble of troubles) {
        const env = withTrouble(real.env, REQUEST, RECORD, trouble);
        answers.push(await real.request("POST", path, { ...operationPath.body, key, env }));
      }
      real.bank.previousState = null;
      return answers.join(", ");
    },
  };
}
