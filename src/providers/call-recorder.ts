import type { Env } from "../config.ts";
import type { ProviderCalls } from "../domain/reconciliation/provider-calls.ts";
import { errorFields, log } from "../lib/log.ts";
import { currentTrace } from "../lib/trace/trace.ts";

/** An account's calls are written this often at most: while it fails, and else. */
const FAULTS_EVERY_MS = 60_000;
const SUCCESSES_EVERY_MS = 5 * 60_000;
/** Accounts counted at once; beyond, counting starts anew. */
const ACCOUNTS_MAX = 10_000;

/** A call to a PSP that has ended. */
export interface EndedCall {
  companyId: number;
  account: string;
  host: string;
  call: string;
  /** Why no readable answer came; null for one that came. */
  fault: string | null;
  durationMs: number;
}

/** Adds calls to what is stored. */
type Record = (env: Env, calls: ProviderCalls) => Promise<void>;

interface Counted extends ProviderCalls {
  writtenAt: number;
  wasFailing: boolean;
}

/**
 * Counts the calls to PSPs in this isolate, and now and then adds them to D1, for the operators' status. What an
 * isolate has not written yet is lost with it: the figures are for people, no money depends on them.
 */
export class CallRecorder {
  readonly #record: Record;
  readonly #accounts = new Map<string, Counted>();

  constructor(record: Record) {
    this.#record = record;
  }

  /** Counts a call, logs a fault, and writes in the background when it is time. */
  ended(env: Env, call: EndedCall, nowMs: number): void {
    const { companyId, account, host, fault, durationMs } = call;
    if (fault !== null) {
      const about = { companyId, account, host, call: call.call, fault, durationMs };
      log("warn", "psp_call_failed", about);
    }
    const counted = this.#countedOf(call);
    counted.calls += 1;
    if (fault === null) counted.succeededAt = nowMs;
    else {
      counted.faults += 1;
      counted.faultedAt = nowMs;
      const traceId = currentTrace() ?? null;
      counted.lastFault = { call: call.call, fault, traceId, durationMs };
    }
    const isUrgent = counted.faults > 0 || counted.wasFailing;
    const wait = isUrgent ? FAULTS_EVERY_MS : SUCCESSES_EVERY_MS;
    if (nowMs - counted.writtenAt < wait) return;
    this.#accounts.set(keyOf(call), {
      ...emptyCount({ companyId, account, host }),
      writtenAt: nowMs,
      wasFailing: fault !== null,
    });
    void inBackground(this.#write(env, counted));
  }

  async #write(env: Env, calls: ProviderCalls): Promise<void> {
    try {
      await this.#record(env, calls);
    } catch (error) {
      log("warn", "psp_calls_not_recorded", errorFields(error));
    }
  }

  #countedOf(call: EndedCall): Counted {
    const key = keyOf(call);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    if (this.#accounts.size >= ACCOUNTS_MAX) this.#accounts.clear();
    const counted = { ...emptyCount(call), writtenAt: 0, wasFailing: false };
    this.#accounts.set(key, counted);
    return counted;
  }
}

function keyOf({ companyId, account, host }: EndedCall): string {
  return JSON.stringify([companyId, account, host]);
}

function emptyCount({
  companyId,
  account,
  host,
}: Pick<EndedCall, "companyId" | "account" | "host">): ProviderCalls {
  const none = { calls: 0, faults: 0, succeededAt: null, faultedAt: null, lastFault: null };
  return { companyId, account, host, ...none };
}

/** The answer does not wait for it; unit tests have no platform. */
async function inBackground(work: Promise<void>): Promise<void> {
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(work);
}
