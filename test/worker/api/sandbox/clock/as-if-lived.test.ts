import { expect, it } from "vitest";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { givenClockedShop, live } from "../../../../support/builders/companies/clocked-shop.ts";
import {
  env,
  inAccount,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  BOLETO_REQUEST,
  CARD_REQUEST,
} from "../../../../support/builders/requests/full-request.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { replaceInObject } from "../../../../support/faults/object.ts";
import { injectFault, withAccounts } from "../../../../support/faults/faulty-env.ts";
import { countRoundTrips } from "../../../../support/probes/database/round-trips.ts";
import { accountsOf, movementsOf, outboxLength } from "../../../../support/probes/ledger/ledger.ts";
import {
  attemptsOf,
  deliveriesOf,
  eventsOf,
} from "../../../../support/probes/webhooks/webhook-rows.ts";

const CLOCK = "/api/v1/sandbox/clock";
const DAYS = 33;
/** Calls that one move takes at most. */
const CALLS_MAX = 100;
/** D1 takes so long, where it is slow. */
const SLOW_MS = 200;
/** The receiver is down for so many calls. */
const DOWN_CALLS = 25;

async function givenShop(clock: TestClock) {
  const shop = await givenClockedShop(clock);
  let calls = 0;
  shop.sink.respond = () => new Response(null, { status: ++calls <= DOWN_CALLS ? 500 : 204 });
  return shop;
}

type Shop = Awaited<ReturnType<typeof givenShop>>;

/** Charges of three methods, open, paid and disputed, a withdraw that waits for an approval; their ids in order. */
async function beginLife({ company, deps }: Shop): Promise<string[]> {
  const options = { deps };
  await call("/api/v1/company/settings", {
    method: "PUT",
    company,
    deps,
    body: { withdrawApprovalAbove: 1_000 },
  });
  const made = [
    await givenTransaction(company, { pix: { expiresInSeconds: 3_600 } }, options),
    await givenTransaction(company, { amount: 40_000 }, options),
    await givenTransaction(company, { ...BOLETO_REQUEST, boleto: { dueDate: undefined } }, options),
    await givenTransaction(company, { ...CARD_REQUEST, installments: 1 }, options),
    await givenTransaction(company, { amount: 3_000 }, options),
  ];
  const ids = made.map(({ id }) => id as string);
  await pay(company, ids[1]!, undefined, options);
  await pay(company, ids[4]!, undefined, options);
  const disputed = `/api/v1/sandbox/transactions/${ids[4]}/dispute`;
  expect((await call(disputed, { method: "POST", company, deps })).status).toBe(200);
  const asked = { company, deps, body: { amount: 5_000 }, headers: { "Idempotency-Key": "wd_1" } };
  expect((await call("/api/Withdraw/request", asked)).status).toBeLessThan(300);
  return ids;
}

/** Moves the clock to a time, and on while there is more. */
async function moveTo({ company, deps }: Shop, time: number, environment = env): Promise<void> {
  const options = { company, deps, env: environment };
  await live(options, { set: new Date(time).toISOString() }, CALLS_MAX);
}

/** All that a company has, with the places of its transactions for their ids. */
async function stateOf(company: TestCompany, ids: string[]) {
  const named = (text: string) =>
    ids.reduce(
      (known, id, index) =>
        known
          .replaceAll(id, `transaction ${index}`)
          .replaceAll(id.replaceAll("-", ""), `charge ${index}`),
      text,
    );
  const events = await eventsOf(company);
  const movedAt = await inAccount(company.id, (_, { storage }) =>
    storage.sql.exec("SELECT type, created_at FROM movements ORDER BY sequence").toArray(),
  );
  const { results: transactions } = await env.DB.prepare(
    `SELECT id, status, created_at, updated_at, paid_at, next_sweep_at, refunds FROM transactions
     WHERE company_id = ? ORDER BY seq`,
  )
    .bind(company.id)
    .all();
  const { results: withdraws } = await env.DB.prepare(
    "SELECT id, status, created_at, updated_at FROM withdraws WHERE company_id = ? ORDER BY id",
  )
    .bind(company.id)
    .all();
  const parts = {
    accounts: await accountsOf(company),
    movements: await movementsOf(company),
    movedAt,
    events: events.map(({ type, objectId, sequence, body }) => [
      type,
      objectId,
      sequence,
      body.timestamp,
    ]),
    deliveries: await deliveriesOf(company),
    attempts: await attemptsOf(company),
    transactions,
    withdraws,
  };
  return JSON.parse(named(JSON.stringify(parts))) as typeof parts;
}

