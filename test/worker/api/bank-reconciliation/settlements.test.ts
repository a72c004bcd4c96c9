import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { givenPagarMe } from "../../../support/builders/providers/pagarme.ts";
import { reconcileDue } from "../../../support/builders/providers/psp.ts";
import {
  callAsOperator,
  restoreLocalOperators,
} from "../../../support/builders/companies/operator.ts";
import { findingsOf } from "../../../support/probes/contradictions/findings.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

import { noonOfToday } from "../../../support/fakes/clock.ts";
import type { PayableLie } from "../../../support/fakes/pagarme/payables.ts";
import { pagarMeCard } from "../../../support/fakes/pagarme/provider.ts";

type World = Awaited<ReturnType<typeof givenPagarMe>>;

const DAY_MS = 86_400_000;
/** So long after its end a day is read. */
const HOUR_MS = 3_600_000;

beforeEach(restoreLocalOperators);
afterEach(() => vi.restoreAllMocks());

/** Days pass, of which the cron reads the settlements. Its other passes have read everything, and leave it its calls. */
async function days(world: World, count: number): Promise<void> {
  const { clock, company } = world;
  clock.advance(count * DAY_MS);
  const today = saoPauloDay(clock.now() - HOUR_MS);
  for (let run = 0; run < 10; run++) {
    await env.DB.prepare(
      "UPDATE reconciliation_passes SET read_until = ? WHERE company_id = ? AND pass = 'newest'",
    )
      .bind(clock.now(), company.id)
      .run();
    await reconcileDue(world);
    const [pass] = await rowsOf(world, "settlement_passes");
    if (pass?.day === today) return;
    clock.advance(60_000);
  }
  throw new Error("the settlements were not read");
}

async function rowsOf({ company }: World, table: string): Promise<any[]> {
  const query = env.DB.prepare(`SELECT * FROM ${table} WHERE company_id = ? ORDER BY 2, 3`);
  return (await query.bind(company.id).all()).results;
}

/** Sells in three payments what the house has as so many lines of 10.00; it lies about the first and the last payment. */
async function sellLines(world: World, count: number, lie?: PayableLie): Promise<void> {
  const most = 12;
  for (let left = count; left > 0; left -= most) {
    const installments = Math.min(left, most);
    if (lie !== undefined && (left === count || left === installments)) world.payables.lieOnce(lie);
    await world.sell(1_000 * installments, installments);
  }
}

/** Contradictions about settlements, without their ends. */
async function found({ company }: World) {
  const all = await findingsOf(company);
  return all
    .filter(({ kind }) => kind === "settlement_difference")
    .map(({ finding, amount, held }) => {
      const [, account, day, kind] = finding.split(":");
      return { account, day, kind, amount, held };
    });
}

it("finds nothing where the house takes what was agreed, and pays on its day", async () => {
  const world = await givenPagarMe();
  await world.sell(10_000, 3);
  await world.sell(2_500);

  await days(world, 45);

  expect(await found(world)).toEqual([]);
  const states = (await rowsOf(world, "settlements")).map(({ state }) => state);
  expect(states.filter((state) => state === "paid")).toHaveLength(2);
  expect(states).toHaveLength(4);
});

it("tells of a day's differences once by kind: how many, how much, and of which", async () => {
  const world = await givenPagarMe();
  const day = saoPauloDay(world.clock.now());
  for (const lie of ["fee_too_high", "fee_too_high", "amount_too_low", "late"] as const) {
    world.payables.lieOnce(lie);
    await world.sell(10_000);
  }

  await days(world, 3);

  expect(await found(world)).toEqual([
    { account: "pagarme", day, kind: "amount", amount: 1, held: 0 },
    { account: "pagarme", day, kind: "fee", amount: 2, held: 0 },
    { account: "pagarme", day, kind: "late", amount: 10_000, held: 0 },
  ]);
  expect(await rowsOf(world, "settlement_differences")).toHaveLength(4);
});

