import * as fc from "fast-check";
import { CONNECTION_LOST } from "../../support/faults/faulty-env.ts";
import { anyRepeat, anyItem, cents, maybeKey, pick, type CommandKind } from "../command.ts";
import { ANSWER_SQL, CLAIM_SQL, crashAtReport, withD1Fault } from "../faults.ts";
import type { RealSystem } from "../real.ts";
import {
  create,
  dueDateOf,
  sweep,
  type CreateBankState,
  type CreateCrash,
  type CreateRequest,
} from "../reference/creates.ts";
import { bankOf, hasCharges, mostly } from "./charges.ts";

type CreateTrouble = CreateCrash | "overloaded" | "claim lost" | "answer lost";

const anyBank = mostly<CreateBankState>("yes", "declined", "refused", "silent", "lost", "odd");

/** A create of each method, with any reaction of its bank and a D1 that may fail. */
export const createCharge: CommandKind<
  CreateRequest & {
    key: string | null;
    bank: CreateBankState;
    trouble: CreateTrouble;
    again: boolean;
  }
> = {
  input: fc.record({
    amount: cents,
    method: fc.constantFrom("PIX", "BOLETO", "CREDIT_CARD", "CREDIT_CARD"),
    installments: fc.integer({ min: 1, max: 12 }),
    capture: fc.boolean(),
    days: fc.constantFrom(0, 3, 60),
    late: fc.boolean(),
    due: fc.boolean(),
    key: maybeKey,
    bank: anyBank,
    trouble: mostly<CreateTrouble>(
      "none",
      "unclaimed",
      "claimed",
      "sent",
      "moved",
      "unanswered",
      "answered",
      "overloaded",
      "claim lost",
      "answer lost",
    ),
    again: anyRepeat,
  }),
  plan: (state, { trouble, key, bank, again: twice, ...request }) => {
    const count = state.charges.length;
    const known = key === null ? undefined : state.charges.find((charge) => charge.key === key);
    const before = known === undefined ? null : { charge: known, bank: bankOf(known) };
    const attempts = [trouble, ...(twice && key !== null ? ["none" as const] : [])];
    const expected = attempts.map((each) =>
      each === "overloaded"
        ? "STORAGE_UNAVAILABLE"
        : create(state, request, { key, bank, death: isCreateCrash(each) ? each : "none" }),
    );
    const made = state.charges[count];
    const body = bodyOf(request, state.now);
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        real.bank.previousState = before;
        real.bank.scriptCreate(bank, made ?? known);
        const answers = [];
        for (const each of attempts) {
          answers.push(
            await real.request("POST", "/api/v1/transactions/create", {
              body,
              key,
              env: createEnv(real, each),
            }),
          );
        }
        real.bank.previousState = null;
        if (made !== undefined) await real.refreshCharge(made);
        return answers.join(", ");
      },
    };
  },
};

/** The minute's cron sweeps a charge. */
export const sweepCharge: CommandKind<{ charge: number; bank: CreateBankState }> = {
  input: fc.record({ charge: anyItem, bank: anyBank }),
  isApplicable: hasCharges,
  plan: (state, command) => {
    const stuck = state.charges.filter((charge) => charge.createResult === null);
    const charge = pick(stuck.length > 0 ? stuck : state.charges, command.charge);
    sweep(state, charge, command.bank);
    return {
      expected: "",
      execute: async (real) => {
        real.bank.scriptCreate(command.bank, undefined);
        await real.sweep(charge);
        return "";
      },
    };
  },
};

function bodyOf(request: CreateRequest, now: number): object {
  const { amount, method, installments, capture, days, late, due } = request;
  const charge = { amount, paymentMethod: method };
  if (method === "PIX" && !due) return charge;
  const document = { type: "CPF", number: "52998224725" };
  const payer = { ...charge, customer: { name: "Maria da Silva", document } };
  const interest = late ? { interest: { value: 100 } } : {};
  if (method === "PIX") {
    const validity = late ? {} : { validityAfterDue: 0 };
    return { ...payer, pix: { dueDate: dueDateOf(request, now), ...validity, ...interest } };
  }
  if (method === "BOLETO") {
    return { ...payer, boleto: { expiresInDays: days, ...interest } };
  }
  return { ...payer, installments, card: { ...CARD, capture } };
}

/** In the first year and later. */
const CARD = {
  number: "4242424242424242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2050,
  cvv: "123",
};

function isCreateCrash(trouble: CreateTrouble): trouble is CreateCrash {
  return !["none", "overloaded", "claim lost", "answer lost"].includes(trouble);
}

function createEnv(real: RealSystem, trouble: CreateTrouble) {
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
    case "sent":
      return crashAtReport(env, "before");
    case "moved":
      return crashAtReport(env, "after");
    case "unanswered":
      return withD1Fault(env, ANSWER_SQL, "before");
    case "answered":
      return withD1Fault(env, ANSWER_SQL, "after");
    case "answer lost":
      return withD1Fault(env, ANSWER_SQL, "after", CONNECTION_LOST);
  }
}
