import { describe, expect, it } from "vitest";
import { STORED_CALLBACKS } from "../../../../src/domain/storage/stored-callbacks.ts";
import { EVIDENCE_MS, sweepCallbacks } from "../../../../src/api/provider-callbacks/tasks.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { env, type TestCompany } from "../../../support/builders/companies/company.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  postCallback,
  deliverCallbacks,
  givenPsp,
  reconcile,
  type PspSetup,
} from "../../../support/builders/providers/psp.ts";
import { storedCallbacks } from "../../../support/probes/providers/callbacks.ts";
import { receivePayment, completePayout } from "../../../support/builders/providers/psp-money.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A live company with 100.00 from a PIX, after all callbacks were delivered. */
const givenPaid = async () => receivePayment(await givenPsp());
/** The same company with a paid withdraw of 40.00. */
const givenPaidOut = async () => completePayout(await givenPaid());

function broken(): never {
  throw new Error("a bug");
}

/** Advances the clock and runs the callback sweep of that minute. */
async function sweepAfter(world: PspSetup, ms: number): Promise<void> {
  world.clock.advance(ms);
  await sweepCallbacks(world.env, world.deps);
}

async function findingsOf(company: TestCompany): Promise<any[]> {
  const { results } = await env.DB.prepare(
    "SELECT kind, object, amount, said, status FROM contradictions WHERE company_id = ? ORDER BY number",
  )
    .bind(company.id)
    .all();
  return results;
}

describe("a callback is kept until the PSP's own response confirms it", () => {
  it("when it reports a MED", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId } = world;
    psp.freezeViews();
    psp.requestReturn(paymentId, "med1", "100.00");
    await deliverCallbacks(world);
    expect(await storedCallbacks(company)).toMatchObject([{ attempts: 0 }]);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
    expect(await storedCallbacks(company)).toMatchObject([{ attempts: 1 }]);

    psp.refreshViews();
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 10_000 });
    expect(await storedCallbacks(company)).toEqual([]);
  });

  it("when it reports the end of a MED", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId } = world;
    psp.requestReturn(paymentId, "med1", "100.00");
    await deliverCallbacks(world);
    psp.freezeViews();
    psp.resolveDispute(paymentId, "med1", "won");
    await deliverCallbacks(world);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ blocked: 10_000 });

    psp.refreshViews();
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000, blocked: 0 });
    expect(await storedCallbacks(company)).toEqual([]);
  });

  it("when it reports a returned payout", async () => {
    const world = await givenPaidOut();
    const { company, psp, idEnvio } = world;
    psp.freezeViews();
    psp.returnPayout(idEnvio, "40.00");
    await deliverCallbacks(world);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 6_000 });
    expect(await storedCallbacks(company)).toHaveLength(1);

    psp.refreshViews();
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
    expect(await storedCallbacks(company)).toEqual([]);
  });

  it("when it reports an unknown payment", async () => {
    const world = await givenPsp();
    const { company, psp } = world;
    const paymentId = psp.payKey("7.00");
    psp.book.views.hide(paymentId, "look_up");
    await deliverCallbacks(world);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).not.toMatchObject({ suspense: 700 });

    psp.book.views.reveal(paymentId);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
    expect(await storedCallbacks(company)).toEqual([]);
  });
});

it("a callback about an unknown payout is shown to operators once the PSP confirms it", async () => {
  const world = await givenPaid();
  const { company, psp, configured } = world;
  const envio = Object.assign(psp.book.addEnvio("30.00"), { idEnvio: "folha2026" });
  const { endToEndId, chave } = envio;
  psp.book.envios.set("folha2026", envio);
  psp.book.envios.delete(endToEndId);
  const payout = { endToEndId, chave, status: "REALIZADO", valor: "30000.00" };
  const body = JSON.stringify({ pix: [{ ...payout, gnExtras: { idEnvio: "folha2026" } }] });
  psp.book.views.hide("folha2026", "look_up");
  await postCallback(world, configured.callbackUrl, body);
  expect(await storedCallbacks(company)).toMatchObject([{ object_id: "payout:folha2026" }]);
  expect(await findingsOf(company)).toEqual([]);

  psp.book.views.reveal("folha2026");
  await sweepAfter(world, 2 * MINUTE_MS);
  expect(await storedCallbacks(company)).toEqual([]);
  const shown = [{ kind: "payout_unknown", object: "payout:folha2026", amount: 3_000 }];
  expect(await findingsOf(company)).toMatchObject(shown);
  await reconcile(world);
  expect(await findingsOf(company)).toMatchObject(shown);
});

