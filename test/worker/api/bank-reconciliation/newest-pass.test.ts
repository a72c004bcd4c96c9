import { expect, it } from "vitest";
import type { ListPage } from "../../../../src/providers/provider.ts";
import type { ProviderRegistry } from "../../../../src/providers/registry.ts";
import { env, type TestCompany } from "../../../support/builders/companies/company.ts";
import { meteredD1 } from "../../../support/probes/database/cost.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import {
  configurePixApi,
  deliverCallbacks,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  reconcile,
  type PspSetup,
} from "../../../support/builders/providers/psp.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const reconciledUntil = async ({ company, options }: PspSetup) =>
  Date.parse((await callAsOperator(pixApiPath(company), options)).body.reconciledUntil);
const credited = async (company: TestCompany) => {
  const { available = 0, suspense = 0 } = await accountsOf(company);
  return { available, suspense };
};

/** A list that ends only if its window is at most ten minutes. */
const withManyPages = async (
  _list: string,
  window: { from: number; to: number },
): Promise<ListPage> => ({
  kind: "known",
  records: [],
  unreadable: [],
  hasMore: window.to - window.from > 10 * MINUTE_MS,
});

/** A paid charge and a payment without a charge; both callbacks are lost. */
async function givenLostCallbacks(world: PspSetup): Promise<string> {
  const charge = await givenTransaction(world.company, { amount: 2_500 }, world.options);
  world.psp.pay(charge.id.replaceAll("-", ""));
  world.psp.payKey("1.00");
  world.psp.callbacks.length = 0;
  return charge.id;
}

it("the newest pass finds payments whose callbacks were lost, in the cron of that minute, and books them once", async () => {
  const world = await givenPsp();
  const { company, clock } = world;
  await givenLostCallbacks(world);
  clock.advance(2 * MINUTE_MS);
  await env.DB.prepare("UPDATE psp_accounts SET list_at = 0 WHERE company_id = ?")
    .bind(company.id)
    .run();
  await runCron(world.deps, world.env, ["reconcile_payments"]);
  expect(await credited(company)).toEqual({ available: 2_500, suspense: 100 });
  expect(await reconciledUntil(world)).toBe(clock.now() - MINUTE_MS);

  for (let minute = 0; minute < 3; minute++) {
    clock.advance(5 * MINUTE_MS);
    await reconcile(world);
  }
  expect(await movementsOf(company)).toHaveLength(2);
});

it("the newest pass makes no PSP call for booked payments and reads few D1 rows", async () => {
  const world = await givenPsp();
  const { psp, clock } = world;
  await givenLostCallbacks(world);
  clock.advance(2 * MINUTE_MS);
  await reconcile(world);
  psp.requests.length = 0;
  const metered = meteredD1((sql) => /transactions/.test(sql));
  await reconcile({ ...world, env: { ...world.env, DB: metered.env.DB } });
  expect(psp.requests).toEqual([]);
  clock.advance(MINUTE_MS);
  await reconcile({ ...world, env: { ...world.env, DB: metered.env.DB } });
  expect(psp.requests).toEqual(["GET /pix", "GET /cob", "GET /cobv", "GET /v2/gn/pix/enviados"]);
  expect(metered.lap().read).toBeLessThanOrEqual(6);
});

it("the newest pass reads all pages of a list", async () => {
  const world = await givenPsp();
  const { company, psp, clock } = world;
  for (let index = 0; index < 101; index++) psp.payKey("0.01");
  clock.advance(2 * MINUTE_MS);
  await reconcile(world);
  expect(psp.requests.filter((request) => request === "GET /pix")).toHaveLength(2);
  expect(await credited(company)).toEqual({ available: 0, suspense: 101 });
});

it("the newest pass does not finish a window while the PSP fails or responds unintelligibly", async () => {
  const world = await givenPsp();
  const { company, psp, clock } = world;
  await givenLostCallbacks(world);
  clock.advance(2 * MINUTE_MS);
  const before = await reconciledUntil(world);
  for (const fault of ["unavailable", "malformed", "not_json", "empty"] as const) {
    psp.faultOnce(fault, /^GET \/pix/);
    await reconcile(world);
    expect(await reconciledUntil(world)).toBe(before);
  }
  expect(await credited(company)).toMatchObject({ suspense: 0 });
  await reconcile(world);
  expect(await reconciledUntil(world)).toBe(clock.now() - MINUTE_MS);
  expect(await credited(company)).toEqual({ available: 2_500, suspense: 100 });
});

it("the newest pass does not advance to the present: entries that are listed late are found", async () => {
  const world = await givenPsp();
  const { company, psp, clock } = world;
  psp.payKey("1.00");
  const [late] = psp.book.received.splice(0);
  clock.advance(10 * MINUTE_MS);
  await reconcile(world);
  psp.book.received.push(late!);
  clock.advance(5 * MINUTE_MS);
  await reconcile(world);
  expect(await credited(company)).toEqual({ available: 0, suspense: 100 });
});

it("the newest pass catches up hour by hour after an outage, within the limits of a minute", async () => {
  const world = await givenPsp();
  const { company, psp, clock } = world;
  clock.advance(2 * HOUR_MS);
  psp.payKey("1.00");
  clock.advance(5 * 24 * HOUR_MS);
  psp.requests.length = 0;
  await reconcile(world);
  expect(await credited(company)).toEqual({ available: 0, suspense: 100 });
  // 100 pages, and who paid the one payment.
  expect(psp.requests.filter((request) => request.startsWith("GET"))).toHaveLength(101);
  expect(await reconciledUntil(world)).toBeLessThan(clock.now() - 12 * HOUR_MS);
  await reconcile(world);
  expect(await reconciledUntil(world)).toBe(clock.now() - MINUTE_MS);
});

