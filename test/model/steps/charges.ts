import * as fc from "fast-check";
import { syncCharge } from "../../../src/api/transactions/sync.ts";
import type { ChargeOrder } from "../../../src/providers/provider.ts";
import { CONNECTION_LOST } from "../../support/faulty-env.ts";
import { again, anyItem, cents, maybeKey, pick, type Kind } from "../command.ts";
import { ANSWER_SQL, CLAIM_SQL, withD1Fault } from "../faults.ts";
import type { Real } from "../real.ts";
import { create, dispute, settle, sync, type CreateDeath } from "../reference/charges.ts";
import type { Charge, Dispute, Method, State } from "../reference/state.ts";

type CreateTrouble = CreateDeath | "overloaded" | "claim lost" | "answer lost";

/** A create with a bank that registers, refuses or says nothing, and a D1 that may fail. */
export const createCharge: Kind<{
  amount: number;
  method: Method;
  installments: number;
  key: string | null;
  bank: "registered" | "refused" | "unknown";
  trouble: CreateTrouble;
  again: boolean;
}> = {
  wish: fc.record({
    amount: cents,
    method: fc.constantFrom("PIX", "BOLETO", "CREDIT_CARD"),
    installments: fc.integer({ min: 1, max: 12 }),
    key: maybeKey,
    bank: often("registered", "refused", "unknown"),
    trouble: often<CreateTrouble>(
      "none",
      "unclaimed",
      "claimed",
      "unanswered",
      "answered",
      "overloaded",
      "claim lost",
      "answer lost",
    ),
    again,
  }),
  plan: (state, { method, installments, trouble, ...request }) => {
    const before = state.charges.length;
    const attempts = [trouble, ...(request.again && request.key !== null ? ["none" as const] : [])];
    const expected = attempts.map((each) =>
      each === "overloaded"
        ? "STORAGE_UNAVAILABLE"
        : create(state, { ...request, death: isDeath(each) ? each : "none" }),
    );
    const made = state.charges[before];
    // A charge that its bank refused is known to the object before a test can change its row.
    if (made !== undefined && request.bank !== "refused") {
      made.method = method;
      made.installments = method === "CREDIT_CARD" ? installments : 1;
      made.terms = state.terms[method];
    }
    return {
      expected: expected.join(", "),
      act: async (real) => {
        const answers = [];
        for (const each of attempts) {
          real.bank.onCreate = async (order) =>
            request.bank === "registered"
              ? { kind: "registered", pix: pixOf(order) }
              : request.bank === "refused"
                ? { kind: "refused", message: "not this one" }
                : { kind: "unknown" };
          answers.push(
            await real.request("POST", "/api/v1/transactions/create", {
              body: { amount: request.amount, paymentMethod: "PIX" },
              key: request.key,
              env: createEnv(real, each),
            }),
          );
        }
        if (made !== undefined) await real.adopt(made);
        return answers.join(", ");
      },
    };
  },
};

/** A payer pays: for the first time, again, with an id seen before, another amount, or late. */
export const pay: Kind<{
  charge: number;
  payment: number | null;
  amount: number | null;
  delayDays: number;
  via: "callback" | "object";
  again: boolean;
}> = {
  wish: fc.record({
    charge: anyItem,
    payment: fc.option(anyItem, { freq: 5 }),
    amount: fc.option(cents, { freq: 3 }),
    delayDays: fc.constantFrom(0, 0, 0, 2, 45),
    via: fc.constantFrom("callback", "object"),
    again,
  }),
  ready: hasCharges,
  plan: (state, wish) => {
    const charge = pick(state.charges, wish.charge);
    const known = [...state.payments];
    const repeated = wish.payment !== null && known.length > 0 ? pick(known, wish.payment) : null;
    const payment = {
      paymentId: repeated?.[0] ?? `E0000000020340115${String(known.length).padStart(15, "0")}`,
      method: "PIX" as const,
      amount: repeated?.[1].amount ?? wish.amount ?? charge.amount,
      paidAt: state.now - wish.delayDays * 86_400_000,
    };
    if (repeated === null) charge.bank.payments.push(payment);
    const attempts = wish.again ? 2 : 1;
    if (wish.via === "callback") return callback(state, charge, attempts);
    const expected = Array.from({ length: attempts }, () => settle(state, charge, payment));
    return {
      expected: expected.join(", "),
      act: async (real) => {
        const terms = await real.termsOf(charge);
        return repeat(attempts, async () => {
          const { kind } = await real.stub.settlePayment({
            companyId: real.company.id,
            terms,
            payment,
          });
          return kind;
        });
      },
    };
  },
};

