import { expect, it } from "vitest";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { cronDeps, runSweep } from "../../../support/fakes/cron.ts";
import { createCardCharge } from "../../../support/builders/charges/acquirer-card.ts";
import { FakeAcquirer } from "../../../support/fakes/fake-acquirer.ts";
import { DAY_MS } from "../../../support/builders/operations/object-operations.ts";
import { balanceChanges } from "../../../support/probes/ledger/balance-changes.ts";
import { race, RACE_ATTEMPTS } from "../../../support/faults/race.ts";
import { cancel, capture, simulate } from "../../../support/builders/operations/refund.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const PART = 4_000;
const CAPTURED = { awaiting: PART, provider: -PART };

/** A company with the sandbox's acquirer, or with one of the test's own. */
async function givenAuthorizedCharge() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeAcquirer(clock);
  return { clock, company, bank, deps: cronDeps(clock, bank) };
}

async function endOf(company: TestCompany, id: string) {
  const rows = await transactionsOf(company);
  const events = (await eventsOf(company)).filter(({ objectId }) => objectId === id);
  return {
    status: rows.find((row) => row.id === id)?.status,
    types: events.map(({ type }) => type.replace("transaction.", "")),
  };
}

async function authorize(company: TestCompany, deps = {}): Promise<string> {
  const created = await createCardCharge(company, { capture: false }, { deps });
  expect(created.body.data.status).toBe("AUTHORIZED");
  return created.body.data.id;
}

it("one of two concurrent captures with different keys succeeds, whatever their amounts", async () => {
  const { company, bank, deps } = await givenAuthorizedCharge();
  for (const round of RACE_ATTEMPTS) {
    const id = await authorize(company, deps);
    const other = round % 3 === 0 ? 10_000 : PART;
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => capture(company, id, PART, { deps, key: `left_${round}` }),
        () => capture(company, id, other, { deps, key: `right_${round}` }),
      ),
    );

    const [left, right] = answer;
    expect([left.status, right.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const taken = left.status === 200 ? PART : other;
    expect(effect).toEqual({ awaiting: taken, provider: -taken });
    expect(bank.sales.get(providerChargeId(id))?.payments).toMatchObject([{ amount: taken }]);
    expect(await endOf(company, id)).toEqual({ status: "paid", types: ["authorized", "paid"] });
  }
});

it("either a concurrent capture or a void succeeds, and only the capture brings money", async () => {
  const { company } = await givenAuthorizedCharge();
  const winners = new Set<string>();
  for (const round of RACE_ATTEMPTS) {
    const id = await authorize(company);
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => capture(company, id, PART),
        () => cancel(company, id),
      ),
    );

    const [captured, cancelled] = answer;
    expect([captured.status, cancelled.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const status = captured.status === 200 ? "paid" : "cancelled";
    expect(effect).toEqual(status === "paid" ? CAPTURED : {});
    expect(await endOf(company, id)).toEqual({ status, types: ["authorized", status] });
    winners.add(status);
  }
  expect(winners.size).toBe(2);
});

it("a capture that races the expiry of its authorization is credited only if it succeeded", async () => {
  const { company } = await givenAuthorizedCharge();
  for (const round of RACE_ATTEMPTS) {
    const id = await authorize(company);
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => capture(company, id, PART),
        () => simulate(company, id, "expire"),
      ),
    );

    const [captured, expired] = answer;
    const status = captured.status === 200 ? "paid" : "cancelled";
    expect(status === "paid" ? [409] : [200]).toContain(expired.status);
    expect([200, 409, 422]).toContain(captured.status);
    expect(effect).toEqual(status === "paid" ? CAPTURED : {});
    expect(await endOf(company, id)).toEqual({ status, types: ["authorized", status] });
  }
});

it("a capture that races the sweep of an authorization past its time is credited once", async () => {
  const { clock, company, bank, deps } = await givenAuthorizedCharge();
  for (const round of RACE_ATTEMPTS) {
    const id = await authorize(company, deps);
    const lapses = round % 3 === 0;
    clock.advance(8 * DAY_MS);
    const { answer, effect } = await balanceChanges(company, () =>
      race(
        company,
        round,
        () => capture(company, id, PART, { deps }),
        async () => {
          if (lapses) bank.voidSale(providerChargeId(id), "expired");
          await runSweep(deps);
        },
      ),
    );

    const status =
      bank.sales.get(providerChargeId(id))?.payments.length === 1 ? "paid" : "cancelled";
    if (!lapses) expect(status).toBe("paid");
    expect(answer[0].status === 200).toBe(status === "paid");
    // The days that pass release what was captured before.
    expect(effect["provider"] ?? 0).toBe(status === "paid" ? -PART : 0);
    expect(await endOf(company, id)).toEqual({ status, types: ["authorized", status] });
  }
});
