import type { Clock, RandomSource } from "../../domain/shared/clock.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { SandboxMandateStore } from "./mandate-store.ts";
import { SandboxMandates } from "./mandates.ts";
import type { SandboxStore } from "./store.ts";

/** The payers' bank over the sandbox's books; null where it keeps no mandates. `pay`: a payer pays a charge. */
export function payersBankOf(
  parts: {
    store: SandboxStore;
    mandateStore?: SandboxMandateStore;
    clock: Clock;
    random: RandomSource;
  },
  pay: (chargeId: string, amount: Cents) => Promise<void>,
): SandboxMandates | null {
  const { store: book, mandateStore: store, clock, random } = parts;
  if (store === undefined) return null;
  const money = {
    charge: async (chargeId: string) => {
      const { card: _card, ...known } = await book.charge(chargeId);
      return { ...known, refunds: [] };
    },
    addPayment: (chargeId: string, payment: Parameters<SandboxStore["addPayment"]>[1]) =>
      book.addPayment(chargeId, payment, null),
    pay,
  };
  return new SandboxMandates({ store, money, clock, random });
}
