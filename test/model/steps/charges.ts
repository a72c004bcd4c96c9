import * as fc from "fast-check";
import { syncCharge } from "../../../src/api/transactions/sync.ts";
import { toProviderDispute } from "../bank.ts";
import { anyRepeat, anyItem, cents, maybeKey, pick, type CommandKind } from "../command.ts";
import type { RealSystem } from "../real.ts";
import { creditKept, dispute, settle, submitEvidence, sync } from "../reference/charges.ts";
import type { Charge, Dispute, State } from "../reference/state.ts";
import { depsOfCompany } from "../../../src/http/context.ts";

/** A payer pays: for the first time, again, with an id seen before, another amount, or late. */
export const pay: CommandKind<{
  charge: number;
  payment: number | null;
  amount: number | null;
  delayDays: number;
  via: "callback" | "object";
  again: boolean;
}> = {
  input: fc.record({
    charge: anyItem,
    payment: fc.option(anyItem, { freq: 5 }),
    amount: fc.option(cents, { freq: 3 }),
    delayDays: fc.constantFrom(0, 0, 0, 2, 45),
    via: fc.constantFrom("callback", "object"),
    again: anyRepeat,
  }),
  isApplicable: (state) => payable(state).length > 0,
  plan: (state, command) => {
    const charge = pick(payable(state), command.charge);
    const known = [...state.payments];
    const repeated =
      command.payment !== null && known.length > 0 ? pick(known, command.payment) : null;
    const payment = {
      id: repeated?.[0] ?? `E0000000020340115${String(known.length).padStart(15, "0")}`,
      amount: repeated?.[1].amount ?? command.amount ?? charge.amount,
      paidAt: state.now - command.delayDays * 86_400_000,
    };
    if (repeated === null) charge.bank.payments.push(payment);
    charge.bank.known = true;
    const attempts = command.again ? 2 : 1;
    if (command.via === "callback") return callback(state, charge, attempts);
    const rules = { LATE: state.lateRule };
    const expected = Array.from({ length: attempts }, () => settle(state, charge, payment));
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        const terms = await real.termsOf(charge);
        const { id: paymentId, ...money } = payment;
        return repeat(attempts, async () => {
          const { kind } = await real.object.settlePayment({
            companyId: real.company.id,
            terms,
            payment: { paymentId, method: charge.method, ...money },
            rules,
          });
          return kind;
        });
      },
    };
  },
};

/** The merchant sets what becomes of late payments. */
export const changeLateRule: CommandKind<{ rule: "keep" | "credit" }> = {
  input: fc.record({ rule: fc.constantFrom("keep", "keep", "credit") }),
  plan: (state, { rule }) => {
    state.lateRule = rule;
    const body = { unexpectedPayments: { LATE: rule } };
    return {
      expected: "200",
      execute: (real) => real.request("PUT", "/api/v1/company/settings", { body }),
    };
  },
};

/** The merchant credits an unexpected payment to its own charge, once or twice. */
export const creditFromSuspense: CommandKind<{ payment: number }> = {
  input: fc.record({ payment: anyItem }),
  isApplicable: (state) => idsInSuspense(state).length > 0,
  plan: (state, command) => {
    const paymentId = pick(idsInSuspense(state), command.payment);
    const { charge } = state.payments.get(paymentId)!;
    return {
      expected: creditKept(state, paymentId),
      execute: async (real) => {
        const { id: companyId, credentialsVersion } = await real.findCompany();
        const { kind } = await real.object.decidePayment({
          companyId,
          credentialsVersion,
          paymentId,
          action: "credit",
          target: { kind: "chosen", terms: await real.termsOf(charge) },
          operationId: crypto.randomUUID(),
          requestedBy: null,
          request: { key: null, traceId: "", requestHash: "" },
        });
        return kind;
      },
    };
  },
};

function idsInSuspense({ payments }: State): string[] {
  return [...payments].filter(([, { inSuspense }]) => inSuspense).map(([id]) => id);
}

/** The bank changes a charge's status and sends a callback. */
export const reportStatus: CommandKind<{
  charge: number;
  status: Charge["bank"]["status"];
  again: boolean;
}> = {
  input: fc.record({
    charge: anyItem,
    status: fc.constantFrom("open", "authorized", "refused", "failed", "cancelled", "expired"),
    again: anyRepeat,
  }),
  isApplicable: (state) => payable(state).length > 0,
  plan: (state, command) => {
    const charge = pick(payable(state), command.charge);
    const isCard = charge.method === "CREDIT_CARD";
    const ofCards = command.status === "authorized" || command.status === "refused";
    charge.bank.status = ofCards && !isCard ? "open" : command.status;
    charge.bank.known = true;
    return callback(state, charge, command.again ? 2 : 1);
  },
};

