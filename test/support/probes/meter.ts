import { queueHints } from "../../../src/company/outbox/hints.ts";
import { recordsOf } from "../../../src/db/projection/records.ts";
import type { Env } from "../../../src/config.ts";
import { env as systemEnv, inAccount, type TestCompany } from "../builders/company.ts";
import { countRows, sumOf, type Cost } from "./cost.ts";
import { withDatabase } from "./database.ts";
import { withAccounts, withD1, type Around } from "../faults/faulty-env.ts";
import { Sequence } from "../faults/sequence.ts";

/** What something cost, in what the platform bills and in what a client waits for. */
interface Spent {
  /** Rows of D1, index entries among them, without those of the sandbox's bank. */
  d1: Cost;
  /** Of these, the ones of events and their deliveries. */
  events: Cost;
  /** Rows of the sandbox's bank, which stands for somebody else's storage. */
  bank: Cost;
  /** Rows of the company's object. */
  object: Cost;
  /** Each is billed as a row written. */
  alarms: number;
  objectCalls: number;
  /** How long these took, ms of wall time: what the object is billed for as its duration. */
  objectMs: number;
  /** Messages given to a queue. */
  messages: number;
  /** Storage calls that the Worker makes one after the other: to D1 and to the object. */
  trips: number;
}

/** A company all of whose spending is counted. */
export interface Metered {
  /** For requests, consumers and cron: whatever goes through it is counted. */
  env: typeof systemEnv;
  /** The Worker's calls to storage. */
  trips: Sequence;
  /** What was spent since the last lap, the object's work in the background included. */
  lap: () => Promise<Spent>;
}

const BANK = /\bsandbox_/;
const EVENTS = /(?:into|from|join|update) "(?:events|deliveries|webhook_hosts)"/i;

/** Counts what a company's requests, consumers and object spend, beginning now. */
export async function meterCompany(
  company: TestCompany,
  base: typeof systemEnv = systemEnv,
): Promise<Metered> {
  const trips = new Sequence();
  const d1 = d1Counts();
  const calls = { objectCalls: 0, objectMs: 0, messages: 0 };
  const counted = withQueues({ ...base, DB: d1.DB }, (count) => (calls.messages += count));
  const callsCounted: Around = async (label, run) => {
    calls.objectCalls += 1;
    const calledAt = Date.now();
    try {
      return await trips.around(label, run);
    } finally {
      calls.objectMs += Date.now() - calledAt;
    }
  };
  const object = await meterObject(company, counted);
  return {
    env: withAccounts(withD1(counted, trips.around), callsCounted),
    trips,
    lap: async () => {
      const inObject = await object.lap();
      const called = { ...calls };
      Object.assign(calls, { objectCalls: 0, objectMs: 0, messages: 0 });
      return { ...d1.lap(), ...inObject, ...called, trips: trips.lap() };
    },
  };
}

function d1Counts() {
  let heard: (Cost & { sql: string })[] = [];
  const { DB } = withDatabase({
    after: (sql, read, written) => void heard.push({ sql, read, written }),
  });
  return {
    DB,
    lap: () => {
      const all = heard;
      heard = [];
      const own = all.filter(({ sql }) => !BANK.test(sql));
      return {
        d1: sumOf(own),
        events: sumOf(own.filter(({ sql }) => EVENTS.test(sql))),
        bank: sumOf(all.filter(({ sql }) => BANK.test(sql))),
      };
    },
  };
}

function withQueues(base: typeof systemEnv, sent: (count: number) => void): typeof systemEnv {
  const queue = {
    send: async () => sent(1),
    sendBatch: async (messages: Iterable<unknown>) => sent([...messages].length),
  };
  return { ...base, WEBHOOKS: queue, PAYOUTS: queue } as unknown as typeof systemEnv;
}

/** Listens to the object's SQL, alarms and background work, and leads its drain through `counted`. */
async function meterObject(company: TestCompany, counted: Env) {
  let background: Promise<unknown>[] = [];
  let alarms = 0;
  const rows = await inAccount(company.id, (account, state) => {
    const { storage } = state;
    const setAlarm = storage.setAlarm.bind(storage);
    storage.setAlarm = (at) => {
      alarms += 1;
      return setAlarm(at);
    };
    const waitUntil = state.waitUntil.bind(state);
    state.waitUntil = (work) => {
      background.push(work);
      waitUntil(work);
    };
    account.records = recordsOf(counted);
    account.hints = queueHints(counted);
    return countRows(storage.sql);
  });
  return {
    lap: (): Promise<{ object: Cost; alarms: number }> =>
      inAccount(company.id, async () => {
        await Promise.all(background);
        const spent = { object: rows.lap(), alarms };
        background = [];
        alarms = 0;
        return spent;
      }),
  };
}
