import { describe, expect, it } from "vitest";
import { KEPT_MAX, KEPT_UNREADABLE_MAX } from "../../../../src/db/reconciliation/callbacks.ts";
import { EVIDENCE_MS, sweepCallbacks } from "../../../../src/api/provider-callbacks/sweep.ts";
import { call } from "../../../support/builders/api.ts";
import { env, type TestCompany } from "../../../support/builders/company.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import {
  callBack,
  deliverCallbacks,
  givenPsp,
  keptCallbacks,
  reconcile,
} from "../../../support/fakes/psp.ts";
import type { PspWorld } from "../../../support/fakes/psp.ts";
import { payIn, payOut } from "../../../support/fakes/psp-money.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A live company with 100.00 from a PIX, and all callbacks of so far delivered. */
const givenPaid = async () => payIn(await givenPsp());
/** The same with a withdraw of 40.00 that was paid. */
const givenPaidOut = async () => payOut(await givenPaid());

function broken(): never {
  throw new Error("a bug");
}

/** Lets the minute's sweep of callbacks run after a while. */
async function sweepAfter(world: PspWorld, ms: number): Promise<void> {
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

describe("a callback whose words the PSP's own answer does not have yet is kept until it has", () => {
  it("where it tells of a MED", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId } = world;
    psp.lag();
    psp.askBack(paymentId, "med1", "100.00");
    await deliverCallbacks(world);
    expect(await keptCallbacks(company)).toMatchObject([{ attempts: 0 }]);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
    expect(await keptCallbacks(company)).toMatchObject([{ attempts: 1 }]);

    psp.catchUp();
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 10_000 });
    expect(await keptCallbacks(company)).toEqual([]);
  });

  it("where it tells of the end of a MED", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId } = world;
    psp.askBack(paymentId, "med1", "100.00");
    await deliverCallbacks(world);
    psp.lag();
    psp.endDispute(paymentId, "med1", "won");
    await deliverCallbacks(world);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ blocked: 10_000 });

    psp.catchUp();
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000, blocked: 0 });
    expect(await keptCallbacks(company)).toEqual([]);
  });

  it("where it tells that a payout came back", async () => {
    const world = await givenPaidOut();
    const { company, psp, idEnvio } = world;
    psp.lag();
    psp.returnPayout(idEnvio, "40.00");
    await deliverCallbacks(world);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 6_000 });
    expect(await keptCallbacks(company)).toHaveLength(1);

    psp.catchUp();
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
    expect(await keptCallbacks(company)).toEqual([]);
  });

  it("where it tells of a payment that is not even known", async () => {
    const world = await givenPsp();
    const { company, psp } = world;
    const paymentId = psp.payKey("7.00");
    psp.book.shown.hide(paymentId, "look_up");
    await deliverCallbacks(world);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).not.toMatchObject({ suspense: 700 });

    psp.book.shown.reveal(paymentId);
    await sweepAfter(world, 2 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
    expect(await keptCallbacks(company)).toEqual([]);
  });
});

it("a callback of a payout that is none of ours is shown to operators once the PSP says it too", async () => {
  const world = await givenPaid();
  const { company, psp, configured } = world;
  const envio = Object.assign(psp.book.addEnvio("30.00"), { idEnvio: "folha2026" });
  const { endToEndId, chave } = envio;
  psp.book.envios.set("folha2026", envio);
  psp.book.envios.delete(endToEndId);
  const said = { endToEndId, chave, status: "REALIZADO", valor: "30000.00" };
  const body = JSON.stringify({ pix: [{ ...said, gnExtras: { idEnvio: "folha2026" } }] });
  psp.book.shown.hide("folha2026", "look_up");
  await callBack(world, configured.callbackUrl, body);
  expect(await keptCallbacks(company)).toMatchObject([{ object_id: "payout:folha2026" }]);
  expect(await findingsOf(company)).toEqual([]);

  psp.book.shown.reveal("folha2026");
  await sweepAfter(world, 2 * MINUTE_MS);
  expect(await keptCallbacks(company)).toEqual([]);
  const shown = [{ kind: "payout_unknown", object: "payout:folha2026", amount: 3_000 }];
  expect(await findingsOf(company)).toMatchObject(shown);
  await reconcile(world);
  expect(await findingsOf(company)).toMatchObject(shown);
});

