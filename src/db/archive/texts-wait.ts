import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";
import type { TransactionRow } from "../projection/transaction-mapper.ts";

/** While the archive does not answer, events wait so long for the texts of their charges; then they go without. */
export const TEXTS_WAIT_MS = 2 * 60_000;

/** Events wait for texts that the archive does not give: the drain comes again. */
export class TextsUnreachable extends Error {
  override name = "TextsUnreachable";
}

/** Since when a company's events have waited for texts. */
export class TextsWait {
  readonly #limitMs: number;
  #since: number | null = null;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Throws `TextsUnreachable` until events that lack texts have waited long enough, from the first call on. */
  pass(lacksTexts: boolean, nowMs: number): void {
    if (!lacksTexts) {
      this.#since = null;
      return;
    }
    this.#since ??= nowMs;
    if (nowMs - this.#since < this.#limitMs) {
      throw new TextsUnreachable("events wait for texts that the archive does not give");
    }
  }
}

/** Whether an event is about a charge whose texts the archive does not give now. */
export function lackTexts(entries: OutboxEntry[], rows: TransactionRow[]): boolean {
  const lacking = new Set(
    rows.filter(({ textsMissing }) => textsMissing === "unreachable").map(({ id }) => id),
  );
  return entries.some(
    (entry) =>
      entry.kind === "transaction" && entry.event !== null && lacking.has(entry.transactionId),
  );
}
