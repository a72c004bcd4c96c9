import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { assertDefined } from "../../kill/lib/required.ts";
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

const RUNS = 5;
const DEAD_TARGETS = 25;
/** A company has 16 permits for one host, so most of these deliveries wait for one. */
const BACKLOG_AT_ONE_HOST = 100;
const PERMITS_PER_HOST = 16;
/** docs/webhooks.md: a dead host never delays another one by more than this. */
const EXTRA_DELAY_MAX_MS = 2_000;
/** No webhook takes this long, so that a stalled run fails by itself. */
const ARRIVAL_TIMEOUT_MS = 20_000;

const stateDir = await givenStateDir("dead");
const bad: BadReceiver[] = [];
let service: Service;
let merchant: Merchant;
let live: Receiver;
/** The time from the payment's response to the arrival, without other traffic. */
let baselineMs: number[];
let createdIds = 0;

beforeAll(async () => {
  live = await startReceiver();
  service = await startService({ stateDir });
  merchant = new Merchant(service.base);
  baselineMs = await delays(async () => []);
});

afterAll(async () => {
  // Open connections to dead receivers would block an orderly shutdown.
  await service.kill();
  await Promise.all([live.close(), ...bad.map((receiver) => receiver.close())]);
  rmSync(stateDir, { recursive: true, force: true });
});

it(`${DEAD_TARGETS} dead targets delay a live one by less than 2 s`, async () => {
  const dead = await Promise.all(Array.from({ length: DEAD_TARGETS }, () => startUnresponsive()));
  bad.push(...dead);
  const delayed = await delays(() => Promise.all(dead.map(({ url }) => create(url))));
  for (const { maxOpenConnections } of dead) expect(maxOpenConnections()).toBeGreaterThan(0);
  expectNearBaseline("25 dead targets", delayed);
});

it(`${BACKLOG_AT_ONE_HOST} webhooks for one dead host delay a live one by less than 2 s`, async () => {
  const dead = await startUnresponsive();
  bad.push(dead);
  const urls = Array.from({ length: BACKLOG_AT_ONE_HOST / RUNS }, () => dead.url);
  const delayed = await delays(() => Promise.all(urls.map((url) => create(url))));
  expect(dead.maxOpenConnections()).toBe(PERMITS_PER_HOST);
  expectNearBaseline("100 webhooks for one dead host", delayed);
});

it("receivers that send endless slow responses delay a live one by less than 2 s", async () => {
  const dripping = await Promise.all(
    Array.from({ length: DEAD_TARGETS }, (_, index) =>
      index % 2 === 0 ? startDripping() : startDrippingHeaders(),
    ),
  );
  bad.push(...dripping);
  const delayed = await delays(() => Promise.all(dripping.map(({ url }) => create(url))));
  for (const { maxOpenConnections } of dripping) expect(maxOpenConnections()).toBeGreaterThan(0);
  expectNearBaseline("25 dripping targets", delayed);
});

/**
 * Measures the live receiver's delay in several runs: the targets of `others` are paid together
 * with the live transaction, which comes last.
 */
async function delays(others: () => Promise<string[]>): Promise<number[]> {
  const taken: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const before = await others();
    const last = await create(live.url);
    const arrival = live
      .waitFor((received) => JSON.parse(received.body).data.id === last, ARRIVAL_TIMEOUT_MS)
      .then(() => performance.now());
    const pays = before.map((id) => pay(id));
    await pay(last);
    const answeredAt = performance.now();
    taken.push((await arrival) - answeredAt);
    await Promise.all(pays);
  }
  return taken;
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

function expectNearBaseline(what: string, delayed: number[]): void {
  const shown = `${what}: ${figures(delayed)} ms; alone: ${figures(baselineMs)} ms`;
  // oxlint-disable-next-line eslint/no-console -- the figures of a passed run are useful too
  console.log(shown);
  expect(median(delayed), shown).toBeLessThan(median(baselineMs) + EXTRA_DELAY_MAX_MS);
  expect(Math.max(...delayed), shown).toBeLessThan(Math.max(...baselineMs) + EXTRA_DELAY_MAX_MS);
}

function figures(taken: number[]): string {
  return taken.map((ms) => Math.round(ms)).join(", ");
}

function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return assertDefined(sorted[Math.floor(values.length / 2)], "a round");
}
