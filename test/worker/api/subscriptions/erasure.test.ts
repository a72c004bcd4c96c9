import { expect, it } from "vitest";
import {
  chargesOf,
  givenApproved,
  givenFailing,
  givenSubscription,
  liveUntil,
  openShop,
  play,
  subscriptionOf,
  SUBSCRIPTIONS,
} from "../../../support/builders/charges/subscriptions.ts";
import { byHandPath } from "../../../support/builders/charges/by-hand.ts";
import { runInD1 } from "../../../support/builders/companies/archived-rows.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import type { Shop } from "../../../support/builders/companies/clocked-shop.ts";
import type { CallEnvelope } from "../../../../src/company/object.ts";
import { shortCode } from "../../../../src/domain/subscriptions/debit-codes.ts";
import { eraseRestored } from "../../../../src/api/payers/erase-subscriptions.ts";
import { env, inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenShopWith, LosingBank } from "../../../support/fakes/losing-bank.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";

it("the payer of an ended subscription is erased with the charges; one of a lasting one stays", async () => {
  const shop = await openShop();
  const ended = await givenApproved(shop);
  const lasting = await givenApproved(shop);
  await liveUntil(shop, "2026-12-11");
  await play(shop, ended.id, "payer-cancel");
  const charges = [...(await chargesOf(shop, ended.id)), ...(await chargesOf(shop, lasting.id))];
  const transactionIds = charges.map(({ transactionId }) => transactionId);
  const { id: companyId } = shop.company;

  await callsTo(companyId).erasePayers({ companyId, transactionIds });
  await waitUntilDrained(shop.company);

  expect((await subscriptionOf(shop, ended.id)).customer).toEqual({
    name: "",
    email: "",
    externalRef: "",
    city: null,
    document: { type: "CPF", number: "" },
  });
  expect((await subscriptionOf(shop, lasting.id)).customer.name).toBe("Maria da Silva");
});

const NOBODY = {
  name: "",
  email: "",
  externalRef: "",
  city: null,
  document: { type: "CPF", number: "" },
};
const PAYER = { document: "12345678909" };
const METADATA = { metadata: "Maria mora na rua de cima" };

async function erase(shop: Shop): Promise<any> {
  const answer = await shop.send("/api/v1/payers/erase", { body: PAYER });
  expect(answer.status, answer.text).toBe(200);
  await waitUntilDrained(shop.company);
  return answer.body.data;
}

it("a payer who never approved is erased with the merchant's text on him, also in events", async () => {
  const shop = await openShop();
  const { id } = await givenSubscription(shop, METADATA);
  await play(shop, id, "reject");
  const other = { ...METADATA, customer: { name: "João", document: { number: "52998224725" } } };
  const kept = await givenSubscription(shop, other);

  expect(await erase(shop)).toMatchObject({
    subscriptions: { erased: 1, open: 0 },
    status: "done",
  });

  expect(await subscriptionOf(shop, id)).toMatchObject({ customer: NOBODY, metadata: null });
  expect((await subscriptionOf(shop, kept.id)).metadata).toBe(METADATA.metadata);
  const events = (await shop.send("/api/v1/events", { method: "GET" })).body.items;
  const texts = events.map(({ data }: any) => [data.id === id, data.metadata]);
  expect(texts).toEqual([
    [true, null],
    [true, null],
    [false, METADATA.metadata],
  ]);
  expect(await erase(shop)).toMatchObject({ subscriptions: { erased: 0, open: 0 } });
});

it("a payer is erased with what banks had said of him", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenFailing(shop, {}, "over_limit");
  await liveUntil(shop, "2026-12-12");
  await play(shop, id, "payer-cancel");
  const said = "Maria gastou tudo";
  const known = `SET attempts = json_set(attempts, '$[0].reason.code', 'UNKNOWN', '$[0].reason.message', ?1,
      '$[0].reason.providerCode', ?1), debit = json_set(debit, '$.end', json_object('kind', 'cancelled',
      'by', 'payer_bank', 'code', 'UNKNOWN', 'message', 'x', 'action', 'offer_link', 'providerCode', ?1))
    WHERE transaction_id = ?2`;
  await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
    sql.exec(`UPDATE subscription_cycles ${known}`, said, transactionId);
  });
  await runInD1(`UPDATE subscription_cycles ${known}`, said, transactionId);
  await runInD1(
    `UPDATE events SET body = json_set(body, '$.data.mandate.providerCode', ?1,
       '$.data.charge.attempts[0].code', 'UNKNOWN', '$.data.charge.attempts[0].message', ?1,
       '$.data.charge.attempts[0].providerCode', ?1, '$.data.charge.end', json_object('providerCode', ?1))
     WHERE company_id = ?2 AND type = 'subscription.charge_failed'`,
    said,
    shop.company.id,
  );
  expect(await erase(shop)).toMatchObject({ subscriptions: { erased: 1, open: 0 } });

  const [charge] = await chargesOf(shop, id);
  expect(charge).toMatchObject({
    attempts: [{ code: "UNKNOWN", providerCode: null }],
    end: { code: "UNKNOWN", providerCode: null },
  });
  const events = (await shop.send("/api/v1/events", { method: "GET" })).body.items;
  const failed = events.find(({ type }: any) => type === "subscription.charge_failed").data;
  expect(failed).toMatchObject({
    mandate: { providerCode: null },
    charge: { attempts: [{ code: "UNKNOWN", message: null }], end: { providerCode: null } },
  });
  // A code says nothing of him.
  const attempt = events.find(({ type }: any) => type === "subscription.charge_attempt_failed");
  expect(attempt.data.charge.attempts).toMatchObject([
    { code: "PAYER_LIMIT", message: expect.stringContaining("limit"), providerCode: "AM02" },
  ]);
  expect(JSON.stringify([charge, events])).not.toContain(said);
});

