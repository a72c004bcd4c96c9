import { afterAll, beforeAll, expect, it } from "vitest";
import { silenceLogs } from "../model/silence-logs.ts";
import { call } from "../support/builders/requests/api.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { endToEndId, settle } from "../support/builders/charges/charge-commands.ts";
import { env, givenCompany, type TestCompany } from "../support/builders/companies/company.ts";
import { meteredD1, type RowCost } from "../support/probes/database/cost.ts";
import { cronDeps, runCron } from "../support/fakes/cron.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { givenTransaction } from "../support/builders/charges/transaction.ts";
import { WebhookSink } from "../support/fakes/webhook-sink.ts";

const ENDPOINT = "https://loja.example.com/webhooks";
/** More than one page scans, so that every page is full. */
const FEW = 1_000;
const MANY = 200_000;
/** Below the numbers of the real events, which are the newest of their objects. */
const FIRST = -1_000_000;
const ANY_OBJECTS: [string, string] = ["withdraw:1", "withdraw:2"];
const CREDENTIALS = /api_keys|^select "credentials_version"/;
const SWEEP = /from "deliveries".*"next_attempt_at" <= /s;

/** Inserts delivered events of two objects into D1, numbered `from` to `to`. */
async function insertHistory(
  company: TestCompany,
  objects: [string, string],
  from: number,
  to: number,
) {
  const numbers = `WITH RECURSIVE numbers (n) AS
    (SELECT ?2 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?3)`;
  const object = "CASE n % 2 WHEN 0 THEN ?4 ELSE ?5 END";
  const bound = (sql: string, ...more: unknown[]) =>
    env.DB.prepare(`${numbers} ${sql}`).bind(company.id, FIRST + from, FIRST + to, ...more);
  await bound(
    `INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body)
     SELECT ?1, n, 'transaction.paid', ${object}, n, n, '{}' FROM numbers`,
    ...objects,
  ).run();
  await bound(
    `INSERT INTO deliveries (company_id, company_sequence, target, url, status, attempts, updated_at,
       attempts_log)
     SELECT ?1, n, 'endpoint', ?4, 'delivered', 1, n + 40, json_array(json_object('at', n,
       'durationMs', 40, 'httpStatus', 204, 'fault', NULL, 'answer', '')) FROM numbers`,
    ENDPOINT,
  ).run();
}

async function deleteHistory(company: TestCompany): Promise<void> {
  await env.DB.batch(
    ["events", "deliveries"].map((table) =>
      env.DB.prepare(`DELETE FROM ${table} WHERE company_id = ? AND company_sequence < ?`).bind(
        company.id,
        FIRST + MANY,
      ),
    ),
  );
}

/** The cost of the sweep's statement when nothing is due. */
async function sweepCost(clock: TestClock): Promise<RowCost> {
  const meter = meteredD1((sql) => SWEEP.test(sql));
  expect(await runCron(cronDeps(clock, new FakeBank()), meter.env)).toEqual([]);
  return meter.lap();
}

async function pageCost(company: TestCompany, query: string): Promise<RowCost> {
  const meter = meteredD1((sql) => !CREDENTIALS.test(sql));
  const page = await call(`/api/v1/webhooks/deliveries?limit=100${query}`, {
    company,
    env: meter.env,
  });
  expect(page.status).toBe(200);
  return meter.lap();
}

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

/** Measures with little history, and again with `MANY` rows of the same two objects. */
async function atBothSizes<Measured>(
  company: TestCompany,
  objects: [string, string],
  measure: () => Promise<Measured>,
): Promise<{ few: Measured; many: Measured }> {
  try {
    await insertHistory(company, objects, 0, FEW);
    const few = await measure();
    await insertHistory(company, objects, FEW, MANY / 2);
    await insertHistory(company, objects, MANY / 2, MANY);
    const rows = await env.DB.prepare("SELECT count(*) AS n FROM deliveries").first<number>("n");
    expect(rows).toBeGreaterThanOrEqual(MANY);
    return { few, many: await measure() };
  } finally {
    await deleteHistory(company);
  }
}

async function givenMerchant() {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  return { clock, company };
}

it(`a sweep with nothing due costs the same at 0 and at ${MANY} delivered rows`, async () => {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM events"),
    env.DB.prepare("DELETE FROM deliveries"),
  ]);
  const { clock, company } = await givenMerchant();
  const none = await sweepCost(clock);

  const { few, many } = await atBothSizes(company, ANY_OBJECTS, () => sweepCost(clock));

  silencedLogs.say({ sweep: { none, few, many } });
  expect(none).toEqual({ read: 1, written: 0 });
  expect([few, many]).toEqual([none, none]);
});

it(`a page of deliveries costs the same at ${FEW} and at ${MANY} delivered rows`, async () => {
  const { company } = await givenMerchant();

  const { few, many } = await atBothSizes(company, ANY_OBJECTS, async () => ({
    newest: await pageCost(company, ""),
    delivered: await pageCost(company, "&status=delivered"),
    exhausted: await pageCost(company, "&status=exhausted"),
  }));

  silencedLogs.say({ pages: { few, many } });
  expect(few).toEqual({
    newest: { read: 102, written: 0 },
    delivered: { read: 500, written: 0 },
    exhausted: { read: 500, written: 0 },
  });
  expect(many).toEqual(few);
});

it(`a delivery costs the same at ${FEW} and at ${MANY} delivered rows`, async () => {
  const { clock, company } = await givenMerchant();
  const transactions = [await givenTransaction(company), await givenTransaction(company)] as const;
  const objects: [string, string] = [transactions[0].id, transactions[1].id];
  const sink = new WebhookSink(clock);

  const { few, many } = await atBothSizes(company, objects, async () => {
    const event = sink.received.length + 1;
    const transaction = transactions[event - 1];
    await settle(company, transaction, { paymentId: endToEndId(event) });
    const meter = meteredD1();
    await sink.deliver(company, event, { target: "endpoint", env: meter.env });
    expect(sink.received).toHaveLength(event);
    return meter.lap();
  });

  silencedLogs.say({ delivery: { few, many } });
  // Reads only the newest four events of the object, their deliveries, and the counter of attempts, which it writes.
  expect(few).toEqual({ read: 16, written: 2 });
  expect(many).toEqual(few);
});
