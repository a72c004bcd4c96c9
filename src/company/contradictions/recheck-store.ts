import { exponentialBackoffMs } from "../../lib/backoff.ts";
import { DueIndex } from "../runtime/due-index.ts";

/** `payout`: a withdraw that is Paid, by its number. `dispute`: an open one, by its id. */
export type RecheckKind = "payout" | "dispute";

/** What seems settled and is asked about again, for a provider's word of it may have been lost. */
interface Recheck {
  id: number;
  kind: RecheckKind;
  subject: string;
}

/**
 * `query`: the provider must be queried now. `wait`: it was asked already. `gone`: there is nothing more
 * to ask.
 */
export type ClaimRecheckAnswer = { kind: "query"; recheck: Recheck } | { kind: "wait" | "gone" };

/** `done`: nothing of it can change any more. `open`: it may. `unknown`: its provider said nothing. */
export type RecheckOutcome = "done" | "open" | "unknown";

/** `given_up`: its provider did not answer until long after the time for which it is asked. */
export type RecordRecheckAnswer = "continues" | "ended" | "given_up";

interface RecheckSchedule {
  /** Before the first time; each later one is twice as long, up to `maxMs`. */
  firstMs: number;
  maxMs: number;
  /** For how long it is asked about; null: as long as it is open. */
  durationMs: number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A bank returns a payout within days, and a payer's bank may ask it back for 80 days (BACEN, MED). A
 * dispute holds money of the company's: its end is looked for each day.
 */
const SCHEDULES: Record<RecheckKind, RecheckSchedule> = {
  payout: { firstMs: HOUR_MS, maxMs: 7 * DAY_MS, durationMs: 90 * DAY_MS },
  dispute: { firstMs: HOUR_MS, maxMs: DAY_MS, durationMs: null },
};

/** The sandbox's own: its bank tells at once what it did, so nothing of it is asked about again. */
const SANDBOX_ACCOUNT = "sandbox";

/** Whether what an account at a provider has open is asked about again. */
export function needsRecheck(account: string): boolean {
  return account !== SANDBOX_ACCOUNT;
}

/** When a hint that nobody followed is given again: after a queue's usual delay and a slow answer. */
export const RECHECK_RENOTIFY_AFTER_MS = 5 * 60_000;
/** A provider that does not answer is asked again this soon, however long it was left alone before. */
const NO_ANSWER_RETRY_MS = HOUR_MS;
/** How much longer than `durationMs` a provider is asked that does not answer. */
const NO_ANSWER_GIVE_UP_MS = 30 * DAY_MS;

type RecheckRow = {
  id: number;
  kind: RecheckKind;
  subject: string;
  checks: number;
  since: number;
  next_check_at: number;
};

/**
 * Paid payouts and open disputes that are asked about again. Asking changes nothing, so two that ask at
 * once harm nobody, and a claim writes nothing. Every method that writes runs inside one
 * `transactionSync`.
 */
export class RecheckStore {
  readonly open: DueIndex;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.open = new DueIndex(sql, { table: "rechecks", index: "rechecks_open", status: "OPEN" });
  }

  /** From now on it is asked about. One that is known goes on as it was. */
  add(kind: RecheckKind, subject: string, nowMs: number): void {
    this.#sql.exec(
      `INSERT INTO rechecks (kind, subject, checks, since, status, next_check_at)
       VALUES (?, ?, 0, ?, 'OPEN', ?) ON CONFLICT (kind, subject) DO NOTHING`,
      kind,
      subject,
      nowMs,
      nowMs + SCHEDULES[kind].firstMs,
    );
  }

  /** It is asked about no more. */
  remove(kind: RecheckKind, subject: string): void {
    this.#sql.exec("DELETE FROM rechecks WHERE kind = ? AND subject = ?", kind, subject);
  }

  /** Whether its provider is to be asked now: its hint was given, and nobody has brought an answer. */
  claim(id: number, nowMs: number): ClaimRecheckAnswer {
    const row = this.#find(id);
    if (row === null) return { kind: "gone" };
    if (row.next_check_at > nowMs + RECHECK_RENOTIFY_AFTER_MS) return { kind: "wait" };
    return { kind: "query", recheck: { id, kind: row.kind, subject: row.subject } };
  }

  /** Says when it is asked again, if ever. */
  record(id: number, outcome: RecheckOutcome, nowMs: number): RecordRecheckAnswer {
    const row = this.#find(id);
    if (row === null) return "ended";
    const { firstMs, maxMs, durationMs } = SCHEDULES[row.kind];
    const endsAt = durationMs === null ? Number.POSITIVE_INFINITY : row.since + durationMs;
    if (outcome === "unknown") {
      const isGivenUp = nowMs >= endsAt + NO_ANSWER_GIVE_UP_MS;
      if (isGivenUp) this.#delete(id);
      else this.#reschedule(id, row.checks, nowMs + NO_ANSWER_RETRY_MS);
      return isGivenUp ? "given_up" : "continues";
    }
    if (outcome === "done" || nowMs >= endsAt) {
      this.#delete(id);
      return "ended";
    }
    const checks = row.checks + 1;
    const wait = exponentialBackoffMs(checks, firstMs, maxMs);
    this.#reschedule(id, checks, Math.min(nowMs + wait, endsAt));
    return "continues";
  }

  #find(id: number): RecheckRow | null {
    const [row] = this.#sql
      .exec<RecheckRow>(
        "SELECT id, kind, subject, checks, since, next_check_at FROM rechecks WHERE id = ?",
        id,
      )
      .toArray();
    return row ?? null;
  }

  #reschedule(id: number, checks: number, nextCheckAt: number): void {
    this.#sql.exec(
      "UPDATE rechecks SET checks = ?, next_check_at = ? WHERE id = ?",
      checks,
      nextCheckAt,
      id,
    );
  }

  #delete(id: number): void {
    this.#sql.exec("DELETE FROM rechecks WHERE id = ?", id);
  }
}
