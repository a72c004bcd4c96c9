import { SANDBOX_ACCOUNT } from "../../domain/withdraws/withdraw.ts";
import { exponentialBackoffMs } from "../../lib/backoff.ts";
import { DueIndex } from "../storage/due-index.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/**
 * `payout`: a Paid withdraw, or one that operators decided without its provider, by its number. `dispute`: an open
 * dispute, by its id. `operation`: a refund or return that operators decided without its provider, by its id.
 * `failed_refund`: one that has failed, of a payment whose provider tells only the sum of what went back.
 */
export type RecheckKind = "payout" | "dispute" | "operation" | "failed_refund";

/** A payout or dispute whose provider is queried again, in case a notification was lost. */
interface Recheck {
  id: number;
  kind: RecheckKind;
  subject: string;
}

/**
 * `query`: query the provider now. `wait`: it was queried already. `gone`: the recheck has ended.
 */
export type ClaimRecheckAnswer = { kind: "query"; recheck: Recheck } | { kind: "wait" | "gone" };

/** `done`: it can no longer change. `open`: it can. `unknown`: the provider did not answer. */
export type RecheckOutcome = "done" | "open" | "unknown";

/** `given_up`: the provider stayed silent for `NO_ANSWER_GIVE_UP_MS` after the schedule's end. */
export type RecordRecheckAnswer = "continues" | "ended" | "given_up";

interface RecheckSchedule {
  /** Wait before the first query; each later wait is twice as long, up to `maxMs`. */
  firstMs: number;
  maxMs: number;
  /** Total duration; null lasts until it ends. */
  durationMs: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * A bank returns a payout within days, and a MED can be opened for 80 days (BACEN). An open dispute
 * holds the company's money, so it is queried daily.
 */
const SCHEDULES: Record<RecheckKind, RecheckSchedule> = {
  payout: { firstMs: HOUR_MS, maxMs: 7 * DAY_MS, durationMs: 90 * DAY_MS },
  dispute: { firstMs: HOUR_MS, maxMs: DAY_MS, durationMs: null },
  operation: { firstMs: HOUR_MS, maxMs: 7 * DAY_MS, durationMs: 90 * DAY_MS },
  failed_refund: { firstMs: MINUTE_MS, maxMs: DAY_MS, durationMs: 90 * DAY_MS },
};

/** Whether open items of a provider account are queried again: the sandbox's bank reports at once. */
export function needsRecheck(account: string): boolean {
  return account !== SANDBOX_ACCOUNT;
}

/** Wait before a second wake-up message: a queue's usual delay and a slow answer. */
export const RECHECK_RENOTIFY_AFTER_MS = 5 * 60_000;
/** Wait after a provider did not answer, regardless of the backoff so far. */
const NO_ANSWER_RETRY_MS = HOUR_MS;
/** Time beyond `durationMs` for which a silent provider is still queried. */
const NO_ANSWER_GIVE_UP_MS = 30 * DAY_MS;

type RecheckRow = {
  id: number;
  kind: RecheckKind;
  subject: string;
  checks: number;
  since: number;
  next_check_at: number;
};

const RECHECKS = new Table<Omit<RecheckRow, "id"> & { status: "OPEN" }>("rechecks");

/**
 * Paid payouts and open disputes that are queried again. Concurrent queries are harmless, so a
 * claim writes nothing. Every method that writes runs inside one `transactionSync`.
 */
export class RecheckStore {
  readonly open: DueIndex;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.open = new DueIndex(sql, { table: "rechecks", index: "rechecks_open", status: "OPEN" });
  }

  /** Starts a recheck; a running one keeps its schedule. */
  add(kind: RecheckKind, subject: string, nowMs: number): void {
    RECHECKS.insert(
      this.#sql,
      {
        kind,
        subject,
        checks: 0,
        since: nowMs,
        status: "OPEN",
        next_check_at: nowMs + SCHEDULES[kind].firstMs,
      },
      "ON CONFLICT (kind, subject) DO NOTHING",
    );
  }

  /** What a recheck is about; `""` where it has ended. */
  subjectOf(id: number): string {
    return this.#find(id)?.subject ?? "";
  }

  /** Ends a recheck. */
  remove(kind: RecheckKind, subject: string): void {
    named("DELETE FROM rechecks WHERE kind = :kind AND subject = :subject").exec(this.#sql, {
      kind,
      subject,
    });
  }

  /** Whether to query the provider now: a wake-up message was sent, and no result followed. */
  claim(id: number, nowMs: number): ClaimRecheckAnswer {
    const row = this.#find(id);
    if (row === null) return { kind: "gone" };
    if (row.next_check_at > nowMs + RECHECK_RENOTIFY_AFTER_MS) return { kind: "wait" };
    return { kind: "query", recheck: { id, kind: row.kind, subject: row.subject } };
  }

  /** Stores a query's result: schedules the next one or ends the recheck. */
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
    named("UPDATE rechecks SET checks = :checks, next_check_at = :nextCheckAt WHERE id = :id").exec(
      this.#sql,
      { checks, nextCheckAt, id },
    );
  }

  #delete(id: number): void {
    this.#sql.exec("DELETE FROM rechecks WHERE id = ?", id);
  }
}
