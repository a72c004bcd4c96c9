import { describe, expect, it } from "vitest";
import {
  debitOrder,
  mandateOrder,
  PAYER_ACCOUNT,
  todayOf,
} from "../../builders/providers/mandate-orders.ts";
import { created, scheduled, type MandateSubject } from "./mandate-contract.ts";

const DAY_MS = 86_400_000;

/** Faults between the gateway and a provider of automatic debits. */
interface MandateFaults {
  /** Faults by name: each makes every response unreadable. */
  unintelligible: Record<string, () => void>;
  /** Every request takes effect and its response is lost. */
  loseResponses: () => void;
  clearFaults: () => void;
  /** How many mandates of a subscription there are. */
  mandateCount: (subscriptionId: string) => number;
}

/** The contract of a provider of automatic debits behind an unreliable network. */
export function mandateFaultContract(
  name: string,
  make: () => MandateSubject & MandateFaults,
): void {
  describe(`${name} under faults:`, () => {
    it("a mandate whose answer was lost is found by its contract, and is one", async () => {
      const { provider, clock, ...faults } = make();
      const order = mandateOrder(todayOf(clock));
      faults.loseResponses();
      expect(await provider.createMandate(order)).toEqual({ kind: "unknown" });
      const since = clock.now() - DAY_MS;
      expect(await provider.findMandateByContract(order, since)).toEqual({ kind: "unknown" });
      faults.clearFaults();

      const { subscriptionId } = order;
      expect(await provider.findMandateByContract(order, since)).toMatchObject({
        kind: "known",
        mandate: { subscriptionId, status: "created" },
      });
      expect(faults.mandateCount(subscriptionId)).toBe(1);
    });

    it("a request, a debit and a cancel whose answers were lost are each done once", async () => {
      const subject = make();
      const { provider, clock, payer, ...faults } = subject;
      const { order, mandate } = await created(subject);
      const { mandateId } = mandate;
      const approval = { account: PAYER_ACCOUNT, expiresAt: clock.now() + DAY_MS };
      const debit = debitOrder(mandateId, order);
      const lost = async (call: () => Promise<{ kind: string }>) => {
        faults.loseResponses();
        expect(await call()).toEqual({ kind: "unknown" });
        faults.clearFaults();
        return call();
      };

      const asked = await lost(() => provider.requestApproval(mandateId, approval));
      expect(asked).toMatchObject({ kind: "requested" });
      payer.approve(mandateId);
      const ordered = await lost(() => provider.scheduleDebit(debit));
      expect(ordered).toMatchObject({ kind: "accepted", debit: { chargeId: debit.chargeId } });
      const cancelled = await lost(() => provider.cancelDebit(debit.chargeId));
      expect(cancelled).toEqual({ kind: "cancelled" });
      expect(await lost(() => provider.cancelMandate(mandateId))).toEqual({ kind: "cancelled" });
    });

    it("an unreadable answer is unknown, neither success nor failure", async () => {
      const subject = make();
      const { provider, clock, ...faults } = subject;
      const { order, debit, mandate } = await scheduled(subject);
      const { mandateId } = mandate;
      const window = { from: clock.now() - DAY_MS, to: clock.now() };
      const approval = { account: PAYER_ACCOUNT, expiresAt: clock.now() + DAY_MS };
      for (const [fault, begin] of Object.entries(faults.unintelligible)) {
        begin();
        const answers = await Promise.all([
          provider.createMandate(mandateOrder(todayOf(clock))),
          provider.createMandate(mandateOrder(todayOf(clock), { journey: "QR" })),
          provider.findMandate(mandateId),
          provider.findMandateByContract(order, clock.now() - DAY_MS),
          provider.requestApproval(mandateId, approval),
          provider.scheduleDebit(debit),
          provider.retryDebit(debit.chargeId, debit.dueDate),
          provider.findDebit(debit.chargeId),
          provider.listMandates(window, 0),
          provider.listDebits(window, 0),
          provider.cancelDebit(debit.chargeId),
          provider.cancelMandate(mandateId),
        ]);
        expect.soft(new Set(answers.map(({ kind }) => kind)), fault).toEqual(new Set(["unknown"]));
        faults.clearFaults();
      }
      expect((await provider.findMandate(mandateId)).kind).toBe("known");
    });
  });
}
