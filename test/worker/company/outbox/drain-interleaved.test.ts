import { expect, it } from "vitest";
import { drainOutbox, type DrainSteps } from "../../../../src/company/outbox/drain.ts";
import { OutboxStore } from "../../../../src/company/outbox/outbox-store.ts";
import { EntryRejected, type OutboxEntry } from "../../../../src/domain/events/outbox-entry.ts";
import {
  givenCompany,
  inAccount,
  takeCreatedCompanies,
} from "../../../support/builders/companies/company.ts";

/** An entry that nobody but these tests reads. */
function entryOf(number: number): OutboxEntry {
  const event = { number, type: "storage.filling" as const, at: number };
  return { kind: "storage", bytes: number, event };
}

/** The numbers of the entries that D1 is told, of a drain over a fresh object's outbox. */
async function appliedBy(
  first: OutboxEntry[],
  steps: (outbox: OutboxStore) => Partial<DrainSteps>,
): Promise<{ told: number[]; left: number }> {
  const company = await givenCompany();
  takeCreatedCompanies();
  return inAccount(company.id, async (_, { storage }) => {
    const outbox = new OutboxStore(storage.sql);
    for (const entry of first) outbox.add(entry, 0);
    const told: number[] = [];
    const outcome = await drainOutbox({
      oldest: (limit) => outbox.oldest(limit),
      deferBehindRejected: (entries) => entries,
      announce: () => undefined,
      write: async (entries) => {
        told.push(...entries.map(({ entry }) => (entry.kind === "storage" ? entry.bytes : 0)));
        return [];
      },
      notify: async () => undefined,
      acknowledge: (sequence) => outbox.acknowledge(sequence),
      rejectEntry: ({ sequence }) => outbox.remove(sequence),
      attempts: () => outbox.attempts(),
      postpone: (dueAt) => outbox.postpone(dueAt),
      now: () => 0,
      onFailure: (error) => expect.unreachable(String(error)),
      ...steps(outbox),
    });
    expect(outcome).toBe("empty");
    return { told, left: outbox.oldest(10).length };
  });
}

it("a commit right after the only entry was quarantined is drained, although it reuses the row number", async () => {
  const seen: unknown[] = [];
  const refusing = (outbox: OutboxStore): Partial<DrainSteps> => ({
    rejectEntry: ({ sequence }) => {
      outbox.remove(sequence);
      queueMicrotask(() => outbox.add(entryOf(2), 0));
    },
    write: async ([first]) => {
      if (first?.entry.kind === "storage" && first.entry.bytes === 1) throw new EntryRejected("no");
      seen.push(first?.entry);
      return [];
    },
  });

  const { left } = await appliedBy([entryOf(1)], refusing);

  expect(seen).toMatchObject([entryOf(2)]);
  expect(left).toBe(0);
});

it("a commit right after all entries were postponed is drained as well", async () => {
  let isBehind = true;
  const behind = (outbox: OutboxStore): Partial<DrainSteps> => ({
    deferBehindRejected: (entries) => {
      if (!isBehind) return entries;
      isBehind = false;
      for (const { sequence } of entries) outbox.remove(sequence);
      queueMicrotask(() => outbox.add(entryOf(3), 0));
      return [];
    },
  });

  expect(await appliedBy([entryOf(1), entryOf(2)], behind)).toEqual({ told: [3], left: 0 });
});