it("tells of lines that are missing a week after the payment, and of lines that still wait a week after their day", async () => {
  const world = await givenPagarMe();
  world.payables.lieOnce("missing");
  const missing = await world.sell(10_000, 2);
  await world.sell(3_000);
  world.payables.restate(1, { status: "in_review" });

  await days(world, 9);
  const first = await rowsOf(world, "settlement_differences");
  await days(world, 35);

  expect(first).toMatchObject([{ kind: "missing", transaction_id: missing, amount: 10_000 }]);
  expect((await found(world)).map(({ kind }) => kind)).toEqual(["missing", "unpaid"]);
});

it("a payment that its line is the first to tell of is booked, and its line compared", async () => {
  const world = await givenPagarMe();
  const { house, company } = world;
  const fetch = house.fetch.bind(house);
  vi.spyOn(house, "fetch").mockImplementation(async (request) => {
    const answer = await fetch(request);
    const isOfOrders = new URL(request.url).pathname.endsWith("/orders");
    return isOfOrders ? new Response("{}", { status: 500 }) : answer;
  });
  await world.sell(10_000).catch(() => "");

  await days(world, 9);

  expect(await rowsOf(world, "settlements")).toMatchObject([{ gross: 10_000 }]);
  expect(await found(world)).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 9_699 });
});

it("a chargeback whose line is the only one to tell of it is booked, with one question", async () => {
  const world = await givenPagarMe();
  const { house, company } = world;
  const id = await world.sell(10_000);
  await days(world, 2);
  const fetch = house.fetch.bind(house);
  vi.spyOn(house, "fetch").mockImplementation(async (request) => {
    const answer = await fetch(request);
    const isOfOrders = new URL(request.url).pathname.endsWith("/orders");
    return isOfOrders ? new Response("{}", { status: 500 }) : answer;
  });
  house.chargeBack(id.replaceAll("-", ""));
  const before = house.seen.length;

  await days(world, 2);

  expect(await transactionsOf(company)).toMatchObject([{ status: "refunded" }]);
  expect(await found(world)).toEqual([]);
  const asked = house.seen.slice(before).filter(({ call }) => /\/charges\/ch_\w+$/.test(call));
  expect(asked).toHaveLength(1);
});

it("a day waits for a house that is silent about a payment of one of its lines, until it is late", async () => {
  const world = await givenPagarMe();
  const { house, clock } = world;
  // A sale of a day's last hour is late already two hours after the next.
  clock.advance(noonOfToday() + DAY_MS - clock.now());
  const fetch = house.fetch.bind(house);
  let isSilent = true;
  vi.spyOn(house, "fetch").mockImplementation(async (request) => {
    const answer = await fetch(request);
    const { pathname } = new URL(request.url);
    const isLost = pathname.endsWith("/orders") || (isSilent && pathname.includes("/charges/"));
    return isLost ? new Response("{}", { status: 500 }) : answer;
  });
  await world.sell(10_000).catch(() => "");

  world.clock.advance(DAY_MS + 2 * HOUR_MS);
  await reconcileDue(world);
  expect(await rowsOf(world, "settlements")).toEqual([]);
  isSilent = false;
  await days(world, 1);
  expect(await rowsOf(world, "settlements")).toMatchObject([{ gross: 10_000 }]);

  isSilent = true;
  await world.sell(2_500).catch(() => "");
  await days(world, 4);
  expect(await rowsOf(world, "settlements")).toHaveLength(1);
});

