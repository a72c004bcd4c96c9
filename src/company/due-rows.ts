/** What ends a row along with its last change: an index is written whenever a column of it is named. */
export const ENDS = ", open = NULL";

/**
 * The rows of a table that something is owed to a provider for: those that are `open`, which a partial
 * index holds, whose entry stays as it is until they end. When each is due is read once and then kept
 * in memory, as is when a hint was given of it: an instance that begins anew gives it again, which is
 * harmless.
 */
export class DueRows {
  readonly #sql: SqlStorage;
  readonly #table: "withdraws" | "operations";
  /** When each is due; null until it is read. */
  #dueTimes: Map<number, number> | null = null;
  /** Times that stand in no row, each before its row's. */
  readonly #sooner = new Map<number, number>();
  /** Until when those that a hint was given of are left alone. */
  readonly #deferred = new Map<number, number>();

  constructor(sql: SqlStorage, table: "withdraws" | "operations") {
    this.#sql = sql;
    this.#table = table;
  }

  /** A row was written: it is due then, or never again. */
  set(id: number, nextCheckAt: number | null): void {
    this.#sooner.delete(id);
    this.#deferred.delete(id);
    if (nextCheckAt === null) this.#dueTimes?.delete(id);
    else this.#dueTimes?.set(id, nextCheckAt);
  }

  /** It is due sooner than its row says: nothing is lost where that is forgotten with the instance. */
  hasten(id: number, dueAt: number): void {
    this.#sooner.set(id, dueAt);
    this.#deferred.delete(id);
  }

  /** What is remembered of the table may not be what stands there: it is read again. */
  forget(): void {
    this.#dueTimes = null;
  }

  /** Ids that must be looked after by now, longest due first. */
  due(nowMs: number, limit: number): number[] {
    return this.#times()
      .filter(({ dueAt }) => dueAt <= nowMs)
      .toSorted((left, right) => left.dueAt - right.dueAt || left.id - right.id)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  /** Says when these must be looked after next, whatever comes of the hint just sent. */
  defer(ids: number[], until: number): void {
    for (const id of ids) this.#deferred.set(id, until);
  }

  nextDueAt(): number | null {
    let next: number | null = null;
    for (const { dueAt } of this.#times()) next = Math.min(next ?? dueAt, dueAt);
    return next;
  }

  #times(): { id: number; dueAt: number }[] {
    this.#dueTimes ??= this.#read();
    return [...this.#dueTimes].map(([id, at]) => ({
      id,
      dueAt: Math.max(this.#sooner.get(id) ?? at, this.#deferred.get(id) ?? 0),
    }));
  }

  #read(): Map<number, number> {
    const rows = this.#sql.exec<{ id: number; next_check_at: number }>(
      `SELECT id, next_check_at FROM ${this.#table} INDEXED BY ${this.#table}_open
       WHERE open = 1 AND next_check_at IS NOT NULL`,
    );
    const dueTimes = new Map<number, number>();
    for (const { id, next_check_at: dueAt } of rows) dueTimes.set(id, dueAt);
    for (const kept of [this.#deferred, this.#sooner]) {
      for (const id of kept.keys()) if (!dueTimes.has(id)) kept.delete(id);
    }
    return dueTimes;
  }
}
