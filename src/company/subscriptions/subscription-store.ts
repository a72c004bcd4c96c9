import type { Dunning } from "../../domain/subscriptions/subscription.ts";
import type { StepKind } from "../../domain/subscriptions/next-step.ts";
import type {
  Subscription,
  SubscriptionCustomer,
  SubscriptionMandate,
  SubscriptionTerms,
} from "../../domain/subscriptions/records.ts";
import type { SubscriptionStatus } from "../../domain/subscriptions/subscription.ts";
import { DueTime } from "../storage/due-time.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** A subscription as the object keeps it. Times are epoch milliseconds. */
export interface StoredSubscription extends Subscription {
  /** Events of it so far. */
  eventSequence: number;
  /** When the PSP last told of the mandate; null before. */
  mandateCheckedAt: number | null;
  /** What is to be done at `nextCheckAt`. */
  step: StepKind | null;
  /** Answers in a row that told nothing; the wait grows with them. */
  checks: number;
  /** Until then one Worker does the step. */
  leaseUntil: number;
  /** Null when nothing is left to do. */
  nextCheckAt: number | null;
}

type SubscriptionRow = {
  number: number;
  id: string;
  external_ref: string;
  status: string;
  description: string;
  customer: string;
  terms: string;
  amount: number;
  account: string;
  mandate: string;
  dunning: string | null;
  next_cycle: number;
  approval_expires_at: number;
  metadata: string | null;
  created_at: number;
  updated_at: number;
  version: number;
  event_sequence: number;
  mandate_checked_at: number | null;
  step: string | null;
  checks: number;
  lease_until: number;
  next_check_at: number | null;
  secure_random: string;
};

const SUBSCRIPTIONS = new Table<SubscriptionRow>("subscriptions");

/** The rows with something to do, in its order. */
const DUE = "FROM subscriptions INDEXED BY subscriptions_due WHERE next_check_at IS NOT NULL";

/** Subscriptions. None is ever deleted. */
export class SubscriptionStore {
  readonly #sql: SqlStorage;
  /** When the first is due. */
  readonly next: DueTime;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.next = new DueTime(sql, `SELECT next_check_at ${DUE} ORDER BY next_check_at LIMIT 1`);
  }

  /** The number of the newest; 0 before the first. */
  newest(): number {
    return this.#sql
      .exec<{ newest: number }>("SELECT coalesce(max(number), 0) AS newest FROM subscriptions")
      .one().newest;
  }

  find(id: string): StoredSubscription | null {
    const [row] = this.#sql
      .exec<SubscriptionRow>("SELECT * FROM subscriptions WHERE id = ?", id)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  findNumber(number: number): StoredSubscription | null {
    const [row] = this.#sql
      .exec<SubscriptionRow>("SELECT * FROM subscriptions WHERE number = ?", number)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** The subscriptions after a number, ascending. */
  after(number: number, limit: number): StoredSubscription[] {
    return named("SELECT * FROM subscriptions WHERE number > :number ORDER BY number LIMIT :limit")
      .exec<SubscriptionRow>(this.#sql, { number, limit })
      .toArray()
      .map(fromRow);
  }

  /** Numbers of due ones, longest due first. */
  due(nowMs: number, limit: number): number[] {
    return this.dueBy(nowMs, limit).map(({ number }) => number);
  }

  /** The first that are due by a time (epoch ms), when, and for what. */
  dueBy(
    until: number,
    limit: number,
  ): { at: number; number: number; id: string; step: string | null }[] {
    return named(
      `SELECT next_check_at AS at, number, id, step ${DUE} AND next_check_at <= :until
       ORDER BY next_check_at LIMIT :limit`,
    )
      .exec<{ at: number; number: number; id: string; step: string | null }>(this.#sql, {
        until,
        limit,
      })
      .toArray();
  }

  /** Makes these due at `until` (epoch ms), as when they are told of. */
  snooze(numbers: number[], until: number): void {
    if (numbers.length === 0) return;
    named(
      `UPDATE subscriptions SET next_check_at = :until
       WHERE number IN (SELECT value FROM json_each(:numbers))`,
    ).exec(this.#sql, { until, numbers: JSON.stringify(numbers) });
  }

  /** Whether one has something to do, at an account or (null) at any. */
  hasOpen(account: string | null): boolean {
    const rows = this.#sql.exec(`SELECT 1 ${DUE} AND coalesce(account = ?, true) LIMIT 1`, account);
    return rows.toArray().length > 0;
  }

  /** Makes one due now, if nobody works on it. */
  hasten(id: string, nowMs: number): void {
    named(
      `UPDATE subscriptions SET next_check_at = :nowMs
       WHERE id = :id AND coalesce(next_check_at > :nowMs, true) AND lease_until <= :nowMs`,
    ).exec(this.#sql, { id, nowMs });
  }

  save(subscription: StoredSubscription): void {
    SUBSCRIPTIONS.replace(this.#sql, {
      number: subscription.number,
      id: subscription.id,
      external_ref: subscription.externalRef,
      status: subscription.status,
      description: subscription.description,
      customer: JSON.stringify(subscription.customer),
      terms: JSON.stringify(subscription.terms),
      amount: subscription.amount,
      account: subscription.account,
      mandate: JSON.stringify(subscription.mandate),
      dunning: subscription.dunning === null ? null : JSON.stringify(subscription.dunning),
      next_cycle: subscription.nextCycle,
      approval_expires_at: subscription.approvalExpiresAt,
      metadata: subscription.metadata,
      created_at: subscription.createdAt,
      updated_at: subscription.updatedAt,
      version: subscription.version,
      event_sequence: subscription.eventSequence,
      mandate_checked_at: subscription.mandateCheckedAt,
      step: subscription.step,
      checks: subscription.checks,
      lease_until: subscription.leaseUntil,
      next_check_at: subscription.nextCheckAt,
      secure_random: subscription.secureRandom,
    });
  }
}

/** A stored subscription as D1 and the API have it. */
export function toSubscription({
  eventSequence: _sequence,
  mandateCheckedAt: _checkedAt,
  step: _step,
  checks: _checks,
  leaseUntil: _lease,
  nextCheckAt: _next,
  ...subscription
}: StoredSubscription): Subscription {
  return subscription;
}

function fromRow(row: SubscriptionRow): StoredSubscription {
  return {
    number: row.number,
    id: row.id,
    externalRef: row.external_ref,
    status: row.status as SubscriptionStatus,
    description: row.description,
    customer: JSON.parse(row.customer) as SubscriptionCustomer,
    terms: JSON.parse(row.terms) as SubscriptionTerms,
    amount: row.amount,
    account: row.account,
    mandate: JSON.parse(row.mandate) as SubscriptionMandate,
    dunning: row.dunning === null ? null : (JSON.parse(row.dunning) as Dunning),
    nextCycle: row.next_cycle,
    approvalExpiresAt: row.approval_expires_at,
    metadata: row.metadata,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    eventSequence: row.event_sequence,
    mandateCheckedAt: row.mandate_checked_at,
    step: row.step as StepKind | null,
    checks: row.checks,
    leaseUntil: row.lease_until,
    nextCheckAt: row.next_check_at,
    secureRandom: row.secure_random,
  };
}
