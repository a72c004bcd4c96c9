import { evictDurableObject } from "cloudflare:test";
import { companyStub } from "../../../src/company-client/stub.ts";
import { call } from "../../../test/support/builders/requests/api.ts";
import { sumOfCosts } from "../../../test/support/probes/database/cost.ts";
import {
  configureObject,
  env,
  inAccount,
} from "../../../test/support/builders/companies/company.ts";
import { refund } from "../../../test/support/builders/operations/refund.ts";
import { givenTransaction, pay } from "../../../test/support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../test/support/builders/withdraws/withdraw.ts";
import {
  MEASURED_CALLS,
  OPEN_WORK,
  type CountedOpenWork,
  type MeasuredCall,
  type OpenWork,
  type OpenWorkRows,
  type SpeedPair,
  type Speeds,
} from "../../lib/open-work.ts";
import { PAYER, usageOf, requireSuccess } from "./lifecycles.ts";
import { givenOpenWork, createBacklog, READ_TIMES, type OpenShop } from "./open-work-world.ts";

const OUTBOX: OpenWork = "unacknowledged outbox entries";
const BESIDE_OUTBOX = OPEN_WORK.filter((kind) => kind !== OUTBOX);
const INTERLEAVED = 8;

/** How calls are timed. */
export interface Timing {
  /** How much work of each kind is open. */
  many: number;
  repeats: number;
  /** Calls of each kind in one lap of a company. */
  callsPerLap: number;
}

type ByCall = Record<MeasuredCall, number>;

/** The rows that each call reads, by kind and number of open work. */
export async function readOpenWork(sizes: number[]): Promise<CountedOpenWork["rows"]> {
  const rows = {} as CountedOpenWork["rows"];
  for (const kind of OPEN_WORK) {
    const bySize: Record<string, OpenWorkRows> = {};
    for (const size of sizes) {
      const shop = await givenOpenWork([kind], size);
      bySize[size] = { calls: await readCalls(shop, kind), alarmRows: await measureAlarm(shop) };
    }
    rows[kind] = bySize;
  }
  return rows;
}

async function readCalls(shop: OpenShop, kind: OpenWork): Promise<OpenWorkRows["calls"]> {
  const times: ByCall[] = [];
  for (let time = 0; time < READ_TIMES; time++) times.push(await readCallsOnce(shop, kind));
  return Object.fromEntries(
    MEASURED_CALLS.map((name) => {
      const reads = times.map((time) => time[name]);
      return [name, { least: Math.min(...reads), most: Math.max(...reads) }];
    }),
  ) as OpenWorkRows["calls"];
}

async function readCallsOnce(shop: OpenShop, kind: OpenWork): Promise<ByCall> {
  const { company, options, meter, projection } = shop;
  const reads = {} as ByCall;
  const read = async (name: MeasuredCall, run: () => Promise<unknown>) => {
    const { d1, object } = await usageOf(meter, run);
    reads[name] = d1.read + object.read;
  };
  let id = "";
  await read("create", async () => {
    ({ id } = await givenTransaction(company, { customer: PAYER }, options));
  });
  await read("pay", () => requireSuccess(pay(company, id, undefined, options)));
  await read("refund", () => requireSuccess(refund(company, id, undefined, options)));
  await read("withdraw", () => requireSuccess(requestWithdraw(company, {}, options)));
  await read("balance", () => balance(shop));
  await createBacklog(shop);
  await meter.takeUsage();
  projection.remainingBatches = 1;
  await read("drain", () => inAccount(company.id, (account) => account.runNow()));
  projection.remainingBatches = kind === OUTBOX ? 0 : Infinity;
  await read("alarm", () => inAccount(company.id, (account) => account.alarm()));
  return reads;
}

/** The rows that a new instance of the object reads up to its first withdraw, while D1 is unavailable. */
async function measureAlarm({ company, options, clock }: OpenShop): Promise<number> {
  const prototype = await inAccount(
    company.id,
    (_account, { storage }) => Object.getPrototypeOf(storage.sql) as SqlStorage,
  );
  await evictDurableObject(companyStub(env, company.id));
  const counted = countEverywhere(prototype);
  try {
    await configureObject(company.id, { clock });
    const background: Promise<unknown>[] = [];
    await inAccount(company.id, (account, state) => {
      account.projection = { write: () => Promise.reject(new Error("D1 is unavailable")) };
      const waitUntil = state.waitUntil.bind(state);
      state.waitUntil = (work) => {
        background.push(work);
        waitUntil(work);
      };
    });
    await requireSuccess(requestWithdraw(company, {}, options));
    await inAccount(company.id, () => Promise.all(background));
    return counted.read();
  } finally {
    counted.stop();
  }
}

