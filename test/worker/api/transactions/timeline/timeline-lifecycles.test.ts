import { expect, it } from "vitest";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import {
  reportOperation,
  requestRefund,
  requestReturn,
  dispute,
  freshEndToEndId,
  givenSettled,
  settleCharge,
} from "../../../../support/builders/operations/object-operations.ts";
import {
  expectCompleteLedger,
  timelineOf,
  describeItem,
} from "../../../../support/probes/charges/timeline.ts";

const STEPS = 40;
const REFUSED = { kind: "failed", reason: "no" } as const;
/** The possible causes of a movement; a dispute and a chargeback are one kind of item. */
const CAUSES: Record<string, string[]> = {
  charge_paid: ["payment"],
  payment_suspended: ["payment"],
  refund_requested: ["refund"],
  refund_done: ["refund"],
  refund_failed: ["refund"],
  suspense_returned: ["return"],
  dispute_won: ["dispute", "chargeback"],
  dispute_lost: ["dispute", "chargeback"],
  chargeback: ["chargeback"],
};

/** Pseudo-random integers below a bound (a linear congruential generator). */
function seededInteger(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

it.each([1, 2, 3, 4, 5, 6])(
  "lifecycle %i: every movement and event appears once, each movement after its cause",
  async (seed) => {
    const roll = seededInteger(seed);
    const company = await givenCompany({ balance: 5_000 });
    const charges = [await givenSettled(company, 2_500), await givenSettled(company, 3_000)];
    const open: number[] = [];
    const disputes: { charge: number; report: Parameters<typeof dispute>[2] }[] = [];
    const idOf = (answer: Awaited<ReturnType<typeof requestRefund | typeof requestReturn>>) => {
      if (answer.kind === "send") open.push(answer.id);
    };
    const steps = [
      async () => idOf(await requestRefund(company, charges[roll(2)]!, { amount: 1 + roll(900) })),
      async () => {
        const [id] = open.splice(roll(open.length + 1), 1);
        const report = roll(2) ? ({ kind: "done" } as const) : REFUSED;
        if (id !== undefined) await reportOperation(company, report, id);
      },
      async () => {
        const kind = roll(2) ? ("DISPUTE" as const) : ("CHARGEBACK" as const);
        const report = { id: `d${disputes.length}`, kind, amount: 1 + roll(2_000) };
        const charge = roll(2);
        disputes.push({ charge, report });
        await dispute(company, charges[charge]!, report);
      },
      async () => {
        const decided = disputes[roll(disputes.length + 1)];
        if (decided === undefined) return;
        const status = roll(2) ? ("WON" as const) : ("LOST" as const);
        await dispute(company, charges[decided.charge]!, { ...decided.report, status });
      },
      async () => {
        const payment = { paymentId: freshEndToEndId(), amount: 1 + roll(300) };
        await settleCharge(company, charges[roll(2)]!, { payment });
        idOf(await requestReturn(company, payment.paymentId));
      },
    ];
    for (let step = 0; step < STEPS; step++) await steps[roll(steps.length)]!();

    for (const { id } of charges) {
      const items = await timelineOf(company, id);
      await expectCompleteLedger(company, id, items);
      const events = items.filter(({ kind }) => kind === "event").map(({ sequence }) => sequence);
      expect(events).toEqual(events.map((_, index) => index + 1));
      for (const [place, { kind, type, cause }] of items.entries()) {
        if (kind !== "movement") continue;
        const before = items.slice(0, place).flatMap((item) => [item.id, item.paymentId]);
        expect(before, describeItem(items[place])).toContain(cause.id);
        expect(CAUSES[type] ?? [cause.kind], type).toContain(cause.kind);
      }
    }
  },
);
