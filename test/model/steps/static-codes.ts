import * as fc from "fast-check";
import { bookPayment } from "../../../src/api/provider-callbacks/service.ts";
import { injectFault, withAccounts } from "../../support/faults/faulty-env.ts";
import { anyItem, anyRepeat, cents, pick, type CommandKind } from "../command.ts";
import type { RealSystem } from "../real.ts";
import { settle } from "../reference/charges.ts";
import { draftOfPayment } from "../reference/creates.ts";
import type { Payment } from "../reference/state.ts";
import { mostly } from "./charges.ts";
import { depsOfCompany } from "../../../src/http/context.ts";

type Crash = "none" | "before booking" | "after booking";

/** A static code is paid, or an earlier payment of it is reported again; the process may crash. */
export const payStaticCode: CommandKind<{
  amount: number;
  earlier: number | null;
  crash: Crash;
  again: boolean;
}> = {
  input: fc.record({
    amount: cents,
    earlier: fc.option(anyItem, { freq: 2 }),
    crash: mostly<Crash>("none", "before booking", "after booking"),
    again: anyRepeat,
  }),
  plan: (state, { amount, earlier, crash, again }) => {
    const ofCode = state.charges.filter(({ isOfPayment }) => isOfPayment);
    const known = earlier === null || ofCode.length === 0 ? null : pick(ofCode, earlier);
    const id = `E0000000020340115${String(state.charges.length).padStart(14, "0")}S`;
    const charge = known ?? draftOfPayment(state, { id, amount, paidAt: state.now });
    const payment = charge.bank.payments[0]!;
    const crashes = [crash, ...(again ? (["none"] as const) : [])];
    const expected = crashes.map((each) => {
      if (each !== "before booking") settle(state, charge, payment);
      return each === "none" ? "booked" : "died";
    });
    return {
      expected: expected.join(", "),
      execute: async (real) => {
        const answers = [];
        for (const each of crashes) answers.push(await report(real, payment, each));
        if (known === null) await real.refreshCharge(charge);
        return answers.join(", ");
      },
    };
  },
};

/** The PSP reports the payment, as in its list. */
async function report(real: RealSystem, payment: Payment, crash: Crash): Promise<string> {
  const when = crash === "before booking" ? "before" : "after";
  const fault = injectFault({ on: /^settlePayment$/, when });
  const env = crash === "none" ? real.env : withAccounts(real.env, fault.intercept);
  const { id: paymentId, ...money } = payment;
  const about = { method: "PIX" as const, chargeId: null, txid: await real.staticTxid() };
  const listed = { paymentId, ...money, ...about, disputes: [], refunds: [] };
  const company = await real.findCompany();
  const context = { env, deps: depsOfCompany(real.deps, company), company };
  return real.serveOrCrash(async () => {
    expectBooked(await bookPayment(context, real.bank, listed));
    return "booked";
  });
}

function expectBooked(isBooked: boolean): void {
  if (!isBooked) throw new Error("the payment is the company's own");
}