/** Counts the rows read by all objects of this isolate. */
function countEverywhere(prototype: SqlStorage) {
  const cursors: { rowsRead: number; rowsWritten: number }[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
  const { exec } = prototype;
  prototype.exec = function counted(this: SqlStorage, query: string, ...bindings: unknown[]) {
    const cursor = exec.call(this, query, ...bindings);
    cursors.push(cursor);
    return cursor;
  } as SqlStorage["exec"];
  return {
    read: () =>
      sumOfCosts(cursors.map(({ rowsRead: read, rowsWritten: written }) => ({ read, written })))
        .read,
    stop: () => void (prototype.exec = exec),
  };
}

/** Calls a second without open work and with `many` of each kind, in turn. */
export async function timeOpenWork(timing: Timing): Promise<Speeds> {
  const { many } = timing;
  return {
    "D1 available": await timeInTurn(
      await givenOpenWork(BESIDE_OUTBOX, 0),
      await givenOpenWork(BESIDE_OUTBOX, many),
      timing,
    ),
    "D1 unavailable": await timeInTurn(
      await givenOpenWork([OUTBOX], 0),
      await givenOpenWork([OUTBOX], many),
      timing,
    ),
  };
}

async function timeInTurn(
  none: OpenShop,
  open: OpenShop,
  { repeats, callsPerLap }: Timing,
): Promise<Record<MeasuredCall, SpeedPair[]>> {
  const pairs = Object.fromEntries(MEASURED_CALLS.map((name) => [name, []])) as unknown as Record<
    MeasuredCall,
    SpeedPair[]
  >;
  for (let repeat = -1; repeat < repeats; repeat++) {
    const laps = [
      await runCalls(none, callsPerLap),
      await runCalls(open, callsPerLap),
      await runCalls(open, callsPerLap),
      await runCalls(none, callsPerLap),
    ] as const;
    // The first round only warms both up.
    if (repeat < 0) continue;
    for (const name of MEASURED_CALLS) {
      const [first, second, third, fourth] = laps.map((each) => each[name]);
      pairs[name].push({
        none: speedOf(callsPerLap, first, fourth),
        open: speedOf(callsPerLap, second, third),
      });
    }
  }
  return pairs;
}

/** Calls a second over two laps, from their times in ms. */
function speedOf(calls: number, oneMs = 0, otherMs = 0): number {
  return (2 * calls * 1_000) / (oneMs + otherMs);
}

/** The time of one lap by kind of call, ms. */
async function runCalls(shop: OpenShop, calls: number): Promise<ByCall> {
  const { company, options } = shop;
  const ids: string[] = [];
  const inObject = (name: "alarm" | "runNow") => () =>
    inAccount(company.id, async (account) => void (await account[name]()));
  return {
    create: await timed(calls, async () => {
      const { id } = await givenTransaction(company, { customer: PAYER }, options);
      ids.push(id);
    }),
    pay: await timed(calls, (index) =>
      requireSuccess(pay(company, ids[index] ?? "", undefined, options)),
    ),
    refund: await timed(calls, (index) =>
      requireSuccess(refund(company, ids[index] ?? "", undefined, options)),
    ),
    withdraw: await timed(calls, () => requireSuccess(requestWithdraw(company, {}, options))),
    balance: await timed(calls, () => balance(shop)),
    drain: await timed(calls, inObject("runNow")),
    alarm: await timed(calls, inObject("alarm")),
  };
}

/** The time of so many runs, `INTERLEAVED` at once, ms. */
async function timed(count: number, run: (index: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < count) await run((next += 1) - 1);
  };
  await Promise.all(Array.from({ length: INTERLEAVED }, worker));
  return performance.now() - startedAt;
}

function balance({ company, options }: OpenShop): Promise<unknown> {
  const path = `/api/Balance/balance/${company.id}?currency=BRL`;
  return requireSuccess(call(path, { company, ...options }));
}