const DAY_MS = 86_400_000;

it("a life in one jump is the same as in steps of twelve hours, to the last row", async () => {
  const clock = new TestClock();
  const [jumping, stepping] = [await givenShop(clock), await givenShop(clock)];
  const begun = clock.now();
  const ids = { jumping: await beginLife(jumping), stepping: await beginLife(stepping) };

  await moveTo(jumping, begun + DAYS * DAY_MS);
  for (let hour = 12; hour <= DAYS * 24; hour += 12)
    await moveTo(stepping, begun + hour * 3_600_000);

  const jumped = await stateOf(jumping.company, ids.jumping);
  expect(jumped).toEqual(await stateOf(stepping.company, ids.stepping));
  expect(jumped.events.map(([type]) => type)).toEqual(
    expect.arrayContaining(["transaction.cancelled", "balance.released", "withdraw.cancelled"]),
  );
  expect(jumped.attempts.length).toBeGreaterThan(jumped.events.length + 5);
});

it("what was done just before a move is told at its time, also where D1 is slow to hear of it", async () => {
  const { company, deps } = await givenClockedShop();
  const options = { company, deps };
  const { id } = await givenTransaction(company, { amount: 40_000 }, { deps });
  await pay(company, id, undefined, { deps });
  const body = { withdrawApprovalAbove: 1_000 };
  await call("/api/v1/company/settings", { ...options, method: "PUT", body });
  await live(options, { advance: "PT1S" });
  const restore = await replaceInObject(company, {
    projection: (real) => ({
      write: async (...written) => {
        await scheduler.wait(SLOW_MS);
        return real.write(...written);
      },
    }),
  });
  const asked = await call("/api/Withdraw/request", {
    ...options,
    body: { amount: 5_000 },
    headers: { "Idempotency-Key": "wd_1" },
  });
  expect(asked.status).toBeLessThan(300);
  expect(await outboxLength(company)).toBe(1);
  const { ran } = await live(options, { advance: "PT1H" });
  expect(ran.map(({ kind }) => kind)).toEqual(["delivery", "email"]);
  await restore();
});

it("a run that crashes goes on where it stopped, loses nothing and repeats nothing", async () => {
  const clock = new TestClock();
  const [whole, crashing] = [await givenShop(clock), await givenShop(clock)];
  const begun = clock.now();
  const ids = { whole: await beginLife(whole), crashing: await beginLife(crashing) };
  const to = begun + DAYS * DAY_MS;
  await moveTo(whole, to);

  for (let attempt = 1; attempt <= 12; attempt++) {
    const fault = injectFault({ on: /^moveClock$/, when: attempt % 2 === 0 ? "before" : "after" });
    const crashed = await call(CLOCK, {
      company: crashing.company,
      deps: crashing.deps,
      env: withAccounts(env, fault.intercept),
      body: { set: new Date(to).toISOString() },
    }).catch(() => null);
    if (crashed?.status === 200 && !crashed.body.data.hasMore) break;
  }
  await moveTo(crashing, to);

  expect(await stateOf(crashing.company, ids.crashing)).toEqual(
    await stateOf(whole.company, ids.whole),
  );
});

/** What an invocation may call (Cloudflare's limit of subrequests is 1,000 of each kind). */
const TRIPS_MAX = 1_000;
const OPEN = 105;

it(`one call with ${OPEN} open charges stays under the platform's limits, and the next ones do the rest`, async () => {
  const shop = await givenShop(new TestClock());
  const { clock, company, deps } = shop;
  for (let made = 0; made < OPEN; made++) {
    const pix = { expiresInSeconds: 600 + made * 60 };
    await givenTransaction(company, { pix }, { deps });
  }
  const to = new Date(clock.now() + 31 * DAY_MS).toISOString();
  const trips = countRoundTrips();
  const ran: string[] = [];
  let most = 0;
  for (let hasMore = true; hasMore;) {
    const answer = await call(CLOCK, { company, deps, env: trips.env, body: { set: to } });
    most = Math.max(most, trips.lap().trips.length);
    ran.push(
      ...answer.body.data.ran.map(({ kind, id }: { kind: string; id: string }) => kind + id),
    );
    hasMore = answer.body.data.hasMore;
  }
  expect(new Set(ran).size).toBeGreaterThanOrEqual(OPEN);
  expect(ran.filter((each) => each.startsWith("charge_expiry")).length).toBe(OPEN);
  expect(most).toBeLessThan(TRIPS_MAX);
});