describe("a callback that the PSP's own response contradicts", () => {
  it("is booked when the response was only outdated", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId, configured } = world;
    psp.requestReturn(paymentId, "med1", "100.00");
    psp.resolveDispute(paymentId, "med1", "won");
    await deliverCallbacks(world);
    psp.freezeViews();
    psp.resolveDispute(paymentId, "med1", "lost");
    await postCallback(
      world,
      configured.callbackUrl,
      JSON.stringify({ pix: [psp.book.pix(paymentId)] }),
    );
    await sweepAfter(world, 2 * HOUR_MS);
    expect(await storedCallbacks(company)).not.toEqual([]);

    psp.refreshViews();
    await sweepAfter(world, 5 * HOUR_MS);
    expect(await storedCallbacks(company)).toEqual([]);
    expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  });

  it("is closed after a day and shown to operators", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId, configured } = world;
    psp.requestReturn(paymentId, "med1", "100.00");
    psp.resolveDispute(paymentId, "med1", "won");
    await deliverCallbacks(world);
    const pix = structuredClone(psp.book.pix(paymentId)!);
    pix.devolucoes[0].status = "DEVOLVIDO";
    await postCallback(world, configured.callbackUrl, JSON.stringify({ pix: [pix] }));
    await sweepAfter(world, 2 * HOUR_MS);
    expect(await findingsOf(company)).toEqual([]);
    await sweepAfter(world, DAY_MS);
    expect(await storedCallbacks(company)).toEqual([]);
    expect(await findingsOf(company)).toMatchObject([{ kind: "record_unreadable" }]);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
  });
});

it("a callback is shown to operators after ninety days of failing refreshes", async () => {
  const world = await givenPsp();
  const { company, configured, deps } = world;
  await postCallback(world, configured.callbackUrl, '{"pix":[{"endToEndId":"Enever"}]}');
  world.clock.advance(EVIDENCE_MS + DAY_MS);
  await sweepCallbacks(world.env, { ...deps, providers: broken });
  expect(await storedCallbacks(company)).toEqual([]);
  expect(await findingsOf(company)).toMatchObject([{ object: "payment:Enever", status: "open" }]);
});

it("a callback is polled with growing waits and shown to operators after ninety days", async () => {
  const world = await givenPsp();
  const { company, psp, configured, clock } = world;
  await postCallback(world, configured.callbackUrl, '{"pix":[{"endToEndId":"Enever"}]}');
  const begunAt = clock.now();
  const polledAfterMs: number[] = [];
  while (clock.now() - begunAt < EVIDENCE_MS) {
    const before = psp.requests.length;
    await sweepAfter(world, 6 * HOUR_MS);
    if (psp.requests.length > before) polledAfterMs.push(clock.now() - begunAt);
  }
  expect(polledAfterMs.length).toBeGreaterThan(8);
  expect(polledAfterMs.length).toBeLessThan(40);
  expect(await storedCallbacks(company)).toHaveLength(1);
  await sweepAfter(world, 5 * DAY_MS);
  expect(await storedCallbacks(company)).toEqual([]);
  expect(await findingsOf(company)).toMatchObject([
    { kind: "record_unreadable", object: "payment:Enever", status: "open" },
  ]);
});

it("a callback that is unparseable is shown to operators once, at once", async () => {
  const world = await givenPsp();
  const { company, configured } = world;
  const body = '{"pix":[{"surprise":"2026"}]}';
  for (let times = 0; times < 2; times++) {
    expect((await postCallback(world, configured.callbackUrl, body)).status).toBe(200);
    await sweepAfter(world, 2 * MINUTE_MS);
  }
  expect(await findingsOf(company)).toMatchObject([{ kind: "record_unreadable", status: "open" }]);
  expect((await findingsOf(company))[0].said).toContain("surprise");
  await sweepAfter(world, EVIDENCE_MS);
  expect(await storedCallbacks(company)).toEqual([]);
  expect(await findingsOf(company)).toHaveLength(1);
});