it("asks about a charge of others once, whatever becomes of its installments", async () => {
  const world = await givenPagarMe();
  const { house } = world;
  await world.sell(12_000, 12);
  const ours = house.seen.find(({ call }) => call === "POST /orders")?.request;
  const [{ credit_card: card, ...payment }] = ours.payments;
  const { token } = pagarMeCard(house).card.source;
  const theirs = { ...payment, credit_card: { ...card, card_token: token } };
  const order = { ...ours, code: "pedido-1", payments: [theirs] };
  expect(house.book.createOrder(order)).toMatchObject({ status: 200 });
  const asked = () =>
    house.seen.filter(({ call }) => /^GET .*\/charges\/ch_\w+$/.test(call)).length;

  await days(world, 2);
  expect(asked()).toBe(1);
  await days(world, 33);

  expect(world.payables.all.filter(({ status }) => status === "paid")).toHaveLength(2);
  expect(asked()).toBe(1);
});

it("a restated line replaces itself, and only what is new is told", async () => {
  const world = await givenPagarMe();
  world.payables.lieOnce("fee_too_high");
  await world.sell(10_000);
  await days(world, 2);

  world.payables.restate(0, { payment_date: "2027-12-24T03:00:00.000Z" });
  await days(world, 2);

  expect((await found(world)).map(({ kind }) => kind)).toEqual(["fee", "late"]);
  expect(await rowsOf(world, "settlements")).toMatchObject([
    { gross: 10_000, fee: 302, agreed: 301, fee_difference: 1, paid_on: "2027-12-24" },
  ]);
});

it("reads a day again after the house did not answer in the midst of it, and tells of nothing twice", async () => {
  const world = await givenPagarMe();
  await sellLines(world, 31, "fee_too_high");
  let calls = 0;
  const list = world.payables.list.bind(world.payables);
  vi.spyOn(world.payables, "list").mockImplementation((query) =>
    ++calls === 2 ? { status: 500, body: {} } : list(query),
  );

  await days(world, 3);

  expect(await found(world)).toMatchObject([{ kind: "fee", amount: 2 }]);
  expect(await rowsOf(world, "settlements")).toHaveLength(31);
});

it("tells an operator of settlements that it could not read for a day", async () => {
  const world = await givenPagarMe();
  await world.sell(10_000);
  await days(world, 2);
  vi.spyOn(world.payables, "list").mockReturnValue({ status: 500, body: {} });
  const late = async () => {
    const { body } = await callAsOperator("/status", world.options);
    return body.latePasses.filter(
      (pass: any) => pass.companyId === world.company.id && pass.list === "settlements",
    );
  };

  world.clock.advance(DAY_MS);
  await reconcileDue(world);
  expect(await late()).toEqual([]);
  world.clock.advance(DAY_MS);
  await reconcileDue(world);
  expect(await late()).toMatchObject([{ account: "pagarme", pass: "newest" }]);
});

it("leaves the pages of a house that lead in a circle, and reads the day again", async () => {
  const world = await givenPagarMe();
  await sellLines(world, 31);
  const list = world.payables.list.bind(world.payables);
  let calls = 0;
  const spy = vi.spyOn(world.payables, "list").mockImplementation((query) => {
    calls += 1;
    const answer = list(query);
    const isSecond = query.has("forward_cursor");
    if (!isSecond) return answer;
    const body = { ...answer.body, paging: { forward_cursor: query.get("forward_cursor") } };
    return { ...answer, body };
  });
  world.clock.advance(DAY_MS + 2 * HOUR_MS);
  await reconcileDue(world);
  expect(calls).toBe(2);
  spy.mockRestore();
  world.clock.advance(HOUR_MS);
  await days(world, 1);
  expect(await rowsOf(world, "settlements")).toHaveLength(31);
});

it("leaves out what others sold on the account, and tells of a line that it cannot read", async () => {
  const world = await givenPagarMe();
  await world.sell(10_000);
  await world.sell(10_000);
  world.payables.restate(0, { charge_id: "ch_0000000000009999" });
  world.payables.restate(1, { fee: "1.00" });

  await days(world, 2);

  expect(await rowsOf(world, "settlements")).toEqual([]);
  expect(await findingsOf(world.company)).toMatchObject([{ kind: "record_unreadable" }]);
});
