import { describe, expect, it } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import {
  decide,
  newestUnexpected,
  setRules,
  UNEXPECTED,
} from "../../../support/builders/charges/unexpected.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { injectFault, withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

/** A cron of two minutes later. */
const LATE_CRON = { ...systemDependencies, platformClock: { now: () => Date.now() + 2 * 60_000 } };

const paymentEvents = async (company: TestCompany) =>
  (await eventsOf(company))
    .filter(({ type }) => type.startsWith("payment."))
    .map(({ type, body }) => [type, body.data.previousStatus, body.data.status]);

const RETURNED = [
  ["payment.unexpected", null, "returning"],
  ["payment.returned", "returning", "returned"],
];
const CREDITED = [
  ["payment.unexpected", null, "crediting"],
  ["payment.credited", "crediting", "credited"],
];

describe("after a crash", () => {
  it.each([
    ["before the transaction is made", /insert into "transactions"/i, "before"],
    ["before the payment is credited to it", /decidePayment/, "before"],
    ["and the credit's answer is lost", /decidePayment/, "after"],
  ] as const)("%s, the cron credits a payment by its rule once", async (_when, on, when) => {
    const company = await givenCompany();
    await setRules(company, { NO_CHARGE: "credit" });
    const fault = injectFault({ on, when });
    const cut = withD1(withAccounts(env, fault.intercept), fault.intercept);

    expect((await UNEXPECTED.NO_CHARGE(company, { env: cut })).status).toBe(200);
    expect(fault.injections()).toBe(1);
    await runCron(LATE_CRON);
    await runCron(LATE_CRON);

    expect(await paymentEvents(company)).toEqual(CREDITED);
    expect(await accountsOf(company)).toMatchObject({ available: 900, suspense: 0 });
    expect(await transactionsOf(company)).toMatchObject([{ status: "paid" }]);
  });

  it("a merchant's credit whose answer was lost is finished by its repeat", async () => {
    const company = await givenCompany();
    await UNEXPECTED.NO_CHARGE(company);
    const { id } = await newestUnexpected(company);
    const fault = injectFault({ on: /decidePayment/, when: "after" });
    const lost = await decide(company, id, "credit", {
      key: "k1",
      env: withAccounts(env, fault.intercept),
    });
    expect(lost.status).toBe(500);
    const again = await decide(company, id, "credit", { key: "k1" });
    expect(again.body.data.status).toBe("credited");
    expect(await accountsOf(company)).toMatchObject({ available: 900, suspense: 0 });
    expect(await transactionsOf(company)).toHaveLength(1);
  });

  it("a return by rule whose sending was lost is finished by its operation", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    await setRules(company, { NO_CHARGE: "return" });
    const fault = injectFault({ on: /recordOperation/, when: "before" });
    const env_ = withAccounts(env, fault.intercept);
    await UNEXPECTED.NO_CHARGE(company, { env: env_, deps: { platformClock: clock } });
    expect(await newestUnexpected(company)).toMatchObject({ status: "returning" });
    clock.advance(60_000);
    const { id } = await newestUnexpected(company);
    expect((await decide(company, id, "return", { deps: { platformClock: clock } })).status).toBe(
      200,
    );
    expect(await paymentEvents(company)).toEqual(RETURNED);
    expect(await accountsOf(company)).toMatchObject({ suspense: 0, provider: 0 });
  });

  it("two reports at once book one payment, one item and one credit", async () => {
    const company = await givenCompany();
    await setRules(company, { NO_CHARGE: "credit" });
    const fault = injectFault({ on: /decidePayment/, when: "before" });
    const { body } = await UNEXPECTED.NO_CHARGE(company, {
      env: withAccounts(env, fault.intercept),
    });
    const [first, second] = await Promise.all([
      decide(company, body.paymentId, "credit"),
      decide(company, body.paymentId, "credit"),
      runCron(LATE_CRON),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await transactionsOf(company)).toHaveLength(1);
    expect(await accountsOf(company)).toMatchObject({ available: 900, suspense: 0 });
    expect(await paymentEvents(company)).toEqual(CREDITED);
  });
});
