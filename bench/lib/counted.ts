/** Rows, index entries included. */
export interface Rows {
  read: number;
  written: number;
}

/** The cost of a call or of a lifecycle's step, as `test/support/probes/meter.ts` counts it. */
export interface Usage {
  d1: Rows;
  /** Calls to D1, and the statements in them. */
  d1Calls: number;
  d1Statements: number;
  events: Rows;
  bank: Rows;
  object: Rows;
  alarms: number;
  objectCalls: number;
  objectMs: number;
  messages: number;
  archiveWrites: number;
  /** Console lines of the Worker and the object. Each is an event of Workers Logs. */
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

/** The rows read at one length of history. */
export interface Reads {
  pages: Record<string, PageRead>;
  indexed: Record<string, PageRead>;
  searches: Record<string, PageRead>;
  /** Pages of the console, from the first one to what its figures open, with the rows of the session. */
  figures: Record<string, PageRead>;
  /** A get by id, credentials included. */
  get: number;
}

/** Includes the sweeps, which read all companies. */
export interface HistoryUsage extends Reads {
  sweeps: Record<string, Rows>;
}

export type LifecycleUsage = Record<string, Usage>;

/** All counts, by the name of the test that made them. */
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
    /** How long the company's object works on one PIX lifecycle over a PSP, ms of wall time. */
    livePixObjectMs: number;
  };
  /** By number of rows. */
  history: Record<string, HistoryUsage>;
}

/** The sum of all steps; `roundTrips` is their maximum. */
function sumOfUsage(steps: Usage[]): Usage {
  const sum = (of: (step: Usage) => number) => steps.reduce((total, step) => total + of(step), 0);
  const rows = (of: "bank" | "d1" | "events" | "object") => ({
    read: sum((step) => step[of].read),
    written: sum((step) => step[of].written),
  });
  return {
    d1: rows("d1"),
    d1Calls: sum((step) => step.d1Calls),
    d1Statements: sum((step) => step.d1Statements),
    events: rows("events"),
    bank: rows("bank"),
    object: rows("object"),
    alarms: sum((step) => step.alarms),
    objectCalls: sum((step) => step.objectCalls),
    objectMs: sum((step) => step.objectMs),
    messages: sum((step) => step.messages),
    archiveWrites: sum((step) => step.archiveWrites),
    logLines: sum((step) => step.logLines),
    roundTrips: Math.max(...steps.map(({ roundTrips }) => roundTrips)),
  };
}

/** The cost of a whole lifecycle. */
export function lifecycleTotal(lifecycle: LifecycleUsage): Usage {
  return sumOfUsage(Object.values(lifecycle));
}

/** Rows written in D1 and the object, without the bank's, plus one row for each alarm set. */
export function rowsWritten({ d1, object, alarms }: Usage): number {
  return d1.written + object.written + alarms;
}
