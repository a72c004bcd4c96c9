import { saoPauloDay, saoPauloNight, startOfDay } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { sumsAt } from "./running-sums.ts";
import { NOT_REVERSED, type StoredWithdraw, type WithdrawStore } from "./withdraw-store.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** As stored; `mandate`: of an application with spending limits. */
type SumKind = "key" | "mandate";

/** A row of `withdraw_sums` but its amount. */
type DaySum = {
  kind: SumKind;
  subject: string;
  day: string;
};

/** Withdraws from before the limit for each key was switched on that one sum reads at most. */
const UNCOUNTED_SCAN_MAX = 1_000;

const WITHDRAW_SUMS = new Table<DaySum & { amount: number }>("withdraw_sums");

/**
 * Centavos withdrawn and not given back. The newest withdraw has the sums of its day and night, which every
 * withdraw continues; `withdraw_sums` has a day's sum for each key and application, while a limit asks for it.
 */
export class WithdrawSumStore {
  readonly #sql: SqlStorage;
  readonly #withdraws: Pick<WithdrawStore, "newest">;

  constructor(sql: SqlStorage, withdraws: Pick<WithdrawStore, "newest">) {
    this.#sql = sql;
    this.#withdraws = withdraws;
  }

  /** Centavos withdrawn on the day of `at` (São Paulo). */
  ofDay(at: number): Cents {
    return sumsAt(this.#withdraws.newest.read(), at).day;
  }

  /** Centavos withdrawn on the day of `at` that nobody approved and that wait for nobody. */
  unapprovedOfDay(at: number): Cents {
    return sumsAt(this.#withdraws.newest.read(), at).unapproved;
  }

  /** Centavos withdrawn in the night of `at`; 0 by day. */
  ofNight(at: number): Cents {
    return sumsAt(this.#withdraws.newest.read(), at).night;
  }

  /**
   * Centavos withdrawn to a key on the day of `at`. Of withdraws from before the limit was switched on,
   * today's are read one by one, at most `UNCOUNTED_SCAN_MAX`.
   */
  ofKey(pixKey: string, at: number): Cents {
    const day = saoPauloDay(at);
    return this.#stored("key", pixKey, day) + this.#uncounted(pixKey, startOfDay(day));
  }

  /** Centavos that an application asked for or approved, under its spending limits, on the day of `at`. */
  ofApplication(clientId: string, at: number): Cents {
    return this.#stored("mandate", clientId, saoPauloDay(at));
  }

  /** Counts a new withdraw for its key and application. Its row has the sums of its day and night. */
  add(withdraw: StoredWithdraw): void {
    for (const sum of sumsOf(withdraw)) this.#addTo(sum, withdraw.amount);
  }

  /** Counts an approved withdraw for the application that approved it, if its spending limits name a day's. */
  addApproval(withdraw: StoredWithdraw): void {
    for (const sum of approvalSumOf(withdraw)) this.#addTo(sum, withdraw.amount);
  }

  /**
   * Gives centavos back to the limits of the withdraw's own day and night, if these are the newest; a
   * negative amount takes them again.
   */
  restore(withdraw: StoredWithdraw, amount: Cents): void {
    const newest = this.#withdraws.newest.read();
    if (newest === null) return;
    const day = saoPauloDay(withdraw.createdAt);
    const night = saoPauloNight(withdraw.createdAt);
    const ofDay = saoPauloDay(newest.created_at) === day ? amount : 0;
    const ofNight = night !== null && saoPauloNight(newest.created_at) === night ? amount : 0;
    if (ofDay !== 0 || ofNight !== 0) {
      // The sum of what nobody approved is younger than the others: it may lack withdraws of its first day.
      named(
        `UPDATE withdraws SET day_sum = day_sum - :ofDay,
           unapproved_sum = max(0, unapproved_sum - :unapproved), night_sum = night_sum - :ofNight WHERE id = :id`,
      ).exec(this.#sql, {
        ofDay,
        unapproved: withdraw.approval === "none" ? ofDay : 0,
        ofNight,
        id: newest.id,
      });
      this.#withdraws.newest.forget();
    }
    for (const sum of [...sumsOf(withdraw), ...approvalSumOf(withdraw)]) {
      named(
        "UPDATE withdraw_sums SET amount = amount - :amount WHERE kind = :kind AND subject = :subject AND day = :day",
      ).exec(this.#sql, { amount, kind: sum.kind, subject: sum.subject, day: sum.day });
    }
  }

  #addTo({ kind, subject, day }: DaySum, amount: Cents): void {
    WITHDRAW_SUMS.insert(
      this.#sql,
      {
        kind,
        subject,
        day,
        amount,
      },
      `ON CONFLICT (kind, subject) DO UPDATE SET
         amount = excluded.amount + CASE WHEN day = excluded.day THEN amount ELSE 0 END,
         day = excluded.day`,
    );
  }

  #stored(kind: SumKind, subject: string, day: string): Cents {
    const [row] = named(
      "SELECT amount FROM withdraw_sums WHERE kind = :kind AND subject = :subject AND day = :day",
    )
      .exec<{ amount: number }>(this.#sql, { kind, subject, day })
      .toArray();
    return row?.amount ?? 0;
  }

  /** Centavos to a key since `sinceMs` by withdraws that were not counted for their key. */
  #uncounted(pixKey: string, sinceMs: number): Cents {
    const newest = this.#withdraws.newest.read();
    if (newest === null) return 0;
    const rows = named(
      `SELECT created_at, amount - returned_amount AS amount,
         pix_key = :pixKey AND keys_from IS NULL AND ${NOT_REVERSED} AS counts
       FROM withdraws WHERE id < :before ORDER BY id DESC LIMIT :limit`,
    ).exec<{
      created_at: number;
      amount: number;
      counts: number;
    }>(this.#sql, { pixKey, before: newest.keys_from ?? newest.id + 1, limit: UNCOUNTED_SCAN_MAX });
    let sum = 0;
    for (const { created_at: createdAt, amount, counts } of rows) {
      if (createdAt < sinceMs) break;
      if (counts === 1) sum += amount;
    }
    return sum;
  }
}

/** The sums of its day that a withdraw is counted in. */
function sumsOf({ countedFor, pixKey, requestedBy, createdAt }: StoredWithdraw): DaySum[] {
  const day = saoPauloDay(createdAt);
  return [
    ...(countedFor.key ? [{ kind: "key" as const, subject: pixKey, day }] : []),
    ...(countedFor.spendingLimits && requestedBy !== null
      ? [{ kind: "mandate" as const, subject: requestedBy.id, day }]
      : []),
  ];
}

/** The sum of the day of its approval; none if the application that approved it has no limit. */
function approvalSumOf({ countedFor: { approvalAt }, decidedBy }: StoredWithdraw): DaySum[] {
  if (approvalAt === null || decidedBy === null) return [];
  return [{ kind: "mandate", subject: decidedBy.id, day: saoPauloDay(approvalAt) }];
}