describe("a callback of which the PSP's own answer says the opposite", () => {
  it("is booked where that answer only lagged behind", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId, configured } = world;
    psp.askBack(paymentId, "med1", "100.00");
    psp.endDispute(paymentId, "med1", "won");
    await deliverCallbacks(world);
    psp.lag();
    psp.endDispute(paymentId, "med1", "lost");
    await callBack(
      world,
      configured.callbackUrl,
      JSON.stringify({ pix: [psp.book.pix(paymentId)] }),
    );
    await sweepAfter(world, 2 * HOUR_MS);
    expect(await keptCallbacks(company)).not.toEqual([]);

    psp.catchUp();
    await sweepAfter(world, 5 * HOUR_MS);
    expect(await keptCallbacks(company)).toEqual([]);
    expect(await accountsOf(company)).toMatchObject({ available: 0, provider: 0 });
  });

  it("is over after a day, and shown to operators", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId, configured } = world;
    psp.askBack(paymentId, "med1", "100.00");
    psp.endDispute(paymentId, "med1", "won");
    await deliverCallbacks(world);
    const pix = structuredClone(psp.book.pix(paymentId)!);
    pix.devolucoes[0].status = "DEVOLVIDO";
    await callBack(world, configured.callbackUrl, JSON.stringify({ pix: [pix] }));
    await sweepAfter(world, 2 * HOUR_MS);
    expect(await findingsOf(company)).toEqual([]);
    await sweepAfter(world, DAY_MS);
    expect(await keptCallbacks(company)).toEqual([]);
    expect(await findingsOf(company)).toMatchObject([{ kind: "record_unreadable" }]);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
  });
});

it("is shown to operators after ninety days where reading it back fails here each time", async () => {
  const world = await givenPsp();
  const { company, configured, deps } = world;
  await callBack(world, configured.callbackUrl, '{"pix":[{"endToEndId":"Enever"}]}');
  world.clock.advance(EVIDENCE_MS + DAY_MS);
  await sweepCallbacks(world.env, { ...deps, providers: broken });
  expect(await keptCallbacks(company)).toEqual([]);
  expect(await findingsOf(company)).toMatchObject([{ object: "payment:Enever", status: "open" }]);
});

it("is asked about with growing waits, and shown to operators after ninety days", async () => {
  const world = await givenPsp();
  const { company, psp, configured, clock } = world;
  await callBack(world, configured.callbackUrl, '{"pix":[{"endToEndId":"Enever"}]}');
  const begunAt = clock.now();
  const asked: number[] = [];
  while (clock.now() - begunAt < EVIDENCE_MS) {
    const before = psp.asked.length;
    await sweepAfter(world, 6 * HOUR_MS);
    if (psp.asked.length > before) asked.push(clock.now() - begunAt);
  }
  expect(asked.length).toBeGreaterThan(8);
  expect(asked.length).toBeLessThan(40);
  expect(await keptCallbacks(company)).toHaveLength(1);
  await sweepAfter(world, 5 * DAY_MS);
  expect(await keptCallbacks(company)).toEqual([]);
  expect(await findingsOf(company)).toMatchObject([
    { kind: "record_unreadable", object: "payment:Enever", status: "open" },
  ]);
});

it("that cannot be read is shown to operators at once, and once", async () => {
  const world = await givenPsp();
  const { company, configured } = world;
  const body = '{"pix":[{"surprise":"2026"}]}';
  for (let times = 0; times < 2; times++) {
    expect((await callBack(world, configured.callbackUrl, body)).status).toBe(200);
    await sweepAfter(world, 2 * MINUTE_MS);
  }
  expect(await findingsOf(company)).toMatchObject([{ kind: "record_unreadable", status: "open" }]);
  expect((await findingsOf(company))[0].said).toContain("surprise");
  await sweepAfter(world, EVIDENCE_MS);
  expect(await keptCallbacks(company)).toEqual([]);
  expect(await findingsOf(company)).toHaveLength(1);
});