it("the newest pass progresses when fifteen minutes hold more than one run reads", async () => {
  const world = await givenPsp();
  const { clock, deps } = world;
  clock.advance(2 * HOUR_MS);
  const registry = deps.providers(world.env);
  const providers = (): ProviderRegistry => ({
    ...registry,
    ofAccount: async (...parameters) =>
      Object.assign((await registry.ofAccount(...parameters))!, {
        list: withManyPages,
        lists: ["payments"],
      }),
  });
  const before = await reconciledUntil(world);
  for (let times = 0; times < 30; times++) await reconcile(world, { ...deps, providers });
  expect((await reconciledUntil(world)) - before).toBeGreaterThan(HOUR_MS / 2);
});

it("the newest pass restarts with a new account and still books payments of the former account", async () => {
  const world = await givenPsp();
  const { company, psp, clock, configured } = world;
  clock.advance(2 * HOUR_MS);
  psp.payKey("1.00");
  clock.advance(10 * MINUTE_MS);
  const other = pixApiRequest({ pixKey: configured.pixKey, clientId: "another account's" });
  const { body } = await configurePixApi(company, other, world);
  expect(Date.parse(body.reconciledUntil)).toBe(clock.now());
  psp.faultOnce("unavailable", /^POST \/oauth/);
  clock.advance(2 * MINUTE_MS);
  await reconcile(world);
  expect(await credited(company)).toEqual({ available: 0, suspense: 100 });
});

it("the newest pass books the entries of an endless list and uses a shorter window the next time", async () => {
  const world = await givenPsp();
  const { company, clock, deps } = world;
  clock.advance(2 * HOUR_MS);
  const windows: number[] = [];
  const endless = async (_list: string, window: { from: number; to: number }, page: number) => {
    if (page === 0) windows.push(window.to - before);
    const payment = { paymentId: "Eendless", method: "PIX", amount: 700, paidAt: before } as const;
    const listPage: ListPage = {
      kind: "known",
      records:
        page === 0
          ? [
              {
                kind: "payment",
                payment: { ...payment, chargeId: null, disputes: [], refunds: [] },
              },
            ]
          : [],
      unreadable: [],
      hasMore: windows.length < 3,
    };
    return listPage;
  };
  const registry = deps.providers(world.env);
  const providers = (): ProviderRegistry => ({
    ...registry,
    ofAccount: async (...parameters) =>
      Object.assign((await registry.ofAccount(...parameters))!, {
        list: endless,
        lists: ["payments"],
      }),
  });
  const before = await reconciledUntil(world);
  const listed: number[] = [];
  for (let times = 0; times < 3; times++) {
    await reconcile(world, { ...deps, providers });
    listed.push((await reconciledUntil(world)) - before);
  }
  const all = 2 * HOUR_MS - MINUTE_MS;
  const grown = [HOUR_MS / 4 + HOUR_MS / 2, HOUR_MS * 1.75, all];
  expect(windows).toEqual([HOUR_MS, HOUR_MS / 2, HOUR_MS / 4, ...grown]);
  expect(listed).toEqual([0, 0, all]);
  expect(await credited(company)).toEqual({ available: 0, suspense: 700 });
});

it("the newest pass matches a charge by a txid in upper case", async () => {
  const world = await givenPsp();
  const { company, psp, clock } = world;
  await givenLostCallbacks(world);
  psp.book.received[0]!.txid = psp.book.received[0]!.txid!.toUpperCase();
  clock.advance(2 * MINUTE_MS);
  await reconcile(world);
  expect(await credited(company)).toEqual({ available: 2_500, suspense: 100 });
});

it("the newest pass ignores payments to another key of the account and accepts its own key in any case", async () => {
  const world = await givenPsp();
  const { company, psp, clock, configured } = world;
  const charge = await givenTransaction(company, { amount: 2_500 }, world.options);
  psp.pay(charge.id.replaceAll("-", ""));
  psp.book.received[0]!.chave = "caixa@loja-exemplo.com.br";
  psp.payKey("3.00", "caixa@loja-exemplo.com.br");
  psp.payKey("4.00", configured.pixKey.toUpperCase());
  const callbacks = psp.callbacks.slice(1);
  clock.advance(2 * MINUTE_MS);
  await reconcile(world);
  psp.callbacks.splice(0, Infinity, ...callbacks);
  await deliverCallbacks(world);
  expect(await credited(company)).toEqual({ available: 2_500, suspense: 400 });
});

it("the newest pass ignores the payment of another company's charge", async () => {
  const other = await givenPsp();
  const foreign = await givenTransaction(other.company, {}, other.options);
  const world = await givenPsp();
  const { company, psp, clock } = world;
  psp.payKey("25.00");
  psp.book.received[0]!.txid = foreign.id.replaceAll("-", "");
  clock.advance(2 * MINUTE_MS);
  await reconcile(world);
  expect(await credited(company)).toEqual({ available: 0, suspense: 0 });
  expect(await credited(other.company)).toEqual({ available: 0, suspense: 0 });
});