it("an erasure keeps in events what is a code, by the same rule as everywhere", async () => {
  const shop = await openShop();
  const { id } = await givenSubscription(shop, METADATA);
  await play(shop, id, "reject");
  await waitUntilDrained(shop.company);
  const texts = ["AM02", "am02", "SALDO_INSUFICIENTE", "ERR-1042", "A1", `A_${"B".repeat(39)}`];
  const names = [
    "MARIA",
    "ANA-MARIA",
    "12345678909",
    "CPF-123.456.789-09",
    "MARIA 2",
    "_1A",
    "É_1",
  ];
  const attempts = [...texts, ...names].map((providerCode) => ({ code: "UNKNOWN", providerCode }));
  const ofCompany = "WHERE company_id = ?1 AND type = 'subscription.created'";
  await runInD1(
    `UPDATE events SET body = json_set(body, '$.data.charge', json(?2)) ${ofCompany}`,
    shop.company.id,
    JSON.stringify({ attempts }),
  );
  await erase(shop);

  const events = (await shop.send("/api/v1/events", { method: "GET" })).body.items;
  const created = events.find(({ type }: any) => type === "subscription.created").data;
  const kept = created.charge.attempts.map(({ providerCode }: any) => providerCode);
  expect(kept).toEqual(attempts.map(({ providerCode }) => shortCode(providerCode)));
  expect(kept.slice(0, 5)).toEqual(texts.slice(0, 5));
});

it.each([
  ["attempts that are null", { attempts: null, end: null }],
  ["an attempt without a reason", { attempts: [{ day: "2026-12-10", status: "paid" }] }],
])("an erasure leaves an event with %s as it is", async (_, charge) => {
  const shop = await openShop();
  const { id } = await givenSubscription(shop, METADATA);
  await play(shop, id, "reject");
  await waitUntilDrained(shop.company);
  const ofCompany = "WHERE company_id = ?1 AND type = 'subscription.created'";
  await runInD1(
    `UPDATE events SET body = json_set(body, '$.data.charge', json(?2)) ${ofCompany}`,
    shop.company.id,
    JSON.stringify(charge),
  );

  expect(await erase(shop)).toMatchObject({ subscriptions: { erased: 1, open: 0 } });

  const [event] = await runInD1<{ body: string }>(
    `SELECT body FROM events ${ofCompany}`,
    shop.company.id,
  );
  expect(JSON.parse(event!.body).data).toMatchObject({ metadata: null, charge });
  expect(JSON.parse(event!.body).data.charge).toEqual(charge);
});

it("a subscription that lasts loses its payer as it ends", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop, METADATA);

  expect(await erase(shop)).toMatchObject({
    subscriptions: { erased: 0, open: 1 },
    status: "pending",
  });
  expect((await subscriptionOf(shop, id)).customer.name).toBe("Maria da Silva");
  await shop.send(`${SUBSCRIPTIONS}/${id}/cancel`);
  await waitUntilDrained(shop.company);

  expect(await subscriptionOf(shop, id)).toMatchObject({
    status: "cancelled",
    mandate: { status: "cancelled" },
    customer: NOBODY,
    metadata: null,
  });
});

it("a charge by hand that is claimed while its payer is erased is erased once it has ended", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id, transactionId } = await givenFailing(shop, {});
  await liveUntil(shop, "2026-12-12");
  await shop.send(`${SUBSCRIPTIONS}/${id}/cancel`);
  await shop.live({ advance: "PT1H" });
  bank.silent.add("createCharge");
  const erasures: object[] = [];
  const { DB } = withDatabase({
    before: async (sql) => {
      const isClaimed = /^insert into "transactions"/i.test(sql);
      if (isClaimed && erasures.length === 0) erasures.push(await erase(shop));
    },
  });
  const { company, deps } = shop;
  const world = { ...env, DB };
  const made = await call(byHandPath(id, transactionId), {
    company,
    deps,
    env: world,
    method: "POST",
    body: {},
  });
  expect(erasures).toMatchObject([{ subscriptions: { erased: 1, open: 0 } }]);
  expect(made.status, made.text).toBe(503);

  const late = await runInD1(
    `SELECT e.reason FROM payer_erasures AS e JOIN transactions AS t USING (company_id, seq)
     WHERE t.company_id = ? AND t.idempotency_key LIKE 'by-hand/%'`,
    company.id,
  );
  expect(late).toEqual([{ reason: "request" }]);
});