/** The payer's bank opens, loses or wins a dispute, and may contradict itself. */
export const requestReturn: CommandKind<{
  charge: number;
  id: number;
  chargeback: boolean;
  percent: number;
  status: Dispute["status"];
  deadlineHours: number | null;
  via: "callback" | "object";
  again: boolean;
}> = {
  input: fc.record({
    charge: anyItem,
    id: fc.constantFrom(0, 0, 0, 1),
    chargeback: fc.boolean(),
    percent: fc.constantFrom(100, 100, 60, 1),
    status: fc.constantFrom("OPEN", "OPEN", "WON", "LOST"),
    deadlineHours: fc.constantFrom(null, 1, 100),
    via: fc.constantFrom("callback", "object"),
    again: anyRepeat,
  }),
  isApplicable: hasCharges,
  plan: (state, command) => {
    const paid = state.charges.filter((charge) => charge.paidAmount > 0);
    const charge = pick(paid.length > 0 ? paid : state.charges, command.charge);
    const id = `dispute ${charge.index} ${command.id}`;
    const known = charge.bank.disputes.find((each) => each.id === id);
    const due = charge.paidAmount > 0 ? charge.paidAmount : charge.amount;
    const report = known ?? {
      id,
      kind: command.chargeback && command.status === "LOST" ? "CHARGEBACK" : "DISPUTE",
      amount: Math.ceil((due * command.percent) / 100),
      status: command.status,
      deadline: deadlineOf(state, command.deadlineHours),
    };
    report.status = command.status;
    report.deadline = deadlineOf(state, command.deadlineHours) ?? report.deadline;
    // If the bank kept this report, any later refresh of the charge would find it.
    const isPaid = charge.paidAmount > 0;
    if (known === undefined && isPaid) charge.bank.disputes.push(report);
    const attempts = command.again ? 2 : 1;
    if (command.via === "callback" && isPaid) return callback(state, charge, attempts);
    const expected = Array.from({ length: attempts }, () => dispute(state, charge, report));
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        const terms = await real.termsOf(charge);
        return repeat(attempts, async () => {
          const { kind } = await real.object.recordDispute({
            companyId: real.company.id,
            terms,
            report: toProviderDispute(report),
          });
          return kind;
        });
      },
    };
  },
};

function deadlineOf(state: State, hours: number | null): number | null {
  return hours === null ? null : state.now + hours * 3_600_000;
}

/** The merchant submits evidence over HTTP, perhaps twice. */
export const evidence: CommandKind<{
  charge: number;
  id: number;
  text: string;
  key: string | null;
  again: boolean;
}> = {
  input: fc.record({
    charge: anyItem,
    id: fc.constantFrom(0, 0, 1),
    text: fc.constantFrom("It was delivered.", "The payer signed for it."),
    key: maybeKey,
    again: anyRepeat,
  }),
  isApplicable: ({ disputes }) => disputes.length > 0,
  plan: (state, { charge: which, id: number, text, key, again }) => {
    const known = pick(state.disputes, which);
    const id = number === 0 ? known.id : `${known.id} of nobody`;
    const attempts = again ? 2 : 1;
    const expected = Array.from({ length: attempts }, () =>
      submitEvidence(state, { id, text, key }),
    );
    const path = `/api/v1/disputes/${encodeURIComponent(id)}/evidence`;
    return {
      expected: expected.join(", "),
      execute: (real) =>
        repeat(attempts, () => real.request("POST", path, { body: { text }, key })),
    };
  },
};

/** The provider's callback, which takes effect only after a refresh of the charge. */
function callback(state: State, charge: Charge, attempts: number) {
  const expected = Array.from({ length: attempts }, () => sync(state, charge));
  return {
    expected: expected.join(", "),
    execute: async (real: RealSystem) => {
      const row = await real.rowOf(charge);
      const company = await real.findCompany();
      const context = { env: real.env, deps: depsOfCompany(real.deps, company), company };
      return repeat(attempts, () => syncCharge(context, real.bank, row));
    },
  };
}

/** Runs something repeatedly in sequence; returns all results. */
export async function repeat(times: number, act: () => Promise<string>): Promise<string> {
  const answers = [];
  for (let time = 0; time < times; time++) answers.push(await act());
  return answers.join(", ");
}

/** Mostly the first item, sometimes another one. */
export function mostly<Choice extends string>(
  usual: Choice,
  ...others: Choice[]
): fc.Arbitrary<Choice> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

/** The charges that payers were asked to pay. */
function payable(state: State): Charge[] {
  return state.charges.filter(({ isOfPayment }) => !isOfPayment);
}

/** Whether there is a charge to act on. */
export function hasCharges(state: State): boolean {
  return state.charges.length > 0;
}

/** A bank's present report of a charge. */
export function bankOf({ bank }: Charge): Charge["bank"] {
  return { ...bank, payments: [...bank.payments], disputes: [...bank.disputes] };
}
