/** Rows, index entries among them. */
export interface Rows {
  read: number;
  written: number;
}

/** What a call or a step of a life spends; `test/support/probes/meter.ts` says how it is counted. */
export interface Usage {
  d1: Rows;
  events: Rows;
  bank: Rows;
  object: Rows;
  alarms: number;
  objectCalls: number;
  objectMs: number;
  messages: number;
  /** Lines that the Worker and the object wrote to the console: each is an event of Workers Logs. */
  logLines: number;
  roundTrips: number;
}

export interface CreateUsage extends Usage {
  roundTripsBefore: number;
  roundTripsAfter: number;
}

export interface PageRead {
  limit: number;
  read: number;
}

/** What a history of some length costs to read. */
export interface Reads {
  pages: Record<string, PageRead>;
  indexed: Record<string, PageRead>;
  searches: Record<string, PageRead>;
  /** A get by id, credentials included. */
  get: number;
}

/** Beside it what the sweeps read, which are everybody's. */
export interface HistoryUsage extends Reads {
  sweeps: Record<string, Rows>;
}

export type LifecycleUsage = Record<string, Usage>;

/** Everything that was counted, by the name of the test that counted it. */
export interface Counted {
  calls: Record<string, Usage>;
  creates: Record<string, CreateUsage>;
  lifecycles: {
    livePix: LifecycleUsage;
    sandboxPix: LifecycleUsage;
    withdraw: LifecycleUsage;
    liveWithdraw: LifecycleUsage;
  };
  durations: {
    /** What a company's object is busy with one PIX life over a PSP, ms of wall time. */
    livePixObjectMs: number;
  };
  /** By how many rows there were. */
  history: Record<string, HistoryUsage>;
}

/** What the steps cost together; `trips` is the longest of theirs. */
function sumOfUsage(steps: Usage[]): Usage {
  const all = (of: (step: Usage) => number) => steps.reduce((so, step) => so + of(step), 0);
  const rows = (of: "bank" | "d1" | "events" | "object") => ({
    read: all((step) => step[of].read),
    written: all((step) => step[of].written),
  });
  return {
    d1: rows("d1"),
    events: rows("events"),
    bank: rows("bank"),
    object: rows("object"),
    alarms: all((step) => step.alarms),
    objectCalls: all((step) => step.objectCalls),
    objectMs: all((step) => step.objectMs),
    messages: all((step) => step.messages),
    logLines: all((step) => step.logLines),
    roundTrips: Math.max(...steps.map(({ roundTrips }) => roundTrips)),
  };
}

/** All steps of a life as one. */
export function lifecycleTotal(life: LifecycleUsage): Usage {
  return sumOfUsage(Object.values(life));
}

/** Rows of D1 and of the object, the bank's apart, and a row for each alarm set. */
export function rowsWritten({ d1, object, alarms }: Usage): number {
  return d1.written + object.written + alarms;
}
