import * as fc from "fast-check";
import { anyItem, anyRepeat, anyVain, pick, type CommandKind } from "../command.ts";
import { withTrouble } from "../faults.ts";
import type { RealSystem } from "../real.ts";
import type { BankResult, Script, Trouble } from "../reference/operations.ts";
import { ALLOWED, approve, obstacleTo, propose, refuse } from "../reference/proposals.ts";
import type { Answers } from "../reference/bank-word.ts";
import type {
  Contradiction,
  ContradictionAction,
  OperatorId,
  ProposedDecision,
  State,
} from "../reference/state.ts";
import type { PayoutResult } from "../reference/withdraws.ts";
import { anyScript, anyTrouble, RECORD } from "./operations.ts";

const DECIDE = /^decideByOperators$/;

const ACTIONS = ["payout", "operation", "payment", "contradiction", "unfreeze"] as const;

interface BankSays {
  payout: Answers["payout"];
  script: Script<BankResult>;
}

const bankSays = {
  payout: fc.constantFrom<PayoutResult | "not_found">(
    "unknown",
    "unknown",
    "processing",
    "paid",
    "failed",
    "returned",
    "not_found",
  ),
  script: anyScript,
};

interface Wish {
  action: ProposedDecision["action"];
  which: number;
  outcome: "done" | "failed" | "returned";
  how: ContradictionAction;
  sign: 1 | -1;
  /** Whether it is proposed although it may be in vain. */
  isVain: boolean;
}

/** One operator proposes a decision: what a bank left open, a payment's return, a contradiction, the end of a freeze. */
export const proposeStep: CommandKind<BankSays & Wish & { again: boolean }> = {
  input: fc.record({
    ...bankSays,
    action: fc.constantFrom(...ACTIONS),
    which: anyItem,
    outcome: fc.constantFrom("done", "failed", "returned"),
    how: fc.constantFrom("apply", "correct", "credit", "return", "dismiss"),
    sign: fc.constantFrom(1, -1),
    isVain: anyVain,
    again: anyRepeat,
  }),
  isApplicable: (state, command) => wishedOf(state, command) !== null,
  plan: (state, command) => {
    const decision = wishedOf(state, command)!;
    const target = nameOf(state, decision);
    const request = JSON.stringify(requestOf(decision));
    const attempts = command.again ? 2 : 1;
    const before = state.proposals.length;
    const expected = Array.from({ length: attempts }, () =>
      propose(state, { target, request, decision }, command),
    );
    const isNew = state.proposals.length > before;
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        script(real, command);
        const answers = [];
        for (let attempt = 0; attempt < attempts; attempt++) {
          const { answer, id } = await send(real, state, decision);
          answers.push(answer);
          if (isNew && attempt === 0) real.proposalIds.push(id ?? "");
        }
        return answers.join(", ");
      },
    };
  },
};

/** An operator approves a proposal, perhaps twice; mostly another one than its proposer. */
export const approveProposalStep: CommandKind<
  BankSays & {
    proposal: number;
    by: OperatorId;
    trouble: Trouble;
    isVain: boolean;
    again: boolean;
  }
> = {
  input: fc.record({
    ...bankSays,
    proposal: anyItem,
    isVain: anyVain,
    by: fc.constantFrom<OperatorId>("approver", "approver", "approver", "operator"),
    trouble: anyTrouble,
    again: anyRepeat,
  }),
  isApplicable: ({ proposals }, { isVain }) =>
    isVain ? proposals.length > 0 : proposals.some(({ status }) => status === "pending"),
  plan: (state, { proposal: which, by, trouble: first, again, ...says }) => {
    const proposal = waitingOr(state, which);
    const index = state.proposals.indexOf(proposal);
    const troubles: Trouble[] = [first, ...(again ? ["none" as const] : [])];
    const expected = troubles.map((trouble) => approve(state, proposal, by, says, trouble));
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        script(real, says);
        const answers = [];
        for (const trouble of troubles) {
          const env = withTrouble(real.env, DECIDE, RECORD, trouble);
          const path = `/api/v1/operator/proposals/${real.proposalIds[index]}/approve`;
          const body = { reason: "I have read it too." };
          answers.push(await real.request("POST", path, { body, env, as: by }));
        }
        return answers.join(", ");
      },
    };
  },
};

/** An operator refuses a proposal, also its proposer. */
export const refuseProposalStep: CommandKind<BankSays & { proposal: number; by: OperatorId }> = {
  input: fc.record({
    ...bankSays,
    proposal: anyItem,
    by: fc.constantFrom<OperatorId>("operator", "approver"),
  }),
  isApplicable: ({ proposals }) => proposals.length > 0,
  plan: (state, { proposal: which, by, ...says }) => {
    const proposal = waitingOr(state, which);
    const index = state.proposals.indexOf(proposal);
    return {
      expected: refuse(state, proposal, by, says.script),
      execute: (real) => {
        script(real, says);
        const path = `/api/v1/operator/proposals/${real.proposalIds[index]}/refuse`;
        return real.request("POST", path, { body: { reason: "It is not so." }, as: by });
      },
    };
  },
};

function waitingOr({ proposals }: State, which: number) {
  const waiting = proposals.filter(({ status }) => status === "pending");
  return pick(waiting.length > 0 ? waiting : proposals, which);
}

