import type { ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";

/** Where a PSP shows what it has: in a list, or when it is asked about one thing by its id. */
export type ViewName = ListName | "look_up";

/**
 * What a PSP shows of what it has, record by record, where a test says that it shows it otherwise. A
 * record goes by its id: the end-to-end id of a payment, the txid of a charge, the idEnvio of a payout.
 */
export class RecordViews {
  readonly #unreadable = new Set<string>();
  readonly #staleViews = new Map<string, unknown>();
  readonly #hidden = new Set<string>();

  /** From now on its time comes without an offset, a charge's state in a new word, a payout's amount as a number. */
  makeUnreadable(id: string): void {
    this.#unreadable.add(id);
  }

  makeReadable(id: string): void {
    this.#unreadable.delete(id);
  }

  isUnreadable(id: string): boolean {
    return this.#unreadable.has(id);
  }

  /** From now on it is shown as it stands now, whatever becomes of it. */
  freeze(id: string, record: unknown): void {
    this.#staleViews.set(id, structuredClone(record));
  }

  catchUp(id?: string): void {
    if (id === undefined) this.#staleViews.clear();
    else this.#staleViews.delete(id);
  }

  /** A record as it is shown: as it stands, or as it stood when it began to lag. */
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

/** `2026-11-21T12:00:00.000`: RFC 3339 asks for the offset that is missing here. */
export function withoutOffset(time: string): string {
  return time.replace(/Z$/, "");
}
