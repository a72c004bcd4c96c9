import { expect, it } from "vitest";
import { claimPayout, withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  configureObject,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { outboxLength } from "../../../support/probes/ledger/ledger.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { replaceInObject, killObject } from "../../../support/faults/object.ts";
import { eventually } from "../../../support/probes/until.ts";
import { deliveriesOf, eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const never = new Promise<never>(() => undefined);

async function givenClaimable(): Promise<TestCompany> {
  const company = await givenCompany({
    balance: 5_000,
    webhookUrl: "https://loja.example.com/endpoint",
  });
  await withdraw(company);
  await waitUntilDrained(company);
  return company;
}

it("an object that crashes after D1's write and before its outbox is cleared creates no second event", async () => {
  const company = await givenClaimable();
  let written = false;
  await replaceInObject(company, {
    projection: (real) => ({
      write: async (...parameters) => {
        await real.write(...parameters);
        written = true;
        return never;
      },
    }),
  });
  await claimPayout(company);
  await eventually(() => written);
  const before = [await eventsOf(company), await deliveriesOf(company)];

  await killObject(company);
  await configureObject(company.id, {});
  expect(await outboxLength(company)).toBe(1);
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  await waitUntilDrained(company);

  expect(await outboxLength(company)).toBe(0);
  expect([await eventsOf(company), await deliveriesOf(company)]).toEqual(before);
  expect(notifier.deliveryIds).toEqual([`dlv_${company.id}_2_endpoint`]);
});

it("an object that crashes after it enqueued the delivery enqueues the same delivery again", async () => {
  const company = await givenClaimable();
  const first = recordingNotifier();
  await replaceInObject(company, {
    notifier: {
      notifyPayouts: async () => undefined,
      notifyDeliveries: async (ids) => {
        await first.notifyDeliveries(ids);
        return never;
      },
    },
  });
  await claimPayout(company);
  await eventually(() => first.deliveryIds.length > 0);

  await killObject(company);
  await configureObject(company.id, {});
  const second = recordingNotifier();
  await replaceInObject(company, { notifier: second });
  await waitUntilDrained(company);

  expect(second.deliveryIds).toEqual(first.deliveryIds);
  expect(await eventsOf(company)).toHaveLength(2);
  expect(await deliveriesOf(company)).toHaveLength(2);
});
