import { evictDurableObject } from "cloudflare:test";
import { expect, vi } from "vitest";
import type { Archive, Notifier, Projection } from "../../../src/company/outbox/ports.ts";
import { companyStub } from "../../../src/company-client/stub.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import {
  configureObject,
  env,
  inAccount,
  type TestCompany,
} from "../builders/companies/company.ts";

/** Why a killed object's calls fail. */
const DEATH = "the object died";

/** Replaces what the live instance has of these; the returned function restores all. */
export async function replaceInObject(
  company: TestCompany,
  replacements: {
    projection?: (real: Projection) => Projection;
    archive?: (real: Archive | null) => Archive | null;
    notifier?: Notifier;
  },
): Promise<() => Promise<void>> {
  const { projection, archive, notifier } = await inAccount(company.id, (account) => {
    const before = {
      projection: account.projection,
      archive: account.archive,
      notifier: account.notifier,
    };
    if (replacements.projection !== undefined)
      account.projection = replacements.projection(account.projection);
    if (replacements.archive !== undefined) account.archive = replacements.archive(account.archive);
    if (replacements.notifier !== undefined) account.notifier = replacements.notifier;
    return {
      projection: () => before.projection,
      archive: () => before.archive,
      notifier: () => before.notifier,
    };
  });
  return () =>
    inAccount(company.id, (account) => {
      account.projection = projection();
      account.archive = archive();
      account.notifier = notifier();
    });
}

/** A projection whose D1 takes everything and keeps nothing. */
export function acceptingProjection(): { projection: () => Projection } {
  return {
    projection: () => ({
      write: async (_companyId, entries) => ({ due: [], change: { charges: [], entries } }),
    }),
  };
}

/** A projection whose D1 is down; `calls` counts the attempts. */
export function unavailableProjection(): { projection: () => Projection; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    projection: () => ({
      write: () => {
        calls += 1;
        return Promise.reject(new Error("D1_ERROR: D1 is down"));
      },
    }),
  };
}

/** Evicts a company's object, also one that has left memory by itself: it is woken first. */
export async function evictObject(companyId: number): Promise<void> {
  await inAccount(companyId, () => undefined);
  await evictDurableObject(companyStub(env, companyId));
}

/** Ends a company's object as a process that dies; the calls of other objects go on. */
export async function killObject({ id }: TestCompany): Promise<void> {
  await expect(inAccount(id, (_account, state) => state.abort(DEATH))).rejects.toThrow(DEATH);
}

/**
 * Evicts the object and configures its next instance. Its waits for a slow D1 are cut short:
 * eviction would wait for them.
 */
export async function evict(company: TestCompany, options: { clock?: Clock } = {}): Promise<void> {
  await evictDurableObject(companyStub(env, company.id));
  await configureObject(company.id, options);
}

/** How often a call that keeps an object in memory looks whether it may end. */
const HOLD_POLL_MS = 10;

/** Keeps the object in memory, also where a busy machine leaves it idle for ten seconds; the returned function ends that. */
export function keepInMemory(company: TestCompany): () => Promise<void> {
  const kept = new AbortController();
  const call = inAccount(company.id, async () => {
    while (!kept.signal.aborted) await scheduler.wait(HOLD_POLL_MS);
  });
  return () => {
    kept.abort();
    return call;
  };
}

/** Removes the drain's timeout, so that no timer outlives the test. */
export function disableDrainTimeout(): void {
  vi.spyOn(scheduler, "wait").mockImplementation(() => new Promise(() => undefined));
}

/** Fails the next commit after its last statement, its alarm included. */
export function failNextCommit(company: TestCompany): Promise<void> {
  return inAccount(company.id, (_, { storage }) => {
    const commit = storage.transactionSync.bind(storage);
    storage.transactionSync = (change) => {
      storage.transactionSync = commit;
      return commit(() => {
        change();
        throw new Error("died at the end of the commit");
      });
    };
  });
}
