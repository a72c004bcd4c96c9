import type { ListName } from "../../../../src/domain/reconciliation/reconciliation.ts";

/** Where a PSP shows what it has: in a list, or when it is asked about one thing by its id. */
export type Place = ListName | "look_up";

/**
 * What a PSP shows of what it has, record by record, where a test says that it shows it otherwise. A
 * record goes by its id: the end-to-end id of a payment, the txid of a charge, the idEnvio of a payout.
 */
export class Shown {
  readonly #unreadable = new Set<string>();
  readonly #before = new Map<string, unknown>();
  readonly #hidden = new Set<string>();

  /** From now on its time comes without an offset, a charge's state in a new word, a payout's amount as a number. */
  unreadable(id: string): void {
    this.#unreadable.add(id);
  }

  readable(id: string): void {
    this.#unreadable.delete(id);
  }

  isUnreadable(id: string): boolean {
    return this.#unreadable.has(id);
  }

  /** From now on it is shown as it stands now, whatever becomes of it. */
  lag(id: string, record: unknown): void {
    this.#before.set(id, structuredClone(record));
  }

  catchUp(id?: string): void {
    if (id === undefined) this.#before.clear();
    else this.#before.delete(id);
  }

  /** A record as it is shown: as it stands, or as it stood when it began to lag. */
  of<Value>(id: string, record: Value): Value {
    return (this.#before.get(id) as Value | undefined) ?? record;
  }

  hide(id: string, place: Place): void {
    this.#hidden.add(`${place} ${id}`);
  }

  reveal(id: string): void {
    for (const hidden of this.#hidden) if (hidden.endsWith(` ${id}`)) this.#hidden.delete(hidden);
  }

  isHidden(id: string, place: Place): boolean {
    return this.#hidden.has(`${place} ${id}`);
  }
}

/** `2026-11-21T12:00:00.000`: RFC 3339 asks for the offset that is missing here. */
export function withoutOffset(time: string): string {
  return time.replace(/Z$/, "");
}
