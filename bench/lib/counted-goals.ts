import {
  rowsWritten,
  lifecycleTotal,
  type Counted,
  type LifecycleUsage,
  type HistoryUsage,
  type Reads,
  type Rows,
  type Usage,
} from "./counted.ts";
import { NOT_MEASURED, worstOf, type Findings, type Goal, type Table } from "./goals.ts";

const ONE_ROUND_TRIP = ["get", "list", "balance", "status", "withdraw"];
/** Without cards: their create also charges, so its rows are shown but have no goal. */
const CREATES = /PIX|boleto/;
const CREATE_MAX = 7;
const PIX_MAX = 18;
const PIX_CALLS_MAX = 7;
const WITHDRAW_MAX = 16;
const REFUND_TRIPS_MAX = 4;
const REFUND_MAX = 27;
const BEYOND_PAGE = 5;
const SEARCH_MAX = 1_000;
const GET_MAX = 6;
/** A local D1 and object read 4,094 in 24 ms; the goal is 300 ms. */
const FIGURE_MAX = 6_000;

/** The goals for storage trips and rows, and the tables behind their figures. */
export function countedFindings(counted: Counted): Findings {
  return {
    goals: [
      ...roundTripGoals(counted),
      ...writtenGoals(counted),
      ...readGoals(counted.history),
      ...sweepGoals(counted.history),
    ],
    tables: [
      usageTable("Calls", "On a warm isolate, credentials included.", counted.calls),
      usageTable("Creates", "With an idempotency key and a simulated provider.", counted.creates),
      ...lifecycleTables(counted.lifecycles),
      historyTable(counted.history),
    ],
  };
}

export function roundTripGoals({ calls, creates }: Pick<Counted, "calls" | "creates">): Goal[] {
  const create = creates["create PIX, known payer"];
  return [
    ...ONE_ROUND_TRIP.map((name) =>
      atMost(`storage trips in sequence: ${name}`, 1, calls[name]?.roundTrips),
    ),
    atMost("storage trips in sequence: create, before the provider", 1, create?.roundTripsBefore),
    atMost("storage trips in sequence: create, after the provider", 1, create?.roundTripsAfter),
  ];
}

/** What a refund over a PSP costs; the goals are what it cost before refunds had limits and an audit trail. */
export function refundGoals(refund: LifecycleUsage): Goal[] {
  return [
    atMost(
      "storage trips in sequence: refund over a PSP, its request",
      REFUND_TRIPS_MAX,
      refund["request"]?.roundTrips,
    ),
    atMost(
      "rows written: refund over a PSP, without its events",
      REFUND_MAX,
      rowsWithoutEvents(refund),
    ),
  ];
}

export function writtenGoals({
  creates,
  lifecycles,
}: Pick<Counted, "creates" | "lifecycles">): Goal[] {
  const { livePix, sandboxPix, liveWithdraw, withdraw } = lifecycles;
  return [
    ...Object.entries(creates)
      .filter(([name]) => CREATES.test(name))
      .map(([name, spent]) => atMost(`rows written: ${name}`, CREATE_MAX, rowsWritten(spent))),
    atMost("calls to D1: PIX lifecycle over a PSP", PIX_CALLS_MAX, lifecycleTotal(livePix).d1Calls),
    atMost("rows written: PIX lifecycle over a PSP", PIX_MAX, rowsWritten(lifecycleTotal(livePix))),
    atMost(
      "rows written: PIX lifecycle in the sandbox",
      PIX_MAX,
      rowsWritten(lifecycleTotal(sandboxPix)),
    ),
    atMost(
      "rows written: withdraw to Paid over a PSP, without its events",
      WITHDRAW_MAX,
      rowsWithoutEvents(liveWithdraw),
    ),
    atMost(
      "rows written: withdraw to Paid in the sandbox, without its events",
      WITHDRAW_MAX,
      rowsWithoutEvents(withdraw),
    ),
  ];
}

/** The goals at every length of history. A difference of 0 means the same at each length. */
export function readGoals(history: Record<string, Reads>): Goal[] {
  const pages = atEachLength(history, (reads) => readsOf(reads.pages));
  const lists = Map.groupBy(Object.entries(pages), ([name]) => name.split(",")[0]);
  return [
    ...[...lists].map(([list, reads]) =>
      worstOf(
        `rows read: page of 100, ${list}`,
        100 + BEYOND_PAGE,
        maxPerKey(Object.fromEntries(reads)),
      ),
    ),
    worstOf("rows read: pages, difference between lengths of history", 0, rangePerKey(pages)),
    worstOf(
      "rows read: search of 100 by ids, externalRef, document",
      100 + BEYOND_PAGE,
      maxPerKey(atEachLength(history, ({ indexed }) => readsOf(indexed))),
    ),
    worstOf(
      "rows read: search of 100, any filter",
      SEARCH_MAX,
      maxPerKey(
        atEachLength(history, ({ searches, indexed }) => readsOf({ ...searches, ...indexed })),
      ),
    ),
    worstOf(
      "rows read: page that a figure opens, session included",
      FIGURE_MAX,
      maxPerKey(atEachLength(history, ({ figures }) => readsOf(figures))),
    ),
    worstOf(
      "rows read: get, credentials included",
      GET_MAX,
      maxPerKey(atEachLength(history, ({ get }) => ({ "by id": get }))),
    ),
  ];
}

