import { describe, expect, it, vi } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { env, type TestCompany } from "../../../support/builders/companies/company.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  configurePixApi,
  deliverCallbacks,
  givenPsp,
  pixApiRequest,
  reconcile,
  reconcileDue,
  type PspSetup,
} from "../../../support/builders/providers/psp.ts";
import { receivePayment, completePayout } from "../../../support/builders/providers/psp-money.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A live company with 100.00 from a PIX; its passes exist. */
async function givenPaid() {
  const world = await givenPsp();
  await reconcileDue(world);
  return receivePayment(world);
}

const givenPaidOut = async () => completePayout(await givenPaid());

/** Runs the cron at every step of a period. */
async function runCronUntil(world: PspSetup, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    world.clock.advance(stepMs);
    await reconcileDue(world);
  }
}

/** Marks all new entries as read, like a cron that ran every minute. */
async function newestIsRead({ company, clock }: PspSetup): Promise<void> {
  await env.DB.prepare(
    `UPDATE reconciliation_passes SET read_until = ?1 - 60000, finished_at = ?1
     WHERE company_id = ?2 AND pass = 'newest'`,
  )
    .bind(clock.now(), company.id)
    .run();
}

const loseCallbacks = ({ psp }: PspSetup) => void (psp.callbacks.length = 0);

async function findingsOf(company: TestCompany): Promise<any[]> {
  const { results } = await env.DB.prepare(
    "SELECT kind, object, amount, held, said FROM contradictions WHERE company_id = ? ORDER BY number",
  )
    .bind(company.id)
    .all();
  return results;
}

/** The number of passes of each of a company's accounts. */
async function passesOf({ id }: TestCompany): Promise<number[]> {
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS passes FROM reconciliation_passes WHERE company_id = ? GROUP BY account",
  )
    .bind(id)
    .all<{ passes: number }>();
  return results.map(({ passes }) => passes);
}

/** The same world with counters for D1 queries and calls to the object. */
function counted(world: PspSetup) {
  const queries: string[] = [];
  const { DB } = withDatabase({ after: (sql) => void queries.push(sql) });
  const { COMPANY_ACCOUNT } = world.env;
  let objects = 0;
  const counting = new Proxy(COMPANY_ACCOUNT, {
    get: (target, name) => {
      if (name === "get" || name === "getByName") objects += 1;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const countedWorld = { ...world, env: { ...world.env, DB, COMPANY_ACCOUNT: counting } };
  return { world: countedWorld, queries, objects: () => objects };
}

describe("a MED with a lost callback is found", () => {
  it.each([
    ["within the hour where its payment is of the last day", 5 * HOUR_MS, HOUR_MS + 10 * MINUTE_MS],
    ["within the day where its payment is of the last week", 3 * DAY_MS, DAY_MS + HOUR_MS],
    ["within the week where its payment is of the last 90 days", 80 * DAY_MS, 8 * DAY_MS],
  ])("%s", async (_when, age, within) => {
    const world = await givenPaid();
    const { company, psp, paymentId, clock } = world;
    clock.advance(age);
    await newestIsRead(world);
    await reconcileDue(world);
    psp.dispute(paymentId);
    loseCallbacks(world);
    const toldAt = clock.now();
    while ((await accountsOf(company))["blocked"] !== 10_000) {
      clock.advance(within / 10);
      await newestIsRead(world);
      await reconcileDue(world);
      expect(clock.now() - toldAt).toBeLessThanOrEqual(within);
    }
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 10_000 });
  });

  it("and its end is found too", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId } = world;
    await runCronUntil(world, 5 * HOUR_MS, HOUR_MS);
    const id = psp.dispute(paymentId);
    await deliverCallbacks(world);
    psp.resolveDispute(paymentId, id, "won");
    loseCallbacks(world);
    await runCronUntil(world, 70 * MINUTE_MS, 10 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000, blocked: 0 });
  });
});

it("a returned payout with a lost callback is found within the day and credited once", async () => {
  const world = await givenPaidOut();
  const { company, psp, idEnvio } = world;
  await runCronUntil(world, 2 * DAY_MS, DAY_MS / 4);
  psp.returnPayout(idEnvio, "40.00");
  loseCallbacks(world);
  await runCronUntil(world, DAY_MS + HOUR_MS, DAY_MS / 4);
  expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
  await runCronUntil(world, 2 * DAY_MS, DAY_MS / 4);
  expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
});

