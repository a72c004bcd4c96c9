import { evictDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import type { Hints, Records } from "../../../src/company/outbox/records.ts";
import { companyStub } from "../../../src/company-client/stub.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import { arrangeObject, env, inAccount, type TestCompany } from "../builders/company.ts";

/**
 * Puts another way to D1 or to the queues into the company's live instance, and answers what puts
 * the old one back.
 */
export async function replaceInObject(
  company: TestCompany,
  parts: { records?: (real: Records) => Records; hints?: Hints },
): Promise<() => Promise<void>> {
  const { records, hints } = await inAccount(company.id, (account) => {
    const before = { records: account.records, hints: account.hints };
    if (parts.records !== undefined) account.records = parts.records(account.records);
    if (parts.hints !== undefined) account.hints = parts.hints;
    return { records: () => before.records, hints: () => before.hints };
  });
  return () =>
    inAccount(company.id, (account) => {
      account.records = records();
      account.hints = hints();
    });
}

/** A D1 that is down, as the object sees it; `calls` counts what was tried. */
export function downRecords(): { records: () => Records; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    records: () => ({
      apply: () => {
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
export async function evict(company: TestCompany, parts: { clock?: Clock } = {}): Promise<void> {
  await evictDurableObject(companyStub(env, company.id));
  await arrangeObject(company.id, parts);
}

/** What an object may owe anybody, by table. */
const OWED = [
  "outbox",
  "outbox_set_aside",
  "withdraws",
  "operations",
  "disputes",
  "rechecks",
  "releases",
];

/** Leaves an object nothing to do, so that its alarms say nothing while other files' tests run. */
export async function leaveAtRest(companyId: number): Promise<void> {
  await inAccount(companyId, async (_account, { storage }) => {
    for (const table of OWED) storage.sql.exec(`DELETE FROM ${table}`);
    await storage.deleteAlarm();
  });
}

/** Lets the object's drain be waited for without a timer that outlives it. */
export function withoutDrainTimers(): void {
  vi.spyOn(scheduler, "wait").mockImplementation(() => new Promise(() => undefined));
}

/** Hints that remember what they were given. */
export function rememberedHints() {
  const deliveryIds: string[] = [];
  const withdrawIds: number[] = [];
  const recheckIds: number[] = [];
  const hints: Hints = {
    deliveries: async (ids) => void deliveryIds.push(...ids),
    payouts: async (_companyId, due) => {
      withdrawIds.push(...due.withdrawIds);
      recheckIds.push(...due.recheckIds);
    },
  };
  return { ...hints, deliveryIds, withdrawIds, recheckIds };
}
