import { describe, expect, it } from "vitest";
import {
  archivedBefore,
  archiveFileName,
  archiveFileRange,
  archiveFolder,
  archiveMonth,
  CHANGES_PREFIX,
  mayBeArchived,
} from "../../../../src/domain/storage/archive-files.ts";

const name = (first: number, last: number) =>
  archiveFileName(archiveFolder("events", 12, "2026-05"), { first, last }, "00ff00ff00ff00ff");

describe("a file of rows that left D1", () => {
  it("is named by kind, company, month and numbers, and sorts by these", () => {
    expect(name(7, 206)).toBe(
      "events/12/2026-05/000000000007-000000000206-00ff00ff00ff00ff.ndjson",
    );
    expect([name(1_000, 1_001), name(7, 8)].toSorted()).toEqual([name(7, 8), name(1_000, 1_001)]);
  });

  it("tells the numbers of its rows", () => {
    expect(archiveFileRange(name(7, 206))).toEqual({ first: 7, last: 206 });
    expect(archiveFileRange("events/12/2026-05/readme.txt")).toBeNull();
  });

  it("has no name that the rule for changes deletes", () => {
    expect(name(1, 2).startsWith(CHANGES_PREFIX)).toBe(false);
  });

  it("is of the month in São Paulo", () => {
    expect(archiveMonth(Date.parse("2026-06-01T02:59:59Z"))).toBe("2026-05");
    expect(archiveMonth(Date.parse("2026-06-01T03:00:00Z"))).toBe("2026-06");
  });
});

describe("the age at which rows leave D1", () => {
  it.each([
    ["2026-11-28T12:00:00.000Z", 13, "2025-10-28T12:00:00.000Z"],
    ["2026-03-31T00:00:00.000Z", 13, "2025-02-28T00:00:00.000Z"],
    ["2024-04-30T00:00:00.000Z", 2, "2024-02-29T00:00:00.000Z"],
  ])("on %s, %i months ago is %s", (now, months, before) => {
    expect(new Date(archivedBefore(Date.parse(now), months)).toISOString()).toBe(before);
  });

  it("is never below what an erasure takes for young", () => {
    for (let day = 0; day < 1_500; day++) {
      const now = Date.UTC(2026, 0, day);
      expect(mayBeArchived(archivedBefore(now, 2) - 1, now)).toBe(true);
    }
  });
});