/** The bank changes its mind about a charge, and calls back. */
export const tell: Kind<{ charge: number; status: Charge["bank"]["status"]; again: boolean }> = {
  wish: fc.record({
    charge: anyItem,
    status: fc.constantFrom("open", "failed", "cancelled", "expired"),
    again,
  }),
  ready: hasCharges,
  plan: (state, wish) => {
    const charge = pick(state.charges, wish.charge);
    charge.bank.status = wish.status;
    return callback(state, charge, wish.again ? 2 : 1);
  },
};

/** The payer's bank asks money back, gives up, or has taken it; it may contradict itself. */
export const askBack: Kind<{
  charge: number;
  id: number;
  chargeback: boolean;
  percent: number;
  status: Dispute["status"];
  via: "callback" | "object";
  again: boolean;
}> = {
  wish: fc.record({
    charge: anyItem,
    id: fc.constantFrom(0, 0, 0, 1),
    chargeback: fc.boolean(),
    percent: fc.constantFrom(100, 100, 60, 1),
    status: fc.constantFrom("OPEN", "OPEN", "WON", "LOST"),
    via: fc.constantFrom("callback", "object"),
    again,
  }),
  ready: hasCharges,
  plan: (state, wish) => {
    const paid = state.charges.filter((charge) => charge.paidAmount > 0);
    const charge = pick(paid.length > 0 ? paid : state.charges, wish.charge);
    const id = `dispute ${charge.index} ${wish.id}`;
    const known = charge.bank.disputes.find((each) => each.id === id);
    const due = charge.paidAmount > 0 ? charge.paidAmount : charge.amount;
    const report = known ?? {
      id,
      kind: wish.chargeback && wish.status === "LOST" ? "CHARGEBACK" : "DISPUTE",
      amount: Math.ceil((due * wish.percent) / 100),
      status: wish.status,
    };
    report.status = wish.status;
    // A bank that still said so later would tell it to whoever reads the charge back, at any time.
    const isPaid = charge.paidAmount > 0;
    if (known === undefined && isPaid) charge.bank.disputes.push(report);
    const attempts = wish.again ? 2 : 1;
    if (wish.via === "callback" && isPaid) return callback(state, charge, attempts);
    const expected = Array.from({ length: attempts }, () => dispute(state, charge, report));
    return {
      expected: expected.join(", "),
      act: async (real) => {
        const terms = await real.termsOf(charge);
        return repeat(attempts, async () => {
          const { kind } = await real.stub.recordDispute({
            companyId: real.company.id,
            terms,
            report: { ...report },
          });
          return kind;
        });
      },
    };
  },
};

/** The provider's callback, which is believed only after the charge was read back. */
function callback(state: State, charge: Charge, attempts: number) {
  const expected = Array.from({ length: attempts }, () => sync(state, charge));
  return {
    expected: expected.join(", "),
    act: async (real: Real) => {
      const row = await real.rowOf(charge);
      return repeat(attempts, () => syncCharge(real.env, real.bank, row, real.deps.clock.now()));
    },
  };
}

/** Does something a number of times, one after the other, and answers all answers. */
export async function repeat(times: number, act: () => Promise<string>): Promise<string> {
  const answers = [];
  for (let time = 0; time < times; time++) answers.push(await act());
  return answers.join(", ");
}

/** The first most of the time, each of the others now and then. */
export function often<Choice extends string>(
  usual: Choice,
  ...others: Choice[]
): fc.Arbitrary<Choice> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

/** Whether there is a charge that something can happen to. */
export function hasCharges(state: State): boolean {
  return state.charges.length > 0;
}

function isDeath(trouble: CreateTrouble): trouble is CreateDeath {
  return ["unclaimed", "claimed", "unanswered", "answered"].includes(trouble);
}

function createEnv(real: Real, trouble: CreateTrouble) {
  const { env } = real;
  switch (trouble) {
    case "none":
      return env;
    case "overloaded":
      return withD1Fault(env, /./, "before", "D1_ERROR: D1 DB is overloaded.");
    case "unclaimed":
      return withD1Fault(env, CLAIM_SQL, "before");
    case "claimed":
      return withD1Fault(env, CLAIM_SQL, "after");
    case "claim lost":
      return withD1Fault(env, CLAIM_SQL, "after", CONNECTION_LOST);
    case "unanswered":
      return withD1Fault(env, ANSWER_SQL, "before");
    case "answered":
      return withD1Fault(env, ANSWER_SQL, "after");
    case "answer lost":
      return withD1Fault(env, ANSWER_SQL, "after", CONNECTION_LOST);
  }
}

function pixOf(order: ChargeOrder) {
  if (order.paymentMethod !== "PIX") throw new Error("only PIX charges are asked for");
  return { qrcode: `code of ${order.chargeId}`, url: null, expirationDate: order.expiresAt };
}