it("that has no list around its one payment is read as one that has", async () => {
  const world = await givenPsp();
  const { company, psp, configured } = world;
  const paymentId = psp.payKey("7.00");
  psp.callbacks.length = 0;
  const body = JSON.stringify({ pix: { endToEndId: paymentId } });
  expect((await callBack(world, configured.callbackUrl, body)).status).toBe(200);
  expect(await accountsOf(company)).toMatchObject({ suspense: 700 });
});

it("is refused where as many of its company are kept as may be, and what is kept stays", async () => {
  const world = await givenPsp();
  const { company, psp, configured } = world;
  await env.DB.prepare(
    `INSERT INTO callbacks (id, company_id, object_id, due_at, attempts)
     SELECT 'full-' || ?1 || '-' || value, ?1, 'payment:E' || value, 9e15, 0
     FROM json_each(?2)`,
  )
    .bind(company.id, JSON.stringify(Array.from({ length: KEPT_MAX - 1 }, (_, index) => index)))
    .run();
  psp.always("unavailable", /^GET/);
  const two = '{"pix":[{"endToEndId":"Eone"},{"endToEndId":"Etwo"}]}';
  const { pathname } = new URL(configured.callbackUrl);
  const refused = await call(pathname, { ...world.options, method: "POST", rawBody: two });
  expect(refused).toMatchObject({ status: 503, body: { code: "STORAGE_UNAVAILABLE" } });
  const kept = await keptCallbacks(company);
  expect(kept).toHaveLength(KEPT_MAX);
  expect(kept.map(({ object_id }) => object_id)).toContain("payment:Eone");

  const again = '{"pix":[{"endToEndId":"Eone"}]}';
  expect((await callBack(world, configured.callbackUrl, again)).status).toBe(200);
  psp.recover();
  psp.payKey("3.00");
  expect(await deliverCallbacks(world)).toEqual([200]);
  expect(await accountsOf(company)).toMatchObject({ suspense: 300 });
  await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(company.id).run();
});

it("that cannot be read leaves its room to what can, however much of it comes", async () => {
  const world = await givenPsp();
  const { company, configured } = world;
  await env.DB.prepare(
    `INSERT INTO callbacks (id, company_id, object_id, due_at, attempts, told, told_at)
     SELECT 'unread-' || ?1 || '-' || value, ?1, 'record:' || value, 9e15, 0,
       '{"kind":"unreadable"}', 0
     FROM json_each(?2)`,
  )
    .bind(company.id, JSON.stringify(Array.from({ length: KEPT_UNREADABLE_MAX }, (_, i) => i)))
    .run();
  const body = '{"pix":[{"surprise":"2027"},{"endToEndId":"Eone"}]}';
  const { pathname } = new URL(configured.callbackUrl);
  const refused = await call(pathname, { ...world.options, method: "POST", rawBody: body });
  expect(refused).toMatchObject({ status: 503, body: { code: "STORAGE_UNAVAILABLE" } });
  const kept = await keptCallbacks(company);
  expect(kept).toHaveLength(KEPT_UNREADABLE_MAX + 1);
  expect(kept.map(({ object_id }) => object_id)).toContain("payment:Eone");
  await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(company.id).run();
});

it("of a company with many keeps nobody else's waiting", async () => {
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
  psp.next("unavailable", /^GET/);
  await deliverCallbacks(world);
  clock.advance(2 * MINUTE_MS);
  for (let minute = 0; minute < 2; minute++) await sweepAfter(world, MINUTE_MS);
  expect(await accountsOf(company)).toMatchObject({ suspense: 500 });
  const swept = "SELECT count(*) AS n FROM callbacks WHERE company_id = ? AND attempts > 0";
  expect(await env.DB.prepare(swept).bind(busy.company.id).first("n")).toBe(50);
  await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(busy.company.id).run();
});
