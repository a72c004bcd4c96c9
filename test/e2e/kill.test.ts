import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Merchant } from "../../scripts/lib/merchant.ts";
import { startReceiver, type Receiver } from "../../scripts/lib/receiver.ts";
import { startService, type Service } from "../../scripts/lib/service.ts";

const WORKERS = 6;
const AMOUNT = 2_500;
const WITHDRAW = 1_000;
/** The kill comes in the middle of the load, once this many requests were acknowledged. */
const KILL_AFTER_ACKS = 120;
const LOAD_MAX_REQUESTS = 3_000;
/** Lost queue hints are made good within half a minute; this is for slow machines. */
const CATCH_UP_MS = 90_000;
const KNOCK_MS = 1_000;

interface Acknowledged {
  created: Set<string>;
  paid: Set<string>;
  withdraws: Set<number>;
}

const stateDir = mkdtempSync(join(tmpdir(), "centavo-kill-"));
let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ stateDir });
});

afterAll(async () => {
  await service.stop();
  await receiver.close();
  rmSync(stateDir, { recursive: true, force: true });
});

it("kill -9 in the middle of load loses nothing that was acknowledged, and no webhook", async () => {
  const before = new Merchant(service.base);
  await before.call("PUT", "/api/v1/webhooks/endpoint", { url: receiver.url });
  const acknowledged = await loadUntilKilled(before);
  service = await startService({ stateDir });
  const merchant = new Merchant(service.base);

  const transactions = await all(merchant, "/api/Transaction/company/transactions");
  const statusById = new Map(transactions.map((item) => [item.providerTxId, item.status]));
  for (const id of acknowledged.created) expect(statusById.has(id), `created ${id}`).toBe(true);
  for (const id of acknowledged.paid) expect(statusById.get(id), `paid ${id}`).toBe("PAID");
  expect(transactions.map((item) => item.id)).toEqual(transactions.map((_, index) => index + 1));

  await catchUp(merchant, async () => {
    const withdraws = await all(merchant, "/api/Withdraw/company/withdraws");
    return withdraws.every((item) => item.enTransaction === "Paid");
  });
  const withdraws = await all(merchant, "/api/Withdraw/company/withdraws");
  const withdrawIds = new Set(withdraws.map((item) => item.id));
  for (const id of acknowledged.withdraws) expect(withdrawIds.has(id), `withdraw ${id}`).toBe(true);

  // A payment may have been settled whose answer was lost; the copy in D1 follows the object.
  const paidNow = async () =>
    (await all(merchant, "/api/Transaction/company/transactions")).filter(
      (item) => item.status === "PAID",
    );
  const expected = async () =>
    ((await paidNow()).length * AMOUNT - withdraws.length * WITHDRAW) / 100;
  await catchUp(merchant, async () => {
    const { body } = await merchant.balance();
    return body.accBalance === (await expected());
  });
  await catchUp(merchant, async () =>
    hasAll(
      "transaction.paid",
      (await paidNow()).map((item) => item.providerTxId),
    ),
  );
  await catchUp(merchant, async () => hasAll("withdraw.paid", [...withdrawIds]));
  expectStableIds();
});

/** Mixed load from several workers; kills the service under them and answers what was acknowledged. */
async function loadUntilKilled(merchant: Merchant): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { created: new Set(), paid: new Set(), withdraws: new Set() };
  let acks = 0;
  let requests = 0;
  const kill: { done: Promise<void> | null } = { done: null };
  const acknowledge = () => {
    acks += 1;
    if (acks === KILL_AFTER_ACKS) kill.done = service.kill();
  };
  const worker = async (name: number) => {
    for (let round = 0; kill.done === null && requests < LOAD_MAX_REQUESTS; round++) {
      requests += 1;
      const key = `${name}_${round}`;
      const created = await merchant.create({ amount: AMOUNT, paymentMethod: "PIX" }, `tx_${key}`);
      if (created.status !== 200) continue;
      const id: string = created.body.data.id;
      acknowledged.created.add(id);
      acknowledge();
      const paid = await merchant.pay(id);
      if (paid.status !== 200) continue;
      acknowledged.paid.add(id);
      acknowledge();
      const withdraw = await merchant.withdraw({ amount: WITHDRAW }, `wd_${key}`);
      if (withdraw.status !== 201) continue;
      acknowledged.withdraws.add(withdraw.body.id);
      acknowledge();
    }
  };
  // The kill breaks requests that are under way; they are the unacknowledged ones.
  await Promise.allSettled(Array.from({ length: WORKERS }, (_, name) => worker(name)));
  expect(kill.done, "the load reached the kill").not.toBeNull();
  await kill.done;
  return acknowledged;
}

/** Knocks at the cron, as the platform does each minute, until it holds. */
async function catchUp(merchant: Merchant, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + CATCH_UP_MS;
  while (!(await holds())) {
    expect(Date.now(), "caught up in time").toBeLessThan(deadline);
    await fetch(`${merchant.base}/cdn-cgi/local/scheduled`);
    await new Promise((wake) => setTimeout(wake, KNOCK_MS));
  }
}

async function all(merchant: Merchant, path: string): Promise<any[]> {
  const items: any[] = [];
  for (let page = 1; ; page++) {
    const { body } = await merchant.call(
      "GET",
      `${path}?sort=createdAt_asc&pageSize=100&page=${page}`,
    );
    items.push(...body.res.items);
    if (page >= body.res.totalPages) return items;
  }
}

function hasAll(type: string, objectIds: (string | number)[]): boolean {
  const seen = new Set(
    receiver.received
      .map((one) => JSON.parse(one.body))
      .filter((event) => event.type === type)
      .map((event) => event.data.id),
  );
  return objectIds.every((id) => seen.has(id));
}

/** An event may come twice, but only under one `webhook-id`, with one body, and signed each time. */
function expectStableIds(): void {
  const secret = new Merchant(service.base).webhookSecret;
  const bodies = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const one of receiver.received) {
    expect(() => new Webhook(secret).verify(one.body, one.headers)).not.toThrow();
    const id = one.headers["webhook-id"] ?? "";
    expect(bodies.get(id) ?? one.body).toBe(one.body);
    bodies.set(id, one.body);
    const event = JSON.parse(one.body);
    const subject = `${event.type} ${event.data.id}`;
    expect(ids.get(subject) ?? id).toBe(id);
    ids.set(subject, id);
  }
}
