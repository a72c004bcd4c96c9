import { queueNotifier } from "../../../../src/company/outbox/queue-notifier.ts";
import { changeArchive } from "../../../../src/db/archive/change-archive.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import type { Env } from "../../../../src/config.ts";
import { env as systemEnv, inAccount, type TestCompany } from "../../builders/companies/company.ts";
import { countRows, sumOfCosts, type RowCost } from "./cost.ts";
import { withDatabase } from "./instrumented-database.ts";
import { withAccounts, withD1, type Interceptor } from "../../faults/faulty-env.ts";
import { CallSequence } from "./call-sequence.ts";

/** The cost in the platform's billing units and in the client's waiting time. */
interface Usage {
  /** Rows of D1, index entries among them, without those of the sandbox's bank. */
  d1: RowCost;
  /** Calls to D1, and the statements in them; both without those of the sandbox's bank alone. */
  d1Calls: number;
  d1Statements: number;
  /** The part for events and deliveries. */
  events: RowCost;
  /** Rows of the sandbox's bank, which stands for an external system. */
  bank: RowCost;
  /** Rows of the company's object. */
  object: RowCost;
  /** Each is billed as a row written. */
  alarms: number;
  objectCalls: number;
  /** Wall time in ms: the object's billed duration. */
  objectMs: number;
  /** Messages sent to a queue. */
  messages: number;
  /** Files written to the archive. */
  archiveWrites: number;
  /** The Worker's sequential storage calls, to D1 and to the object. */
  roundTrips: number;
}

/** A company whose whole cost is counted. */
export interface Meter {
  /** The environment for requests, consumers and cron; everything that uses it is counted. */
  env: typeof systemEnv;
  /** The Worker's storage calls. */
  roundTrips: CallSequence;
  /** The cost since the last lap, the object's background work included. */
  takeUsage: () => Promise<Usage>;
}

const SANDBOX_BANK_TABLES = /\bsandbox_/;
const EVENT_TABLES = /(?:into|from|join|update) "(?:events|deliveries|webhook_hosts)"/i;

/** Counts the cost of a company's requests, consumers and object from now on. */
export async function meterCompany(
  company: TestCompany,
  base: typeof systemEnv = systemEnv,
): Promise<Meter> {
  const roundTrips = new CallSequence();
  const d1 = d1Counts();
  const calls = { objectCalls: 0, objectMs: 0, messages: 0, archiveWrites: 0 };
  const archiving = withArchive({ ...base, DB: d1.DB }, () => (calls.archiveWrites += 1));
  const counted = withQueues(archiving, (count) => (calls.messages += count));
  const callsCounted: Interceptor = async (label, run) => {
    calls.objectCalls += 1;
    const calledAt = Date.now();
    try {
      return await roundTrips.intercept(label, run);
    } finally {
      calls.objectMs += Date.now() - calledAt;
    }
  };
  const object = await meterObject(company, counted);
  return {
    env: withAccounts(withD1(counted, roundTrips.intercept), callsCounted),
    roundTrips: roundTrips,
    takeUsage: async () => {
      const inObject = await object.lap();
      const called = { ...calls };
      Object.assign(calls, { objectCalls: 0, objectMs: 0, messages: 0, archiveWrites: 0 });
      return { ...d1.lap(), ...inObject, ...called, roundTrips: roundTrips.takeLength() };
    },
  };
}

function d1Counts() {
  let heard: (RowCost & { sql: string })[] = [];
  let calls: string[][] = [];
  const { DB } = withDatabase({
    called: (statements) => {
      const own = statements.filter((sql) => !SANDBOX_BANK_TABLES.test(sql));
      if (own.length > 0) calls.push(own);
    },
    after: (sql, read, written) => void heard.push({ sql, read, written }),
  });
  return {
    DB,
    lap: () => {
      const [all, called] = [heard, calls];
      [heard, calls] = [[], []];
      const own = all.filter(({ sql }) => !SANDBOX_BANK_TABLES.test(sql));
      return {
        d1: sumOfCosts(own),
        d1Calls: called.length,
        d1Statements: called.flat().length,
        events: sumOfCosts(own.filter(({ sql }) => EVENT_TABLES.test(sql))),
        bank: sumOfCosts(all.filter(({ sql }) => SANDBOX_BANK_TABLES.test(sql))),
      };
    },
  };
}

/** An archive that takes all and keeps nothing. */
function withArchive(base: typeof systemEnv, onPut: () => void): typeof systemEnv {
  return { ...base, ARCHIVE: { put: async () => onPut() } as unknown as R2Bucket };
}

function withQueues(base: typeof systemEnv, onSent: (count: number) => void): typeof systemEnv {
  const queue = {
    send: async () => onSent(1),
    sendBatch: async (messages: Iterable<unknown>) => onSent([...messages].length),
  };
  return { ...base, WEBHOOKS: queue, PAYOUTS: queue } as unknown as typeof systemEnv;
}

/** Counts the object's SQL, alarms and background work, and routes its drain through `counted`. */
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
    account.projection = projectionWriter(counted);
    account.archive = changeArchive(counted);
    account.notifier = queueNotifier(counted);
    return countRows(storage.sql);
  });
  return {
    lap: (): Promise<{ object: RowCost; alarms: number }> =>
      inAccount(company.id, async () => {
        await Promise.all(background);
        const spent = { object: rows.lap(), alarms };
        background = [];
        alarms = 0;
        return spent;
      }),
  };
}
