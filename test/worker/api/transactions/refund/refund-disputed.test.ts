import { expect, it } from "vitest";
import { syncCharge } from "../../../../../src/api/transactions/sync.ts";
import { findTransaction } from "../../../../../src/api/transactions/repository.ts";
import type { ProviderDispute } from "../../../../../src/providers/charge.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { endToEndId } from "../../../../support/builders/charges/charge-commands.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { bookingOf, depsWithBank } from "../../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  refund,
  resolveDispute,
  simulate,
} from "../../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction } from "../../../../support/builders/charges/transaction.ts";

const dispute = (id: string, status: ProviderDispute["status"]): ProviderDispute => ({
  id,
  kind: "DISPUTE",
  amount: 1_000,
  status,
});

async function givenDisputesReported(order: ProviderDispute[]) {
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance: 5_000 });
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const bank = new FakeBank();
  const payment = {
    paymentId: endToEndId(1),
    method: "PIX" as const,
    amount: 2_500,
    paidAt: clock.now(),
  };
  for (const end of order.keys()) {
    bank.setDisputes([payment], ...order.slice(0, end + 1));
    const row = await findTransaction(env, company.id, id);
    await syncCharge(await bookingOf(company, bank, clock), bank, row!);
    clock.advance(1_000);
  }
  return { company, id: id as string, deps: depsWithBank(bank, clock) };
}

/** A forbidden transition is a 409, and an open dispute forbids a refund. */
it("INVALID_STATE: rejects a refund while an older dispute is open and a newer one was won", async () => {
  const { company, id, deps } = await givenDisputesReported([
    dispute("d1", "OPEN"),
    dispute("d2", "WON"),
  ]);
  const answer = await refund(company, id, 2_500, { deps });
  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
});

it.each(["WON", "LOST"] as const)(
  "accepts a refund of the rest once the older dispute is %s as well",
  async (status) => {
    const order = [dispute("d1", "OPEN"), dispute("d2", "WON"), dispute("d1", status)];
    const { company, id, deps } = await givenDisputesReported(order);
    const left = status === "WON" ? 2_500 : 1_500;

    const answer = await refund(company, id, undefined, { deps });

    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: "REFUNDED", refunds: [{ amount: left }] });
  },
);

/** Sorted as text, the tenth id would precede the ninth. */
it("the tenth dispute within a millisecond is the newest", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const { id } = await givenPaid(company, 2_500);
  for (let number = 1; number <= 10; number++) {
    expect((await simulate(company, id, "dispute")).status, `dispute ${number}`).toBe(200);
    expect((await resolveDispute(company, id, "won")).status).toBe(200);
  }
});