/** The rows that the cron reads when nothing is due, at every length of history. */
function sweepGoals(history: Record<string, Pick<HistoryUsage, "sweeps">>): Goal[] {
  const sweeps = atEachLength(history, (measured) => rowsReadOf(measured.sweeps));
  return [
    worstOf("rows read: sweeps, difference between lengths of history", 0, rangePerKey(sweeps)),
  ];
}

function atMost(name: string, goal: number, measured: number | undefined): Goal {
  return { name, bound: "at most", goal, measured: measured ?? NOT_MEASURED };
}

function rowsWithoutEvents(lifecycle: LifecycleUsage): number {
  const spent = lifecycleTotal(lifecycle);
  return rowsWritten(spent) - spent.events.written;
}

function maxPerKey(reads: Record<string, number[]>): Record<string, number> {
  return Object.fromEntries(Object.entries(reads).map(([name, each]) => [name, Math.max(...each)]));
}

function rangePerKey(reads: Record<string, number[]>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(reads).map(([name, each]) => [name, Math.max(...each) - Math.min(...each)]),
  );
}

function rowsReadOf(rows: Record<string, Rows>): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).map(([name, { read }]) => [name, read]));
}

function readsOf(pages: Reads["pages"]): Record<string, number> {
  return Object.fromEntries(Object.entries(pages).map(([name, { read }]) => [name, read]));
}

/** The rows read at each length, by name. */
function atEachLength<At>(
  history: Record<string, At>,
  of: (at: At) => Record<string, number>,
): Record<string, number[]> {
  const all: Record<string, number[]> = {};
  for (const at of Object.values(history)) {
    for (const [name, read] of Object.entries(of(at))) (all[name] ??= []).push(read);
  }
  return all;
}

const USAGE_HEAD = [
  "trips",
  "D1 calls",
  "D1 statements",
  "D1 rows read",
  "D1 rows written",
  "of events",
  "object's rows read",
  "object's rows written",
  "alarms set",
  "calls to the object",
  "messages",
  "writes to the archive",
  "log lines",
  "bank's rows written",
];

function usageRow(name: string, spent: Usage): (string | number)[] {
  const { d1, object, events, bank, alarms, logLines, roundTrips } = spent;
  return [
    name,
    roundTrips,
    spent.d1Calls,
    spent.d1Statements,
    d1.read,
    d1.written,
    events.written,
    object.read,
    object.written,
    alarms,
    spent.objectCalls,
    spent.messages,
    spent.archiveWrites,
    logLines,
    bank.written,
  ];
}

function usageTable(title: string, prose: string, spent: Record<string, Usage>): Table {
  return {
    title,
    prose,
    head: ["call", ...USAGE_HEAD],
    rows: Object.entries(spent).map(([name, each]) => usageRow(name, each)),
  };
}

const LIFECYCLES: Record<keyof Counted["lifecycles"], string> = {
  livePix: "A PIX over a PSP",
  sandboxPix: "A PIX in the sandbox",
  liveWithdraw: "A withdraw over a PSP",
  withdraw: "A withdraw in the sandbox",
};

function lifecycleTables(lifecycles: Counted["lifecycles"]): Table[] {
  return (Object.keys(LIFECYCLES) as (keyof typeof LIFECYCLES)[]).map((name) => ({
    title: LIFECYCLES[name],
    head: ["step", ...USAGE_HEAD],
    rows: [
      ...Object.entries(lifecycles[name]).map(([step, spent]) => usageRow(step, spent)),
      usageRow("all", lifecycleTotal(lifecycles[name])),
    ],
  }));
}

function historyTable(history: Record<string, HistoryUsage>): Table {
  const lengths = Object.keys(history);
  const rows = atEachLength(history, ({ pages, indexed, searches, figures, sweeps, get }) => ({
    ...readsOf({ ...pages, ...indexed, ...searches, ...figures }),
    ...Object.fromEntries(
      Object.entries(rowsReadOf(sweeps)).map(([name, read]) => [`sweep of ${name}`, read]),
    ),
    "get, credentials included": get,
  }));
  return {
    title: "Rows read, by length of history",
    prose: "Pages of 100, without the rows of authentication unless the name includes credentials.",
    head: ["read", ...lengths.map((length) => `at ${length}`)],
    rows: Object.entries(rows).map(([name, reads]) => [name].concat(reads.map(String))),
  };
}
