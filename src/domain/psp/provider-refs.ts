import { createdAtOfTransactionId } from "../shared/ids.ts";

/** Nobody takes a database back in time, and goes on, in less. */
const RESTORE_MIN_MS = 10 * 60_000;

/**
 * What an adapter must remember of a charge or a refund between two calls, by our id: the ids that the provider gave,
 * and what was sent. Stored before the next call (`providerRefsOf`).
 */
export interface ProviderRefs {
  /** Null for nothing. */
  read(id: string): Promise<unknown>;
  /** Those of many ids that are there, in one trip. */
  readAll(ids: string[]): Promise<Map<string, unknown>>;
  /** Replaces what was there. */
  save(id: string, ref: object): Promise<void>;
  /** Replaces `before` (null for nothing) where that is still there. False where another call was faster. */
  swap(id: string, before: object | null, ref: object): Promise<boolean>;
  /** Whether some may be forgotten: the database was taken back in time. */
  mayBeLost(): Promise<boolean>;
}

/**
 * Whether what was remembered of a charge of ours may be gone, so that the provider is asked for it: not of a new one.
 * It names its time (`createdAtOfTransactionId`).
 */
export function mayBeForgotten(chargeId: string, nowMs: number): boolean {
  return createdAtOfTransactionId(chargeId) + RESTORE_MIN_MS <= nowMs;
}

/**
 * The same, with what is under some ids read in one trip, as for a page of a list. Each is used once: who reads it again
 * may have to see what has changed.
 */
export async function readAhead(refs: ProviderRefs, ids: string[]): Promise<ProviderRefs> {
  const found = await refs.readAll(ids);
  const ahead = new Map(ids.map((id) => [id, found.get(id) ?? null]));
  return {
    read: (id) => {
      const ref = ahead.get(id);
      return ahead.delete(id) ? Promise.resolve(ref) : refs.read(id);
    },
    readAll: (others) => refs.readAll(others),
    save: (id, ref) => refs.save(id, ref),
    swap: (id, before, ref) => refs.swap(id, before, ref),
    mayBeLost: () => refs.mayBeLost(),
  };
}