/** What a command proposes: what it wishes, else another thing that is possible. Null if nothing is. */
function wishedOf(state: State, wish: Wish): ProposedDecision | null {
  if (wish.isVain) return decisionOf(state, wish);
  const first = ACTIONS.indexOf(wish.action);
  for (const action of [...ACTIONS.slice(first), ...ACTIONS.slice(0, first)]) {
    const decision = decisionOf(state, { ...wish, action });
    if (decision !== null && obstacleTo(state, decision) === null) return decision;
  }
  return null;
}

/** What a command wishes to propose; null where there is nothing of its kind. */
function decisionOf(
  state: State,
  { action, which, outcome, how, sign, isVain }: Wish,
): ProposedDecision | null {
  switch (action) {
    case "payout": {
      const open = state.withdraws.filter(({ status }) => status === "Processing");
      const withdraws = firstOfAny(open.filter(isAsked(state)), open, state.withdraws);
      return withdraws.length === 0 ? null : { action, withdraw: pick(withdraws, which), outcome };
    }
    case "operation": {
      const open = state.operations.filter(({ status }) => status === "PENDING");
      const operations = firstOfAny(open.filter(isAsked(state)), open, state.operations);
      if (operations.length === 0) return null;
      const decided = outcome === "done" ? "done" : "failed";
      return { action, operation: pick(operations, which), outcome: decided };
    }
    case "payment": {
      const ids = [...state.payments.keys()];
      const kept = ids.filter((id) => state.payments.get(id)!.inSuspense);
      const all = kept.length > 0 ? kept : ids;
      return all.length === 0 ? null : { action, paymentId: pick(all, which) };
    }
    case "unfreeze":
      return { action };
    case "contradiction": {
      const all = [...state.contradictions.values()];
      const open = all.filter(({ status }) => status === "open");
      if (all.length === 0) return null;
      const found = pick(open.length > 0 ? open : all, which);
      const isPayment = found.about?.kind === "payment";
      const allowed =
        isVain || ALLOWED[found.kind].includes(how) ? how : pick(ALLOWED[found.kind], which);
      const fitting = allowed === "credit" && !isPayment ? "dismiss" : allowed;
      const amount = fitting === "correct" ? sign * Math.max(1, found.held) : null;
      return { action, number: all.indexOf(found) + 1, how: fitting, amount };
    }
  }
}

/** Whether nobody is sending it and its bank was asked, so that operators may decide it. */
function isAsked({ now }: State) {
  return (open: { leaseUntil: number; checks: number }) =>
    open.leaseUntil <= now && open.checks > 0;
}

/** The first list that has something; the last one if none has. */
function firstOfAny<Item>(...lists: Item[][]): Item[] {
  return lists.find(({ length }) => length > 0) ?? [];
}

/** What two proposals have in common that are about the same thing. */
function nameOf(state: State, decision: ProposedDecision): string {
  switch (decision.action) {
    case "payout":
      return `payout ${state.withdraws.indexOf(decision.withdraw)}`;
    case "operation":
      return `operation ${state.operations.indexOf(decision.operation)}`;
    case "payment":
      return `payment ${decision.paymentId}`;
    case "unfreeze":
      return "unfreeze";
    case "contradiction":
      return `contradiction ${decision.number}`;
  }
}

function requestOf(decision: ProposedDecision): object {
  switch (decision.action) {
    case "payout":
    case "operation":
      return { outcome: decision.outcome };
    case "payment":
    case "unfreeze":
      return {};
    case "contradiction":
      return { action: decision.how, amount: decision.amount };
  }
}

/** The proposal on the route of what it decides. */
async function send(real: RealSystem, state: State, decision: ProposedDecision) {
  const { method, path, body } = await routeOf(real, state, decision);
  const reason = "As the bank's statement shows.";
  return real.propose(method, `/api/v1/operator${path}`, { ...body, reason });
}

async function routeOf(
  real: RealSystem,
  state: State,
  decision: ProposedDecision,
): Promise<{ method: "POST" | "DELETE"; path: string; body: object }> {
  const company = `/companies/${real.company.id}`;
  const method = "POST";
  switch (decision.action) {
    case "payout": {
      const id = state.withdraws.indexOf(decision.withdraw) + 1;
      const body = { outcome: decision.outcome };
      return { method, path: `${company}/withdraws/${id}/decide`, body };
    }
    case "operation": {
      const id = await real.operationIdOf(state.operations.indexOf(decision.operation) + 1);
      const body = { outcome: decision.outcome };
      return { method, path: `${company}/operations/${id}/decide`, body };
    }
    case "payment":
      return { method, path: `${company}/suspense/${decision.paymentId}/return`, body: {} };
    case "unfreeze":
      return { method: "DELETE", path: `${company}/freeze`, body: {} };
    case "contradiction": {
      const { number, how, amount } = decision;
      const found = [...state.contradictions.values()][number - 1]!;
      const path = `/contradictions/${real.company.id}-${number}/decide`;
      const body = { action: how, ...(amount === null ? {} : { amount }) };
      return { method, path, body: { ...body, ...chargeOf(real, state, found, how) } };
    }
  }
}

/** The charge that a payment is credited to: the one that it came for. */
function chargeOf(
  real: RealSystem,
  state: State,
  { about }: Contradiction,
  how: ContradictionAction,
): object {
  if (how !== "credit" || about?.kind !== "payment") return {};
  const { charge } = state.payments.get(about.id)!;
  return { transactionId: real.transactionIds[charge.index] };
}

function script(real: RealSystem, { payout, script: operations }: BankSays): void {
  real.bank.scriptOperations(operations);
  real.bank.scriptPayouts({ lookup: payout, result: "unknown", idempotent: operations.idempotent });
}