it("a charge by hand that the cron registers after its Worker has died is erased with its payer, too", async () => {
  const { shop } = await givenShopWith(new LosingBank());
  const { id, transactionId } = await givenFailing(shop, {});
  await liveUntil(shop, "2026-12-12");
  await shop.send(`${SUBSCRIPTIONS}/${id}/cancel`);
  await shop.live({ advance: "PT1H" });
  let isDead = false;
  const { DB } = withDatabase({
    before: async (sql) => {
      if (isDead) throw new Error("the Worker is dead");
      if (!/^insert into "transactions"/i.test(sql)) return;
      expect(await erase(shop)).toMatchObject({ subscriptions: { erased: 1, open: 0 } });
    },
    after: (sql) => {
      isDead ||= /^insert into "transactions"/i.test(sql);
    },
  });
  const { company, deps } = shop;
  const path = byHandPath(id, transactionId);
  const died = await call(path, { company, deps, env: { ...env, DB }, method: "POST", body: {} });
  expect(died.status).toBe(500);
  await shop.live({ advance: "PT1H" });

  const late = await runInD1(
    `SELECT t.status, e.reason FROM transactions AS t LEFT JOIN payer_erasures AS e USING (company_id, seq)
     WHERE t.company_id = ? AND t.idempotency_key LIKE 'by-hand/%'`,
    company.id,
  );
  expect(late).toEqual([{ status: "waiting_payment", reason: "request" }]);
});

it("an export has the subscriptions without a charge, with their events", async () => {
  const shop = await openShop();
  const { id } = await givenSubscription(shop, METADATA);
  const pages: any[] = [];
  for (let after: string | null | undefined; after !== null; after = pages.at(-1).after) {
    const body = { ...PAYER, ...(after === undefined ? {} : { after }) };
    pages.push((await shop.send("/api/v1/payers/export", { body })).body);
  }

  const all = pages.flatMap(({ data }) => data.subscriptions);
  expect(all).toMatchObject([{ id, ...METADATA, customer: { name: "Maria da Silva" } }]);
  const events = pages.flatMap(({ data }) => data.events);
  expect(events.map(({ type }) => type)).toEqual(["subscription.created"]);
});

it("hundreds of subscriptions that wait for their end hold up the erasure of no other", async () => {
  const shop = await openShop();
  const { company } = shop;
  await givenApproved(shop);
  await erase(shop);
  const [row] = await runInD1("SELECT * FROM subscriptions WHERE company_id = ?", company.id);
  const columns = Object.keys(row).filter((name) => name !== "number" && name !== "id");
  await runInD1(
    `WITH RECURSIVE made(number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM made WHERE number < 600)
     INSERT INTO subscriptions (number, id, ${columns.join(", ")})
     SELECT made.number, 'made-' || made.number, ${columns.map((name) => `s.${name}`).join(", ")}
     FROM made CROSS JOIN subscriptions AS s WHERE s.company_id = ? AND s.number = 1`,
    company.id,
  );
  await inAccount(company.id, (_account, { storage: { sql } }) => {
    sql.exec("UPDATE company SET subscription_floor = 601");
  });
  const late = await givenApproved(shop);

  await erase(shop);
  await shop.send(`${SUBSCRIPTIONS}/${late.id}/cancel`);
  await waitUntilDrained(company);
  await runInD1("DELETE FROM subscriptions WHERE company_id = ? AND id LIKE 'made-%'", company.id);
  expect((await subscriptionOf(shop, late.id)).customer).toEqual(NOBODY);
});

it("an object of the release before holds up the erasure of the other subscriptions of a restore once", async () => {
  const shop = await openShop();
  const { company } = shop;
  const made = [await givenSubscription(shop), await givenSubscription(shop)];
  for (const { id } of made) await play(shop, id, "reject");
  await waitUntilDrained(company);
  const asked: string[] = [];
  const getByName = (name: string) => {
    const object = env.COMPANY_ACCOUNT.getByName(name);
    return {
      call: async (envelope: CallEnvelope) => {
        asked.push(envelope.name);
        if (asked.length === 1) throw new Error("CALL_UNKNOWN: the object has no such call");
        return object.call(envelope);
      },
    };
  };
  const world = { ...env, COMPANY_ACCOUNT: { getByName } as unknown as typeof env.COMPANY_ACCOUNT };
  await runInD1(
    "UPDATE subscriptions SET customer = json_set(customer, '$.document.number', '') WHERE company_id = ?",
    company.id,
  );

  await expect(eraseRestored(world, company.id, 1)).rejects.toThrow("CALL_UNKNOWN");
  expect(asked).toEqual(["eraseRestoredPayers", "eraseRestoredPayers"]);
  const names = async () =>
    (await callsTo(company.id).findSubscriptions(made.map(({ id }) => id))).map(
      ({ customer }: any) => customer.name,
    );
  expect(await names()).toEqual(["Maria da Silva", ""]);
  await eraseRestored(env, company.id);
  expect(await names()).toEqual(["", ""]);
  await waitUntilDrained(company);
});
