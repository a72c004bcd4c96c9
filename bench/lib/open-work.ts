import { worstOf, type Findings, type Goal, type Table } from "./goals.ts";
import { median, spreadOf } from "./stats.ts";

/** The kinds of work that can stay open for long, and of which a company may have many. */
export const OPEN_WORK = [
  "withdraws in Processing",
  "open operations",
  "unreleased credits",
  "open charges",
  "undelivered events",
  "unacknowledged outbox entries",
] as const;
export type OpenWork = (typeof OPEN_WORK)[number];

/** The calls that are measured while work is open. */
export const MEASURED_CALLS = [
  "create",
  "pay",
  "refund",
  "withdraw",
  "balance",
  "drain",
  "alarm",
] as const;
export type MeasuredCall = (typeof MEASURED_CALLS)[number];

/** Of several runs: drains that share a batch read a few rows less. */
interface Range {
  least: number;
  most: number;
}

export interface OpenWorkRows {
  /** Rows read in D1 plus the object. */
  calls: Record<MeasuredCall, Range>;
  /** Rows read by the object's constructor and the withdraw that woke it. */
  alarmRows: number;
}

/** Calls a second without open work and with much of it, measured in turn, one pair for each repeat. */
export interface SpeedPair {
  none: number;
  open: number;
}

/** By state of D1, then by call; one pair for each repeat. */
export type Speeds = Record<string, Record<MeasuredCall, SpeedPair[]>>;

export interface CountedOpenWork {
  /** By kind, then by number of open ones. */
  rows: Record<OpenWork, Record<string, OpenWorkRows>>;
  speeds: Speeds;
}

/** The most rows that a woken object reads, with any amount of open work. */
const WAKE_MAX = 120;
const SPEED_MIN = 0.9;

export function openWorkFindings({ rows, speeds }: CountedOpenWork): Findings {
  return {
    goals: [...rowGoals(rows), wakeGoal(rows), ...speedGoals(speeds)],
    tables: [rowsTable(rows), wakeTable(rows), speedTable(speeds)],
  };
}

/** Drains that share a batch by chance save this many rows. */
const NOISE_ROWS = 3;

/** The additional rows that each call reads while much work is open. */
export function rowGoals(rows: CountedOpenWork["rows"]): Goal[] {
  return OPEN_WORK.map((kind) =>
    worstOf(
      `open work: rows read, difference between none and many ${kind}`,
      0,
      Object.fromEntries(
        MEASURED_CALLS.map((call) => {
          const [none, ...many] = Object.values(rows[kind]).map(({ calls }) => calls[call]);
          if (none === undefined) throw new Error(`nothing was measured for ${kind}`);
          const additional = Math.max(...many.map(({ most }) => most - none.most));
          return [call, additional > NOISE_ROWS ? additional : 0];
        }),
      ),
    ),
  );
}

export function wakeGoal(rows: CountedOpenWork["rows"]): Goal {
  return worstOf(
    "open work: rows that a woken object reads up to its first withdraw",
    WAKE_MAX,
    Object.fromEntries(
      OPEN_WORK.map((kind) => [
        kind,
        Math.max(...Object.values(rows[kind]).map((at) => at.alarmRows)),
      ]),
    ),
  );
}

/** For each call the median ratio of its pairs, in the slower of the two states. */
function speedGoals(speeds: Speeds): Goal[] {
  return MEASURED_CALLS.map((call) => {
    const states = Object.entries(speeds).map(([state, calls]) => ({
      state,
      ratios: calls[call].map(({ none, open }) => open / none),
    }));
    const [slowest] = states.toSorted((a, b) => median(a.ratios) - median(b.ratios));
    if (slowest === undefined) throw new Error("no speed was measured");
    return {
      name: `open work: ${call}s a second, ratio of many open to none`,
      bound: "at least",
      goal: SPEED_MIN,
      measured: median(slowest.ratios),
      spread: spreadOf(slowest.ratios),
      note: slowest.state,
    };
  });
}

function rowsTable(rows: CountedOpenWork["rows"]): Table {
  return {
    title: "Rows read beside open work",
    prose:
      "In D1 and the object, the drain after the answer included; minimum and maximum of five runs. `drain` is the " +
      "cron's drain of 20 outbox entries, `alarm` the object's alarm with nothing due. While outbox entries are " +
      "unacknowledged, D1 is unavailable to the object except for the drain's one batch.",
    head: ["open", "how many", ...MEASURED_CALLS],
    rows: perSize(rows, ({ calls }) => MEASURED_CALLS.map((call) => rangeOf(calls[call]))),
  };
}

function wakeTable(rows: CountedOpenWork["rows"]): Table {
  return {
    title: "Rows a woken object reads",
    prose: "An evicted object's constructor and its first withdraw, while D1 is unavailable.",
    head: ["open", "how many", "rows"],
    rows: perSize(rows, ({ alarmRows }) => [String(alarmRows)]),
  };
}

function perSize(rows: CountedOpenWork["rows"], cells: (at: OpenWorkRows) => string[]): string[][] {
  return OPEN_WORK.flatMap((kind) =>
    Object.entries(rows[kind]).map(([size, at]) => [kind, size].concat(cells(at))),
  );
}

function rangeOf({ least, most }: Range): string {
  return least === most ? String(least) : `${least} to ${most}`;
}

function speedTable(speeds: Speeds): Table {
  return {
    title: "Speed beside open work",
    prose:
      "Calls a second in workerd, eight at once, through the whole app but without HTTP: a company without open " +
      "work and one with the most of every kind, in turn (none, open, open, none), medians.",
    head: ["state", "call", "none open", "many open", "ratio", "spread"],
    rows: Object.entries(speeds).flatMap(([state, calls]) =>
      MEASURED_CALLS.map((call) => {
        const ratios = calls[call].map(({ none, open }) => open / none);
        const spread = spreadOf(ratios).map((each) => each.toFixed(2));
        return [
          state,
          call,
          median(calls[call].map(({ none }) => none)).toFixed(0),
          median(calls[call].map(({ open }) => open)).toFixed(0),
          median(ratios),
          spread.join(" to "),
        ];
      }),
    ),
  };
}