it("an outdated page of payouts does not contradict a booked return", async () => {
  const world = await givenPaidOut();
  const { company, psp, idEnvio, clock, deps, env: environment } = world;
  psp.returnPayout(idEnvio, "10.00");
  await deliverCallbacks(world);
  clock.advance(5 * MINUTE_MS);
  const registry = deps.providers(environment);
  /** The page was fetched before the return and is processed after it was booked. */
  const providers = () => ({
    ...registry,
    ofAccount: async (...parameters: Parameters<typeof registry.ofAccount>) => {
      const provider = (await registry.ofAccount(...parameters))!;
      const list: typeof provider.list = async (...about) => {
        const page = await provider.list(...about);
        if (about[0] !== "payouts") return page;
        clock.advance(1_000);
        psp.returnPayout(idEnvio, "5.00");
        await deliverCallbacks(world);
        expect(await accountsOf(company)).toMatchObject({ available: 7_500 });
        return page;
      };
      return new Proxy(provider, {
        get: (target, name) => {
          if (name === "list") return list;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  });
  await reconcile(world, { ...deps, providers });
  expect(await findingsOf(company)).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 7_500 });
});

it("a payout made in the bank's app is shown to operators once", async () => {
  const world = await givenPaid();
  const { company, psp } = world;
  psp.payOutExternally("30.00");
  await runCronUntil(world, 2 * HOUR_MS, 10 * MINUTE_MS);
  expect(await findingsOf(company)).toMatchObject([
    { kind: "payout_unknown", amount: 3_000, held: 0 },
  ]);
});

it("a charge that was removed in the bank's app ends in Centavo too", async () => {
  const world = await givenPsp();
  const { company, psp, options } = world;
  const { id } = await givenTransaction(company, {}, options);
  psp.book.patchCob("cob", id.replaceAll("-", ""), { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" });
  await reconcileDue(world);
  await runCronUntil(world, 16 * MINUTE_MS, 8 * MINUTE_MS);
  const path = `/api/Transaction/transactionByTransactionId/${id}`;
  expect((await call(path, { company })).body.enStatusTransaction).toBe("Cancelled");
});

describe("an unparseable record", () => {
  it.each([
    ["without its offset", null],
    ["of the year 9999", "9999-12-31T23:59:59Z"],
    ["of the year 1", "0001-01-01T00:00:00Z"],
  ])("%s does not block others, and is shown once and booked later", async (_time, horario) => {
    const world = await givenPsp();
    const { company, psp, clock } = world;
    const unread = psp.payKey("1.00");
    psp.payKey("2.00");
    psp.book.views.makeUnreadable(unread, horario);
    clock.advance(2 * MINUTE_MS);
    for (let times = 0; times < 3; times++) {
      clock.advance(5 * MINUTE_MS);
      await reconcile(world);
    }
    expect(await accountsOf(company)).toMatchObject({ suspense: 200 });
    const unreadable = async () =>
      (await findingsOf(company)).filter(({ kind }) => kind === "record_unreadable");
    const findings = await unreadable();
    expect(findings).toMatchObject([{ amount: 0 }]);
    expect(findings[0].object).toMatch(/^record:[0-9a-f]{64}$/);
    expect(findings[0].said).toContain(unread);

    psp.book.views.makeReadable(unread);
    await runCronUntil(world, 2 * HOUR_MS, HOUR_MS);
    expect(await accountsOf(company)).toMatchObject({ suspense: 300 });
    expect(await unreadable()).toHaveLength(1);
  });

  it("is shown once, also when it is part of a payment's response", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId, clock } = world;
    psp.dispute(paymentId, "10.00");
    psp.book.pix(paymentId)!.devolucoes.push({ id: "med9", valor: "5,00", status: "?" } as any);
    await deliverCallbacks(world);
    const findings = await findingsOf(company);
    expect(findings).toMatchObject([{ kind: "record_unreadable" }]);
    expect(findings[0].said).toContain("5,00");
    expect(await accountsOf(company)).toMatchObject({ blocked: 1_000 });

    clock.advance(2 * MINUTE_MS);
    await reconcile(world);
    expect(await findingsOf(company)).toHaveLength(1);
  });

  it("is read by its own id when the API allows it", async () => {
    const world = await givenPsp();
    const { company, psp, clock } = world;
    const id = psp.payKey("1.00");
    psp.book.views.makeUnreadable(id);
    const getPix = psp.book.getPix.bind(psp.book);
    psp.book.getPix = (query) => {
      psp.book.views.makeReadable(id);
      const response = getPix(query);
      psp.book.views.makeUnreadable(id);
      return response;
    };
    clock.advance(2 * MINUTE_MS);
    await reconcile(world);
    expect(await accountsOf(company)).toMatchObject({ suspense: 100 });
  });
});

it("a page without new entries costs two D1 queries and one call to the object", async () => {
  const world = await givenPaidOut();
  const { psp, paymentId, clock, company, options } = world;
  psp.dispute(paymentId, "10.00");
  psp.payKey("5.00");
  psp.payOutExternally("30.00");
  const removed = await givenTransaction(company, {}, options);
  psp.book.patchCob("cob", removed.id.replaceAll("-", ""), {
    status: "REMOVIDA_PELO_USUARIO_RECEBEDOR",
  });
  await deliverCallbacks(world);
  clock.advance(2 * MINUTE_MS);
  for (let times = 0; times < 2; times++) {
    await reconcile(world);
    clock.advance(MINUTE_MS);
  }
  const { world: countedWorld, queries, objects } = counted(world);
  psp.requests.length = 0;
  await reconcile(countedWorld);
  expect(psp.requests).toEqual(["GET /pix", "GET /cob", "GET /cobv", "GET /v2/gn/pix/enviados"]);
  // One for each of the three lists with entries: a restored object is behind D1, whose newer projection shows
  // payments that the object lost. Only the object knows its versions, and it may be restored before any page.
  expect(objects()).toBe(3);
  const ofPages = queries.filter((sql) => /listed_records|"transactions"|"withdraws"/.test(sql));
  // Two queries for each of the three lists with entries.
  expect(ofPages).toHaveLength(3 * 2);
});

/** A company whose PIX was paid to a former account. */
async function givenFormerAccount() {
  const world = await givenPaid();
  const { configured, company } = world;
  const other = pixApiRequest({ pixKey: configured.pixKey, clientId: "another" });
  expect((await configurePixApi(company, other, world)).status).toBe(200);
  return world;
}

it("a former account is read for a hundred days", async () => {
  const world = await givenFormerAccount();
  const { company, psp, paymentId } = world;
  await reconcile(world);
  expect(await passesOf(company)).toEqual([16, 16]);
  await runCronUntil(world, 3 * HOUR_MS, HOUR_MS);
  psp.dispute(paymentId);
  loseCallbacks(world);
  await runCronUntil(world, 2 * HOUR_MS, HOUR_MS / 2);
  expect(await accountsOf(company)).toMatchObject({ blocked: 10_000 });
  await runCronUntil(world, 101 * DAY_MS, 101 * DAY_MS);
  expect(await passesOf(company)).toEqual([16]);
});

it("a pass after an outage of a week finds every entry and reports late ones", async () => {
  const world = await givenPaid();
  const { company, psp, clock } = world;
  clock.advance(2 * DAY_MS);
  psp.payKey("7.00");
  loseCallbacks(world);
  clock.advance(5 * DAY_MS);
  const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const behind = () => JSON.stringify(lines.mock.calls).includes("reconcile_delayed");
  await reconcileDue(world);
  expect(behind()).toBe(true);
  for (let minute = 0; minute < 15; minute++) {
    clock.advance(MINUTE_MS);
    await reconcileDue(world);
  }
  lines.mockClear();
  await runCronUntil(world, HOUR_MS, 10 * MINUTE_MS);
  expect(behind()).toBe(false);
  lines.mockRestore();
  expect(await accountsOf(company)).toMatchObject({ available: 10_000, suspense: 700 });
});

it("the pages per minute of an account are limited, newest first", async () => {
  const world = await givenPaid();
  const { psp, clock } = world;
  clock.advance(60 * DAY_MS);
  psp.requests.length = 0;
  for (let minute = 0; minute < 3; minute++) {
    const before = psp.requests.length;
    await reconcileDue(world);
    clock.advance(MINUTE_MS);
    expect(psp.requests.length - before).toBeLessThanOrEqual(101);
  }
  const { results } = await env.DB.prepare(
    "SELECT DISTINCT pass FROM reconciliation_passes WHERE company_id = ? AND finished_at > ?",
  )
    .bind(world.company.id, clock.now() - HOUR_MS)
    .all<{ pass: string }>();
  expect(results).toEqual([]);
});
