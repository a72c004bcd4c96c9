import type { ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";

/** The view of a record: a list or a lookup by id. */
export type ViewName = ListName | "look_up";

/**
 * Views of single records that differ from their true state. A record's id is the end-to-end id
 * of a payment, the txid of a charge, or the idEnvio of a payout.
 */
export class RecordViews {
  readonly #unreadable = new Map<string, string | null>();
  readonly #staleViews = new Map<string, unknown>();
  readonly #hidden = new Set<string>();

  /**
   * Makes a record unreadable: a time without an offset, an unknown charge status, or a numeric
   * payout amount. `horario`: of a payment, a time that cannot be in its place.
   */
  makeUnreadable(id: string, horario: string | null = null): void {
    this.#unreadable.set(id, horario);
  }

  makeReadable(id: string): void {
    this.#unreadable.delete(id);
  }

  isUnreadable(id: string): boolean {
    return this.#unreadable.has(id);
  }

  wrongTimeOf(id: string): string | null {
    return this.#unreadable.get(id) ?? null;
  }

  /** Freezes a record's view at its present state. */
  freeze(id: string, record: unknown): void {
    this.#staleViews.set(id, structuredClone(record));
  }

  catchUp(id?: string): void {
    if (id === undefined) this.#staleViews.clear();
    else this.#staleViews.delete(id);
  }

  /** A record's view: its present state, or its frozen one. */
  currentView<Value>(id: string, record: Value): Value {
    return (this.#staleViews.get(id) as Value | undefined) ?? record;
  }

  hide(id: string, place: ViewName): void {
    this.#hidden.add(`${place} ${id}`);
  }

  reveal(id: string): void {
    for (const hidden of this.#hidden) if (hidden.endsWith(` ${id}`)) this.#hidden.delete(hidden);
  }

  isHidden(id: string, place: ViewName): boolean {
    return this.#hidden.has(`${place} ${id}`);
  }
}

/** `2026-11-21T12:00:00.000`: RFC 3339 requires the missing offset. */
export function withoutOffset(time: string): string {
  return time.replace(/Z$/, "");
}