it("a callback that has a single payment without a list is parsed as a list of one", async () => {
  const world = await givenPsp();
  const { company, psp, configured } = world;
  const paymentId = psp.payKey("7.00");
  psp.callbacks.length = 0;
  const body = JSON.stringify({ pix: { endToEndId: paymentId } });
  expect((await postCallback(world, configured.callbackUrl, body)).status).toBe(200);
  expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
});

it("a callback is rejected when the company's limit is reached, and stored callbacks stay", async () => {
  const world = await givenPsp();
  const { company, psp, configured } = world;
  await env.DB.prepare(
    `INSERT INTO callbacks (id, company_id, object_id, due_at, attempts)
     SELECT 'full-' || ?1 || '-' || value, ?1, 'payment:E' || value, 9e15, 0
     FROM json_each(?2)`,
  )
    .bind(
      company.id,
      JSON.stringify(Array.from({ length: STORED_CALLBACKS.account - 1 }, (_, index) => index)),
    )
    .run();
  psp.faultAlways("unavailable", /^GET/);
  const two = '{"pix":[{"endToEndId":"Eone"},{"endToEndId":"Etwo"}]}';
  const { pathname } = new URL(configured.callbackUrl);
  const refused = await call(pathname, { ...world.options, method: "POST", rawBody: two });
  expect(refused).toMatchObject({ status: 503, body: { code: "STORAGE_UNAVAILABLE" } });
  const kept = await storedCallbacks(company);
  expect(kept).toHaveLength(STORED_CALLBACKS.account);
  expect(kept.map(({ object_id }) => object_id)).toContain("payment:Eone");

  const again = '{"pix":[{"endToEndId":"Eone"}]}';
  expect((await postCallback(world, configured.callbackUrl, again)).status).toBe(200);
  psp.clearFaults();
  psp.payKey("3.00");
  expect(await deliverCallbacks(world)).toEqual([200]);
  expect(await accountsOf(company)).toMatchObject({ suspense: 300 });
  await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(company.id).run();
});

it("a callback that is unparseable does not use up the limit of parseable callbacks", async () => {
  const world = await givenPsp();
  const { company, configured } = world;
  await env.DB.prepare(
    `INSERT INTO callbacks (id, company_id, object_id, due_at, attempts, told, told_at)
     SELECT 'unread-' || ?1 || '-' || value, ?1, 'record:' || value, 9e15, 0,
       '{"kind":"unreadable"}', 0
     FROM json_each(?2)`,
  )
    .bind(
      company.id,
      JSON.stringify(Array.from({ length: STORED_CALLBACKS.unreadable }, (_, i) => i)),
    )
    .run();
  const body = '{"pix":[{"surprise":"2027"},{"endToEndId":"Eone"}]}';
  const { pathname } = new URL(configured.callbackUrl);
  const refused = await call(pathname, { ...world.options, method: "POST", rawBody: body });
  expect(refused).toMatchObject({ status: 503, body: { code: "STORAGE_UNAVAILABLE" } });
  const kept = await storedCallbacks(company);
  expect(kept).toHaveLength(STORED_CALLBACKS.unreadable + 1);
  expect(kept.map(({ object_id }) => object_id)).toContain("payment:Eone");
  await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(company.id).run();
});

it("a company with a long callback backlog does not delay other companies", async () => {
  const busy = await givenPsp();
  const world = await givenPsp();
  const { company, psp, clock } = world;
  await env.DB.prepare(
    `INSERT INTO callbacks (id, company_id, object_id, due_at, attempts)
     SELECT 'busy-' || ?1 || '-' || value, ?1, 'record:' || value, 0, 0 FROM json_each(?2)`,
  )
    .bind(busy.company.id, JSON.stringify(Array.from({ length: 700 }, (_, index) => index)))
    .run();
  psp.payKey("5.00");
  psp.faultOnce("unavailable", /^GET/);
  await deliverCallbacks(world);
  clock.advance(2 * MINUTE_MS);
  for (let minute = 0; minute < 2; minute++) await sweepAfter(world, MINUTE_MS);
  expect(await accountsOf(company)).toMatchObject({ suspense: 500 });
  const swept = "SELECT count(*) AS n FROM callbacks WHERE company_id = ? AND attempts > 0";
  expect(await env.DB.prepare(swept).bind(busy.company.id).first("n")).toBe(50);
  await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(busy.company.id).run();
});
