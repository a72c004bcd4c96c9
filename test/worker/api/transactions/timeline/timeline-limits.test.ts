import { expect, it } from "vitest";
import { TIMELINE_MAX } from "../../../../../src/api/transactions/timeline/schemas.ts";
import { compose } from "../../../../../src/company/compose.ts";
import { CHARGE_HISTORY_MAX } from "../../../../../src/domain/charges/charge-history.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  givenCompany,
  inAccount,
} from "../../../../support/builders/companies/company.ts";
import { costInObject } from "../../../../support/probes/database/cost.ts";
import { withDatabase } from "../../../../support/probes/database/instrumented-database.ts";
import {
  unavailableProjection,
  replaceInObject,
  disableDrainTimeout,
} from "../../../../support/faults/object.ts";
import {
  DAY_MS,
  givenSettled,
  settleCharge,
} from "../../../../support/builders/operations/object-operations.ts";
import { ScriptedProvider, giveNoResponse } from "../../../../support/fakes/provider.ts";
import { refund, simulate } from "../../../../support/builders/operations/refund.ts";
import {
  expectCompleteLedger,
  timelineOf,
  describeItem,
} from "../../../../support/probes/charges/timeline.ts";
import { createTransaction, givenPaid } from "../../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { insertAttempts } from "../../../../support/builders/webhooks/stored-deliveries.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";
import { ENDPOINT } from "../../../../support/builders/withdraws/withdraw-events.ts";

it("the object supplies items that D1 does not have yet, events too", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const restore = await replaceInObject(company, unavailableProjection());
  disableDrainTimeout();
  await simulate(company, id, "chargeback");
  expect(await eventsOf(company)).toHaveLength(1);

  const behind = await timelineOf(company, id);
  await restore();
  await waitUntilDrained(company);

  // The transaction's two, and the one of its dispute.
  expect(await eventsOf(company)).toHaveLength(3);
  expect(behind.map(describeItem).slice(6)).toEqual([
    "CHARGEBACK 2500 LOST",
    "PAID to REFUNDED by chargeback",
    "booked chargeback by chargeback",
    "event 2 transaction.refunded",
  ]);
  expect(await timelineOf(company, id)).toEqual(behind);
});

it("a create that is still pending at its provider shows no provider result", async () => {
  const company = await givenCompany();
  const provider = new ScriptedProvider(giveNoResponse);
  await createTransaction(company, {}, { deps: provider.deps });
  const [row] = await transactionsOf(company);

  expect((await timelineOf(company, row!.id)).map(describeItem)).toEqual(["created PIX 2500 BRL"]);
});

it("a full history stores no more causes, and money still moves", async () => {
  const company = await givenCompany();
  const { id, amount } = await givenSettled(company, 2_500);
  await inAccount(company.id, (_, { storage: { sql } }) => {
    const charge = compose(sql).stores.charges.require(id);
    const [paid] = charge.trail;
    const full = Array.from({ length: CHARGE_HISTORY_MAX }, () => ({
      ...paid!,
      from: paid!.to,
      event: null,
    }));
    compose(sql).stores.charges.save({ ...charge, trail: full });
  });

  expect(await settleCharge(company, { id, amount })).toEqual({ kind: "unexpected" });
  const { body } = await call(`/api/v1/transactions/${id}/timeline`, { company });

  expect(body.hasMore).toBe(true);
  await expectCompleteLedger(company, id, body.items);
  expect(body.items.findLast((item: any) => item.kind === "movement")).toMatchObject({
    type: "payment_suspended",
    cause: null,
  });
});

it("a timeline with too many movements shows the newest ones and says so", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const { id } = await givenSettled(company, 12_000, {
    terms: { paymentMethod: "CREDIT_CARD", installments: 1_200, releaseDays: 1 },
    payment: { paidAt: clock.now() },
  });
  clock.advance(1_300 * DAY_MS);

  const { body } = await call(`/api/v1/transactions/${id}/timeline`, { company });

  expect(body.hasMore).toBe(true);
  const own = body.items.filter((item: any) => item.kind !== "movement");
  expect(own.map(describeItem)).toEqual([
    "created PIX 12000 BRL",
    "answered WAITING_PAYMENT",
    "payment 12000",
    "WAITING_PAYMENT to PAID by payment",
    "event 1 transaction.paid",
  ]);
  const numbers = body.items.flatMap((item: any) =>
    item.kind === "movement" ? [item.number] : [],
  );
  expect(numbers).toEqual(Array.from({ length: TIMELINE_MAX }, (_, index) => 202 + index));
});

it("a timeline with a thousand attempts shows all of its own items and the newest attempts", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps = { platformClock: clock };
  const { id } = await givenPaid(company, 2_500);
  const tries = Array.from({ length: TIMELINE_MAX + 50 }, (_, index) => clock.now() + index + 1);
  await insertAttempts(company, 1, tries);
  clock.advance(DAY_MS);
  await refund(company, id, undefined, { deps });

  const { body } = await call(`/api/v1/transactions/${id}/timeline`, { company });

  expect(body.items).toHaveLength(TIMELINE_MAX);
  expect(body.hasMore).toBe(true);
  const own = body.items.filter((item: any) => item.kind !== "attempt");
  expect(own).toHaveLength(12);
  expect(describeItem(body.items.at(-1))).toBe("event 2 transaction.refunded");
  const numbers = body.items.flatMap((item: any) => (item.kind === "attempt" ? [item.number] : []));
  expect(numbers).toEqual(Array.from({ length: TIMELINE_MAX - 12 }, (_, index) => 63 + index));
});

it("a timeline reads only the transaction's rows, for any number of other rows", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const sink = new WebhookSink(clock);
  const { id } = await givenPaid(company, 2_500);
  await refund(company, id, 100);
  await sink.deliverAll(company);
  const cost = async () => {
    let inD1 = 0;
    const counted = withDatabase({ after: (_sql, rows) => (inD1 += rows) });
    await timelineOf(company, id, { env: counted });
    const { read: inObject } = await costInObject(company, (account) =>
      account.history({ transactionId: id, limit: TIMELINE_MAX }),
    );
    return { inD1, inObject };
  };

  const others = async (count: number) => {
    for (let made = 0; made < count; made++) await givenSettled(company, 100);
    await sink.deliverAll(company);
  };

  await others(2);
  const few = await cost();
  await others(30);

  expect(await cost()).toEqual(few);
  expect(few.inD1).toBeLessThan(20);
  expect(few.inObject).toBeLessThan(25);
});
