import { describe, expect, it, vi } from "vitest";
import { call } from "../../../support/builders/api.ts";
import { env, type TestCompany } from "../../../support/builders/company.ts";
import { withDatabase } from "../../../support/probes/database.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import {
  configure,
  deliverCallbacks,
  givenPsp,
  pixApiRequest,
  reconcile,
  reconcileDue,
  type PspWorld,
} from "../../../support/fakes/psp.ts";
import { payIn, payOut } from "../../../support/fakes/psp-money.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A live company with 100.00 from a PIX; its passes are made. */
async function givenPaid() {
  const world = await givenPsp();
  await reconcileDue(world);
  return payIn(world);
}

const givenPaidOut = async () => payOut(await givenPaid());

/** The cron's run at every step of a time. */
async function live(world: PspWorld, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    world.clock.advance(stepMs);
    await reconcileDue(world);
  }
}

/** As if the cron had run each minute so far: what is new was read. */
async function newestIsRead({ company, clock }: PspWorld): Promise<void> {
  await env.DB.prepare(
    `UPDATE reconciliation_passes SET read_until = ?1 - 60000, finished_at = ?1
     WHERE company_id = ?2 AND pass = 'newest'`,
  )
    .bind(clock.now(), company.id)
    .run();
}

const lose = ({ psp }: PspWorld) => void (psp.callbacks.length = 0);

async function findingsOf(company: TestCompany): Promise<any[]> {
  const { results } = await env.DB.prepare(
    "SELECT kind, object, amount, held, said FROM contradictions WHERE company_id = ? ORDER BY number",
  )
    .bind(company.id)
    .all();
  return results;
}

/** How many passes each of a company's accounts has. */
async function passesOf({ id }: TestCompany): Promise<number[]> {
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS passes FROM reconciliation_passes WHERE company_id = ? GROUP BY account",
  )
    .bind(id)
    .all<{ passes: number }>();
  return results.map(({ passes }) => passes);
}

/** The same world, counting D1's queries and calls of the object. */
function counted(world: PspWorld) {
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
  const heard = { ...world, env: { ...world.env, DB, COMPANY_ACCOUNT: counting } };
  return { world: heard, queries, objects: () => objects };
}

describe("a MED whose callback was lost is found", () => {
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
    lose(world);
    const toldAt = clock.now();
    while ((await accountsOf(company))["blocked"] !== 10_000) {
      clock.advance(within / 10);
      await newestIsRead(world);
      await reconcileDue(world);
      expect(clock.now() - toldAt).toBeLessThanOrEqual(within);
    }
    expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 10_000 });
  });

  it("and so is its end", async () => {
    const world = await givenPaid();
    const { company, psp, paymentId } = world;
    await live(world, 5 * HOUR_MS, HOUR_MS);
    const id = psp.dispute(paymentId);
    await deliverCallbacks(world);
    psp.endDispute(paymentId, id, "won");
    lose(world);
    await live(world, 70 * MINUTE_MS, 10 * MINUTE_MS);
    expect(await accountsOf(company)).toMatchObject({ available: 10_000, blocked: 0 });
  });
});

it("a payout that came back, whose callback was lost, is found within the day and credited once", async () => {
  const world = await givenPaidOut();
  const { company, psp, idEnvio } = world;
  await live(world, 2 * DAY_MS, DAY_MS / 4);
  psp.returnPayout(idEnvio, "40.00");
  lose(world);
  await live(world, DAY_MS + HOUR_MS, DAY_MS / 4);
  expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
  await live(world, 2 * DAY_MS, DAY_MS / 4);
  expect(await accountsOf(company)).toMatchObject({ available: 10_000 });
});

