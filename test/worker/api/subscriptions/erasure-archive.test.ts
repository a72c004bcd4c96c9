import { beforeEach, expect, it } from "vitest";
import { erasePayers } from "../../../../src/api/payers/tasks.ts";
import { SINGLE_STEP } from "../../../../src/domain/shared/cron-step.ts";
import {
  givenDebit,
  givenLiveWorld,
  liveUntil,
  mandateOf,
  send,
} from "../../../support/builders/charges/live-subscriptions.ts";
import {
  givenApproved,
  givenFailing,
  givenSubscription,
  liveUntil as liveUntilNoon,
  openShop,
  play,
  SUBSCRIPTIONS,
} from "../../../support/builders/charges/subscriptions.ts";
import {
  ageRows,
  archivedText,
  runInD1,
  runRowArchive,
} from "../../../support/builders/companies/archived-rows.ts";
import type { Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import { deliverCallbacks } from "../../../support/builders/providers/psp.ts";

const PAYER = { document: "12345678909" };
const METADATA = { metadata: "Maria mora na rua de cima" };
const YEAR_MS = 365 * 86_400_000;

beforeEach(restoreLocalOperators);

async function erase(shop: Shop): Promise<any> {
  const answer = await shop.send("/api/v1/payers/erase", { body: PAYER });
  expect(answer.status, answer.text).toBe(200);
  await waitUntilDrained(shop.company);
  return answer.body.data;
}

/** Lets the events so far leave D1. */
async function archive({ company }: Shop): Promise<void> {
  await waitUntilDrained(company);
  await ageRows(company);
  await runRowArchive(company);
}

/** All that D1 and the archive have of a company's events. */
async function eventTexts({ company }: Shop): Promise<string> {
  const rows = await runInD1<{ body: string }>(
    "SELECT body FROM events WHERE company_id = ?",
    company.id,
  );
  return `${rows.map(({ body }) => body).join("\n")}${await archivedText(company)}`;
}

it("an ended subscription's events in the archive lose the merchant's text", async () => {
  const shop = await openShop();
  const { id } = await givenSubscription(shop, METADATA);
  await play(shop, id, "reject");
  await archive(shop);
  expect(await archivedText(shop.company)).toContain(METADATA.metadata);
  const subscriptions = { erased: 1, open: 0 };
  expect(await erase(shop)).toMatchObject({ subscriptions, status: "done" });
  expect(await eventTexts(shop)).not.toContain(METADATA.metadata);
});

it("an ended subscription's events in the archive lose what banks had said of its payer", async () => {
  const shop = await openShop();
  const { id } = await givenFailing(shop, {});
  await liveUntilNoon(shop, "2026-12-12");
  await play(shop, id, "payer-cancel");
  await waitUntilDrained(shop.company);
  const said = "Maria gastou tudo";
  await runInD1(
    `UPDATE events SET body = json_set(body, '$.data.mandate.providerCode', ?1,
       '$.data.charge.attempts[0].code', 'UNKNOWN', '$.data.charge.attempts[0].message', ?1,
       '$.data.charge.attempts[0].providerCode', ?1, '$.data.charge.end', json_object('providerCode', ?1))
     WHERE company_id = ?2 AND type = 'subscription.charge_failed'`,
    said,
    shop.company.id,
  );
  await archive(shop);
  expect(await archivedText(shop.company)).toContain(said);
  await erase(shop);
  const texts = await eventTexts(shop);
  expect(texts).toContain("subscription.charge_failed");
  expect(texts).not.toContain(said);
});

it("an erasure gives no archived event a text that it had not", async () => {
  const shop = await openShop();
  const { id } = await givenSubscription(shop);
  await play(shop, id, "reject");
  await waitUntilDrained(shop.company);
  const ofCompany = "WHERE company_id = ? AND type = 'subscription.created'";
  await runInD1(
    `UPDATE events SET body = json_remove(body, '$.data.metadata') ${ofCompany}`,
    shop.company.id,
  );
  await archive(shop);
  expect(await erase(shop)).toMatchObject({ subscriptions: { erased: 1, open: 0 } });

  const lines = (await archivedText(shop.company)).split("\n").filter((line) => line.includes(id));
  const ofType = (type: string) => lines.filter((line) => line.includes(type));
  expect(ofType("subscription.created")).not.toEqual([]);
  expect(ofType("subscription.created").filter((line) => line.includes("metadata"))).toEqual([]);
  expect(ofType("subscription.rejected").filter((line) => line.includes("metadata"))).not.toEqual(
    [],
  );
});

it("events that age between the request and the subscription's end keep nothing of the merchant's text", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop, METADATA);
  expect(await erase(shop)).toMatchObject({ subscriptions: { erased: 0, open: 1 } });
  await archive(shop);
  await shop.send(`${SUBSCRIPTIONS}/${id}/cancel`);
  await waitUntilDrained(shop.company);
  expect(await eventTexts(shop)).not.toContain(METADATA.metadata);
  await runRowArchive(shop.company, undefined, Date.now() + YEAR_MS);
  expect(await archivedText(shop.company)).toContain("subscription.approved");
});

it("charges that are made after the request are erased with the subscription's end", async () => {
  const world = await givenLiveWorld();
  const { company, deps, clock } = world;
  const { id } = await givenDebit(world, { period: "WEEKLY" });
  expect((await send(world, "/api/v1/payers/erase", PAYER)).status).toBe(200);
  await liveUntil(world, "2026-12-10T12:00:00");
  await liveUntil(world, "2026-12-13T12:00:00");
  await liveUntil(world, "2026-12-17T12:00:00");
  await liveUntil(world, "2026-12-18T12:00:00");
  await send(world, `${SUBSCRIPTIONS}/${id}/cancel`, {});
  for (let hours = 0; hours < 48; hours += 12) {
    await liveUntil(world, new Date(clock.now() + 9 * 3_600_000).toISOString().slice(0, 19));
    await deliverCallbacks(world);
    await erasePayers(world.env, deps, SINGLE_STEP);
  }
  const sql = "SELECT payer, lead_key FROM transactions WHERE company_id = ?";
  const rows = await runInD1<{ payer: string; lead_key: string | null }>(sql, company.id);
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.map(({ payer, lead_key: key }) => [JSON.parse(payer).name, key])).toEqual(
    rows.map(() => ["", null]),
  );
});

it("a late notice brings no town back", async () => {
  const world = await givenLiveWorld();
  const { psp, company } = world;
  const { id } = await givenDebit(world);
  await send(world, `${SUBSCRIPTIONS}/${id}/cancel`, {});
  await send(world, "/api/v1/payers/erase", PAYER);
  await liveUntil(world, "2026-12-06T12:00:00");
  await send(world, "/api/v1/payers/erase", PAYER);
  const customer = async () => (await send(world, `${SUBSCRIPTIONS}/${id}`)).body.data.customer;
  expect(await customer()).toMatchObject({ name: "", city: null });
  psp.callbacks.push({ recs: [{ idRec: mandateOf(world), status: "CANCELADA" }] });
  await deliverCallbacks(world);
  await waitUntilDrained(company);
  expect(await customer()).toMatchObject({ name: "", city: null });
});
