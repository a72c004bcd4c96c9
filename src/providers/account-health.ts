import type { EndedCall } from "./call-recorder.ts";

/** So long an account may take to answer where another one could take the charge. */
export const PATIENCE_MS = 2_000;
/** Calls in a row without a timely answer that make an account silent. */
const SILENT_AFTER = 3;
/** Silences further apart than this are not in a row. */
const ROW_MS = 60_000;
/** A silent account is tried again after this, by one call. */
const TRY_AGAIN_MS = 30_000;
/** What D1 says of an account counts for so long: it is written once a minute while an account fails. */
const TOLD_MS = 3 * 60_000;
/** Accounts known at once; beyond, this isolate learns anew. */
const ACCOUNTS_MAX = 10_000;

/** Calls in a row that an account did not answer. Times in epoch milliseconds. */
interface Silence {
  count: number;
  lastAt: number;
  triedAt: number;
}

type Account = Pick<EndedCall, "companyId" | "account">;

/** What D1 knows of an account from all isolates (`provider_accounts`). */
type KnownAccount = Account & { failingSince: number | null; lastFaultAt: number | null };

/**
 * Which accounts answer, as this isolate has seen it (the circuit breaker pattern): three silences in a row make one
 * silent, each answer ends that. Every half minute one charge tries a silent account. A new isolate begins with what the
 * others have written. A charge that asks a silent account first is late, never lost.
 */
export class AccountHealth {
  readonly #silences = new Map<string, Silence>();
  readonly #told = new Set<number>();

  /** Whether D1 is to be asked about a company's accounts: once in the life of an isolate. */
  takeQuestion(companyId: number): boolean {
    if (this.#told.has(companyId)) return false;
    if (this.#told.size >= ACCOUNTS_MAX) this.#told.clear();
    this.#told.add(companyId);
    return true;
  }

  /** Learns what the other isolates found, of an account that this one knows nothing bad of. */
  learn(known: KnownAccount, nowMs: number): void {
    const key = keyOf(known);
    const lastAt = known.lastFaultAt ?? 0;
    if (!wasSilent(known, nowMs) || this.#silences.has(key)) return;
    this.#silences.set(key, { count: SILENT_AFTER, lastAt, triedAt: 0 });
  }

  /** Learns from a call that has ended. An answer after the time that a payer is kept waiting is none. */
  ended(call: Account & Pick<EndedCall, "fault" | "durationMs">, nowMs: number): void {
    const key = keyOf(call);
    if (call.fault === null && call.durationMs <= PATIENCE_MS) {
      this.#silences.delete(key);
      return;
    }
    const before = this.#silences.get(key);
    if (before === undefined && this.#silences.size >= ACCOUNTS_MAX) this.#silences.clear();
    const isInRow =
      before !== undefined && (before.count >= SILENT_AFTER || nowMs - before.lastAt <= ROW_MS);
    const count = isInRow ? before.count + 1 : 1;
    this.#silences.set(key, { count, lastAt: nowMs, triedAt: before?.triedAt ?? 0 });
  }

  /** Whether an account did not answer of late. */
  isSilent(account: Account): boolean {
    return (this.#silences.get(keyOf(account))?.count ?? 0) >= SILENT_AFTER;
  }

  /** Whether a silent account is due to be tried: then this call is the try, and no other for half a minute. */
  takeTry(account: Account, nowMs: number): boolean {
    const silence = this.#silences.get(keyOf(account));
    if (silence === undefined) return false;
    if (nowMs - Math.max(silence.lastAt, silence.triedAt) < TRY_AGAIN_MS) return false;
    silence.triedAt = nowMs;
    return true;
  }
}

/** Whether an account failed for a while, and did so a moment ago. */
function wasSilent({ failingSince, lastFaultAt }: KnownAccount, nowMs: number): boolean {
  if (failingSince === null || lastFaultAt === null) return false;
  return lastFaultAt > failingSince && nowMs - lastFaultAt <= TOLD_MS;
}

function keyOf({ companyId, account }: Account): string {
  return JSON.stringify([companyId, account]);
}