it("a page of payouts that is older than a return which was booked contradicts nothing", async () => {
  const world = await givenPaidOut();
  const { company, psp, idEnvio, clock, deps, env: environment } = world;
  psp.returnPayout(idEnvio, "10.00");
  await deliverCallbacks(world);
  clock.advance(5 * MINUTE_MS);
  const registry = deps.providers(environment);
  /** The page was made before the return, and is read after it was booked. */
  const providers = () => ({
    ...registry,
    ofAccount: async (...asked: Parameters<typeof registry.ofAccount>) => {
      const provider = (await registry.ofAccount(...asked))!;
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

it("a payout by the bank's app is shown to operators, once", async () => {
  const world = await givenPaid();
  const { company, psp } = world;
  psp.payOutByOthers("30.00");
  await live(world, 2 * HOUR_MS, 10 * MINUTE_MS);
  expect(await findingsOf(company)).toMatchObject([
    { kind: "payout_unknown", amount: 3_000, held: 0 },
  ]);
});

it("a charge that the bank's app removed ends here too", async () => {
  const world = await givenPsp();
  const { company, psp, options } = world;
  const { id } = await givenTransaction(company, {}, options);
  psp.book.patchCob("cob", id.replaceAll("-", ""), { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" });
  await reconcileDue(world);
  await live(world, 16 * MINUTE_MS, 8 * MINUTE_MS);
  const path = `/api/Transaction/transactionByTransactionId/${id}`;
  expect((await call(path, { company })).body.enStatusTransaction).toBe("Cancelled");
});

describe("a record that cannot be read", () => {
  it("stops no other one and no window, and is shown to operators once", async () => {
    const world = await givenPsp();
    const { company, psp, clock } = world;
    const unread = psp.payKey("1.00");
    psp.payKey("2.00");
    psp.book.shown.unreadable(unread);
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

    psp.book.shown.readable(unread);
    await live(world, 2 * HOUR_MS, HOUR_MS);
    expect(await accountsOf(company)).toMatchObject({ suspense: 300 });
    expect(await unreadable()).toHaveLength(1);
  });

  it("is shown once wherever it is met, also as a part of an answer about one payment", async () => {
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

  it("in its list is read by its own id where that can be", async () => {
    const world = await givenPsp();
    const { company, psp, clock } = world;
    const id = psp.payKey("1.00");
    psp.book.shown.unreadable(id);
    const getPix = psp.book.getPix.bind(psp.book);
    psp.book.getPix = (asked) => {
      psp.book.shown.readable(id);
      const said = getPix(asked);
      psp.book.shown.unreadable(id);
      return said;
    };
    clock.advance(2 * MINUTE_MS);
    await reconcile(world);
    expect(await accountsOf(company)).toMatchObject({ suspense: 100 });
  });
});

it("a page where nothing is new costs two queries of D1 and no call of the object", async () => {
  const world = await givenPaidOut();
  const { psp, paymentId, clock, company, options } = world;
  psp.dispute(paymentId, "10.00");
  psp.payKey("5.00");
  psp.payOutByOthers("30.00");
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
  const { world: heard, queries, objects } = counted(world);
  psp.asked.length = 0;
  await reconcile(heard);
  expect(psp.asked).toEqual(["GET /pix", "GET /cob", "GET /cobv", "GET /v2/gn/pix/enviados"]);
  expect(objects()).toBe(0);
  const ofPages = queries.filter((sql) => /listed_records|"transactions"|"withdraws"/.test(sql));
  // Of the three lists that have something.
  expect(ofPages).toHaveLength(3 * 2);
});

/** A company whose PIX came to an account that it has left since. */
async function givenLeft() {
  const world = await givenPaid();
  const { configured, company } = world;
  const other = pixApiRequest({ pixKey: configured.pixKey, clientId: "another" });
  expect((await configure(company, other, world)).status).toBe(200);
  return world;
}

it("an account that was left is read as well, for a hundred days", async () => {
  const world = await givenLeft();
  const { company, psp, paymentId } = world;
  await reconcile(world);
  expect(await passesOf(company)).toEqual([16, 16]);
  await live(world, 3 * HOUR_MS, HOUR_MS);
  psp.dispute(paymentId);
  lose(world);
  await live(world, 2 * HOUR_MS, HOUR_MS / 2);
  expect(await accountsOf(company)).toMatchObject({ blocked: 10_000 });
  await live(world, 101 * DAY_MS, 101 * DAY_MS);
  expect(await passesOf(company)).toEqual([16]);
});

it("after a week's outage everything is found, and what is late is said", async () => {
  const world = await givenPaid();
  const { company, psp, clock } = world;
  clock.advance(2 * DAY_MS);
  psp.payKey("7.00");
  lose(world);
  clock.advance(5 * DAY_MS);
  const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const behind = () => JSON.stringify(lines.mock.calls).includes("reconcile_behind");
  await reconcileDue(world);
  expect(behind()).toBe(true);
  for (let minute = 0; minute < 15; minute++) {
    clock.advance(MINUTE_MS);
    await reconcileDue(world);
  }
  lines.mockClear();
  await live(world, HOUR_MS, 10 * MINUTE_MS);
  expect(behind()).toBe(false);
  lines.mockRestore();
  expect(await accountsOf(company)).toMatchObject({ available: 10_000, suspense: 700 });
});

it("a minute's pages of an account are bounded, and new ones come before old ones", async () => {
  const world = await givenPaid();
  const { psp, clock } = world;
  clock.advance(60 * DAY_MS);
  psp.asked.length = 0;
  for (let minute = 0; minute < 3; minute++) {
    const before = psp.asked.length;
    await reconcileDue(world);
    clock.advance(MINUTE_MS);
    expect(psp.asked.length - before).toBeLessThanOrEqual(101);
  }
  const { results } = await env.DB.prepare(
    "SELECT DISTINCT pass FROM reconciliation_passes WHERE company_id = ? AND finished_at > ?",
  )
    .bind(world.company.id, clock.now() - HOUR_MS)
    .all<{ pass: string }>();
  expect(results).toEqual([]);
});
