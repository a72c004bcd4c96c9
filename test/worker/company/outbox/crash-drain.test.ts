import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";
import { claim, drained, withdraw } from "../../../support/builders/commands.ts";
import {
  arrangeObject,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/company.ts";
import { outboxLength } from "../../../support/builders/ledger.ts";
import { rememberedHints, replaceInObject } from "../../../support/probes/object.ts";
import { until } from "../../../support/probes/until.ts";
import { deliveriesOf, eventsOf } from "../../../support/probes/webhook-rows.ts";

const never = new Promise<never>(() => undefined);

async function givenClaimable(): Promise<TestCompany> {
  const company = await givenCompany({
    balance: 5_000,
    webhookUrl: "https://loja.example.com/endpoint",
  });
  await withdraw(company);
  await drained(company);
  return company;
}

it("an object that dies when D1 has its commit, but its outbox still does, tells no second event", async () => {
  const company = await givenClaimable();
  let written = false;
  await replaceInObject(company, {
    records: (real) => ({
      apply: async (...parameters) => {
        await real.apply(...parameters);
        written = true;
        return never;
      },
    }),
  });
  await claim(company);
  await until(() => written);
  const before = [await eventsOf(company), await deliveriesOf(company)];

  await abortAllDurableObjects();
  await arrangeObject(company.id, {});
  expect(await outboxLength(company)).toBe(1);
  const hints = rememberedHints();
  await replaceInObject(company, { hints });
  await drained(company);

  expect(await outboxLength(company)).toBe(0);
  expect([await eventsOf(company), await deliveriesOf(company)]).toEqual(before);
  expect(hints.deliveryIds).toEqual([`dlv_${company.id}_2_endpoint`]);
});

it("an object that dies when the queue was told, but its outbox still stands, tells it the same again", async () => {
  const company = await givenClaimable();
  const first = rememberedHints();
  await replaceInObject(company, {
    hints: {
      payouts: async () => undefined,
      deliveries: async (ids) => {
        await first.deliveries(ids);
        return never;
      },
    },
  });
  await claim(company);
  await until(() => first.deliveryIds.length > 0);

  await abortAllDurableObjects();
  await arrangeObject(company.id, {});
  const second = rememberedHints();
  await replaceInObject(company, { hints: second });
  await drained(company);

  expect(second.deliveryIds).toEqual(first.deliveryIds);
  expect(await eventsOf(company)).toHaveLength(2);
  expect(await deliveriesOf(company)).toHaveLength(2);
});
