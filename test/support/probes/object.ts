import { evictDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import type { Notifier, Projection } from "../../../src/company/outbox/ports.ts";
import { companyStub } from "../../../src/company-client/stub.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import { configureObject, env, inAccount, type TestCompany } from "../builders/company.ts";

/**
 * Puts another way to D1 or to the queues into the company's live instance, and answers what puts
 * the old one back.
 */
export async function replaceInObject(
  company: TestCompany,
  replacements: { projection?: (real: Projection) => Projection; notifier?: Notifier },
): Promise<() => Promise<void>> {
  const { projection, notifier } = await inAccount(company.id, (account) => {
    const before = { projection: account.projection, notifier: account.notifier };
    if (replacements.projection !== undefined)
      account.projection = replacements.projection(account.projection);
    if (replacements.notifier !== undefined) account.notifier = replacements.notifier;
    return { projection: () => before.projection, notifier: () => before.notifier };
  });
  return () =>
    inAccount(company.id, (account) => {
      account.projection = projection();
      account.notifier = notifier();
    });
}

/** A D1 that is down, as the object sees it; `calls` counts what was tried. */
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

/**
 * Takes the object out of memory, as the platform may at any time, and arranges the next instance
 * like the one before. Its own waits for a slow D1 are cut short: eviction would wait for them.
 */
export async function evict(company: TestCompany, options: { clock?: Clock } = {}): Promise<void> {
  await evictDurableObject(companyStub(env, company.id));
  await configureObject(company.id, options);
}

/** What an object may owe anybody, by table. */
const BACKLOG_TABLES = [
  "outbox",
  "outbox_set_aside",
  "withdraws",
  "operations",
  "disputes",
  "rechecks",
  "releases",
];

/** Leaves an object nothing to do, so that its alarms say nothing while other files' tests run. */
export async function clearBacklog(companyId: number): Promise<void> {
  await inAccount(companyId, async (_account, { storage }) => {
    for (const table of BACKLOG_TABLES) storage.sql.exec(`DELETE FROM ${table}`);
    await storage.deleteAlarm();
  });
}

/** Lets the object's drain be waited for without a timer that outlives it. */
export function disableDrainTimeout(): void {
  vi.spyOn(scheduler, "wait").mockImplementation(() => new Promise(() => undefined));
}

/** Hints that remember what they were given. */
export function recordingNotifier() {
  const deliveryIds: string[] = [];
  const withdrawIds: number[] = [];
  const recheckIds: number[] = [];
  const notifier: Notifier = {
    notifyDeliveries: async (ids) => void deliveryIds.push(...ids),
    notifyPayouts: async (_companyId, due) => {
      withdrawIds.push(...due.withdrawIds);
      recheckIds.push(...due.recheckIds);
    },
  };
  return { ...notifier, deliveryIds, withdrawIds, recheckIds };
}
