import type { Env } from "../config.ts";
import type { ProviderCalls } from "../domain/reconciliation/provider-calls.ts";
import { saoPauloDay } from "../domain/shared/business-day.ts";
import { NO_DURATIONS, withDuration } from "../domain/figures/durations.ts";
import { inBackground } from "../lib/in-background.ts";
import { errorFields, log } from "../lib/log.ts";
import { currentTrace } from "../lib/trace/trace.ts";
import type { HouseCall } from "./calls/ended-call.ts";

/** An account's calls are written this often at most: while it fails, and else. */
const FAULTS_EVERY_MS = 60_000;
const SUCCESSES_EVERY_MS = 5 * 60_000;
/** Accounts counted at once; beyond, counting starts anew. */
const ACCOUNTS_MAX = 10_000;

/** Accounts that one flush writes: an invocation may make 1,000 queries. */
const FLUSHED_MAX = 100;

/** A call of an account to its PSP that has ended. */
export interface EndedCall extends HouseCall {
  companyId: number;
  account: string;
}

/** Adds calls to what is stored; those of a name to what is stored of the day on which they began. */
type Record = (env: Env, calls: ProviderCalls[], day: string) => Promise<void>;

interface Counted extends ProviderCalls {
  /** On which the calls began: `YYYY-MM-DD` in São Paulo, as houses count what they take of a day. */
  day: string;
  writtenAt: number;
  wasFailing: boolean;
}

/**
 * Counts and logs the calls to PSPs in this isolate, and now and then adds them to D1, for the operators' status. What an
 * isolate has not written yet is lost with it: the figures are for people, no money depends on them.
 */
export class CallRecorder {
  readonly #record: Record;
  readonly #accounts = new Map<string, Counted>();

  constructor(record: Record) {
    this.#record = record;
  }

  /** Counts and logs a call, and writes in the background when it is time. */
  ended(env: Env, call: EndedCall, nowMs: number): void {
    const { companyId, account, host, fault, durationMs } = call;
    const about = { companyId, account, host, call: call.call, durationMs };
    if (fault === null) log("info", "psp_call_succeeded", about);
    else log("warn", "psp_call_failed", { ...about, fault });
    const counted = this.#countedOn(saoPauloDay(nowMs - durationMs), env, call, nowMs);
    counted.calls += 1;
    if (call.isRefused) counted.refusals += 1;
    counted.durations = withDuration(counted.durations, durationMs);
    counted.endpoints[call.call] = (counted.endpoints[call.call] ?? 0) + 1;
    if (call.quota !== undefined)
      counted.quotas[call.call] = { ...counted.quotas[call.call], ...call.quota };
    if (fault === null) counted.succeededAt = nowMs;
    else {
      counted.faults += 1;
      counted.faultedAt = nowMs;
      const traceId = currentTrace() ?? null;
      counted.lastFault = { call: call.call, fault, traceId, durationMs };
    }
    const isUrgent = counted.faults > 0 || counted.wasFailing;
    const wait = isUrgent ? FAULTS_EVERY_MS : SUCCESSES_EVERY_MS;
    if (nowMs - counted.writtenAt >= wait) void inBackground(this.#write(env, [counted], nowMs));
  }

  /** Writes what this isolate has not written yet, of at most 100 accounts, in one trip for each day. */
  async flush(env: Env, nowMs: number): Promise<void> {
    const unwritten = [...this.#accounts.values()].filter(({ calls }) => calls > 0);
    await this.#write(env, unwritten.slice(0, FLUSHED_MAX), nowMs);
  }

  /** Begins to count anew before it writes, so that no call is counted twice. */
  async #write(env: Env, counted: Counted[], nowMs: number): Promise<void> {
    if (counted.length === 0) return;
    for (const each of counted) {
      const { day, faultedAt, succeededAt } = each;
      const wasFailing = faultedAt !== null && faultedAt > (succeededAt ?? 0);
      const anew = { ...emptyCount(each), day, writtenAt: nowMs, wasFailing };
      this.#accounts.set(keyOf(each), anew);
    }
    for (const [day, ofDay] of Map.groupBy(counted, (each) => each.day)) {
      try {
        await this.#record(env, ofDay.map(withoutState), day);
      } catch (error) {
        log("warn", "psp_calls_not_recorded", errorFields(error));
      }
    }
  }

  /** What is counted of an account on a day. Of another day it is written first. */
  #countedOn(day: string, env: Env, call: EndedCall, nowMs: number): Counted {
    const counted = this.#countedOf(call, day);
    if (counted.day === day) return counted;
    if (counted.calls > 0) void inBackground(this.#write(env, [counted], nowMs));
    const anew = this.#countedOf(call, day);
    anew.day = day;
    return anew;
  }

  #countedOf(call: EndedCall, day: string): Counted {
    const key = keyOf(call);
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    if (this.#accounts.size >= ACCOUNTS_MAX) this.#accounts.clear();
    const counted = { ...emptyCount(call), day, writtenAt: 0, wasFailing: false };
    this.#accounts.set(key, counted);
    return counted;
  }
}

function keyOf({
  companyId,
  account,
  host,
}: Pick<EndedCall, "companyId" | "account" | "host">): string {
  return JSON.stringify([companyId, account, host]);
}

function withoutState({
  day: _day,
  writtenAt: _writtenAt,
  wasFailing: _wasFailing,
  ...calls
}: Counted): ProviderCalls {
  return calls;
}

function emptyCount({
  companyId,
  account,
  host,
}: Pick<EndedCall, "companyId" | "account" | "host">): ProviderCalls {
  const none = {
    calls: 0,
    faults: 0,
    refusals: 0,
    succeededAt: null,
    faultedAt: null,
    lastFault: null,
  };
  return { companyId, account, host, ...none, durations: NO_DURATIONS, endpoints: {}, quotas: {} };
}
