import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startReceiver, type Receiver } from "../../../tools/lib/receiver.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import {
  startDripping,
  startDrippingHeaders,
  startUnresponsive,
  type BadReceiver,
} from "./bad-receivers.ts";
import { givenStateDir } from "../state-dir.ts";

const DEAD_TARGETS = 25;
const DRIPPING = { body: 13, headers: 12 };
/** A company has 16 permits for one host, so most of these deliveries wait for one. */
const BACKLOG_AT_ONE_HOST = 100;
const PERMITS_PER_HOST = 16;
/** Payments at once: more would wait for each other. */
const PAYMENTS_AT_ONCE = 25;
/** Live webhooks that are sent while the dead targets hold what they got. */
const LIVE_WEBHOOKS = 4;
/** Two batches of the queue: messages of neighbouring batches may overtake each other, no others. */
const OVERTAKERS_MAX = 10;
/** Nothing takes this long, so that a stalled test fails by itself. */
const LIMIT = { timeout: 60_000 };

const stateDir = await givenStateDir("dead");
const bad: BadReceiver[] = [];
let service: Service;
let merchant: Merchant;
let live: Receiver;
let createdIds = 0;

beforeAll(async () => {
  live = await startReceiver();
  service = await startService({ stateDir });
  merchant = new Merchant(service.base);
});

afterAll(async () => {
  // Open connections to dead receivers would block an orderly shutdown.
  await service.kill();
  await Promise.all([live.close(), ...bad.map((receiver) => receiver.close())]);
  rmSync(stateDir, { recursive: true, force: true });
});

it(`${DEAD_TARGETS} dead targets do not delay a live one`, async () => {
  const dead = await startAll(DEAD_TARGETS);
  await expectUndelayed(
    dead,
    dead.map(({ url }) => url),
  );
});

it(`${BACKLOG_AT_ONE_HOST} webhooks for one dead host hold its permits and do not delay a live one`, async () => {
  const dead = await startDead();
  await expectUndelayed(
    [dead],
    Array.from({ length: BACKLOG_AT_ONE_HOST }, () => dead.url),
    PERMITS_PER_HOST,
  );
  expect(dead.maxOpenConnections()).toBe(PERMITS_PER_HOST);
});

it("receivers that send endless slow responses do not delay a live one", async () => {
  const dripping = [
    ...(await startAll(DRIPPING.body, startDripping)),
    ...(await startAll(DRIPPING.headers, startDrippingHeaders)),
  ];
  await expectUndelayed(
    dripping,
    dripping.map(({ url }) => url),
  );
});

it("an attempt at a dead target ends by its own limit, which the live ones did not wait for", async () => {
  await expect
    .poll(() => bad.every(({ endedConnections }) => endedConnections() > 0), LIMIT)
    .toBe(true);
});

it("no wake-up message failed, which would come again only seconds later", () => {
  const failed = service
    .output()
    .split("\n")
    .find((line) => line.includes("queue_message_failed"));
  expect(failed).toBeUndefined();
});

/** How a live webhook arrived. */
interface Arrival {
  /** The dead targets that were paid after it, each at a host of its own, and got their webhook before it. */
  overtakers: number;
  /** Whether no attempt at a dead target ended meanwhile, so that it waited for none. */
  isUnblocked: boolean;
}

/**
 * Proves on a machine of any speed that a live receiver waits for no dead one. Dead ones that are paid after it do not
 * overtake it, so it is not held back alone; and it gets its webhook while the dead ones hold all that they may have
 * (`held` connections each) and none is given up, so it is not held back with them.
 */
async function expectUndelayed(dead: BadReceiver[], urls: string[], held = 1): Promise<void> {
  const ids: string[] = [];
  for (const some of chunks(urls)) ids.push(...(await Promise.all(some.map(create))));
  const paidTogether: Arrival[] = [];
  for (const some of chunks(ids)) paidTogether.push(await liveBeside(dead, some));
  await expect
    .poll(() => dead.every(({ openConnections }) => openConnections() === held), LIMIT)
    .toBe(true);
  const whileHeld: Arrival[] = [];
  while (whileHeld.length < LIVE_WEBHOOKS) whileHeld.push(await liveBeside(dead));
  const overtakers = [...paidTogether, ...whileHeld].map((arrival) => arrival.overtakers);
  expect(Math.max(...overtakers)).toBeLessThan(OVERTAKERS_MAX);
  // An attempt whose own limit is over just then says nothing about that webhook.
  expect(whileHeld.map(({ isUnblocked }) => isUnblocked)).toContain(true);
}

/** Pays a live transaction together with those of dead targets, and dead targets after it until it is reported. */
async function liveBeside(dead: BadReceiver[], ids: string[] = []): Promise<Arrival> {
  const id = await create(live.url);
  const endedBefore = endedOf(dead);
  const later: BadReceiver[] = [];
  const progress = { hasArrived: false };
  const arrival = async (): Promise<Arrival> => {
    await live.waitFor(({ body }) => JSON.parse(body).data.id === id, LIMIT.timeout);
    progress.hasArrived = true;
    const overtakers = later.filter(({ openConnections }) => openConnections() > 0).length;
    return { overtakers, isUnblocked: endedOf(dead) === endedBefore };
  };
  const arrived = arrival();
  const pays = ids.map(pay);
  await pay(id);
  while (!progress.hasArrived && later.length < OVERTAKERS_MAX) {
    const next = await startDead();
    later.push(next);
    await pay(await create(next.url));
  }
  await Promise.all(pays);
  return arrived;
}

async function startDead(start = startUnresponsive): Promise<BadReceiver> {
  const started = await start();
  bad.push(started);
  return started;
}

function startAll(count: number, start = startUnresponsive): Promise<BadReceiver[]> {
  return Promise.all(Array.from({ length: count }, () => startDead(start)));
}

/** The attempts at these targets that the service has given up. */
function endedOf(dead: BadReceiver[]): number {
  return dead.reduce((sum, { endedConnections }) => sum + endedConnections(), 0);
}

function chunks<Value>(values: Value[]): Value[][] {
  return values.length === 0
    ? []
    : [values.slice(0, PAYMENTS_AT_ONCE), ...chunks(values.slice(PAYMENTS_AT_ONCE))];
}

async function create(postbackUrl: string): Promise<string> {
  createdIds += 1;
  const created = await merchant.create(
    { amount: 2_500, paymentMethod: "PIX", postbackUrl },
    `tx_${createdIds}`,
  );
  expect(created.status).toBe(200);
  return created.body.data.id;
}

async function pay(id: string): Promise<void> {
  expect((await merchant.pay(id)).status).toBe(200);
}
