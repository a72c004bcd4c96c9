import { expect, it } from "vitest";
import {
  isAmbiguous,
  isRowRejected,
  isStorageUnavailable,
  runIdempotent,
} from "../../../src/db/storage-errors.ts";

/** As drizzle throws it: its own message repeats the SQL, the cause is what D1 said. */
function wrapped(message: string): Error {
  return new Error('Failed query: insert into "timed out" values (?)', {
    cause: new Error(message),
  });
}

it.each([
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: internal error; reference = abc",
  "D1_ERROR: D1 DB storage caused object to be reset.",
  "D1_ERROR: storage operation timed out",
])("%s leaves the outcome of the write unknown", (message) => {
  expect(isAmbiguous(new Error(message))).toBe(true);
  expect(isAmbiguous(wrapped(message))).toBe(true);
  expect(isStorageUnavailable(wrapped(message))).toBe(true);
});

it.each([
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: Too many requests queued.",
])("%s is a storage error that is never retried at once", (message) => {
  expect(isAmbiguous(wrapped(message))).toBe(false);
  expect(isStorageUnavailable(wrapped(message))).toBe(true);
});

it.each([
  "D1_ERROR: UNIQUE constraint failed: transactions.id: SQLITE_CONSTRAINT",
  "D1_ERROR: no such table: nothing: SQLITE_ERROR",
  "D1_ERROR: near x: syntax error at offset 1: SQLITE_ERROR",
])("%s is our own error, not a storage error", (message) => {
  expect(isAmbiguous(wrapped(message))).toBe(false);
  expect(isStorageUnavailable(wrapped(message))).toBe(false);
});

it("an unrelated exception is no storage error", () => {
  for (const error of [new TypeError("x is undefined"), "text", null, undefined]) {
    expect(isAmbiguous(error)).toBe(false);
    expect(isStorageUnavailable(error)).toBe(false);
  }
});

it("a reset object is a storage error by its flags", () => {
  expect(isStorageUnavailable(Object.assign(new Error("reset"), { retryable: true }))).toBe(true);
  expect(isStorageUnavailable(Object.assign(new Error("busy"), { overloaded: true }))).toBe(true);
});

/** A batch that fails with each message in turn, then answers. */
function failingWith(...messages: string[]): { run: () => Promise<string>; runs: () => number } {
  let runs = 0;
  return {
    runs: () => runs,
    run: async () => {
      const message = messages[runs++];
      if (message !== undefined) throw wrapped(message);
      return "written";
    },
  };
}

it("a batch whose response was lost is retried once", async () => {
  const once = failingWith("D1_ERROR: Network connection lost.");
  expect(await runIdempotent(once.run)).toBe("written");
  expect(once.runs()).toBe(2);

  const twice = failingWith("Network connection lost.", "Network connection lost.");
  await expect(runIdempotent(twice.run)).rejects.toThrow("Failed query");
  expect(twice.runs()).toBe(2);
});

it.each(["D1 DB is overloaded.", "UNIQUE constraint failed"])(
  "a batch that failed with %s is not retried",
  async (message) => {
    const batch = failingWith(message);
    await expect(runIdempotent(batch.run)).rejects.toThrow("Failed query");
    expect(batch.runs()).toBe(1);
  },
);

it.each([
  "D1_ERROR: UNIQUE constraint failed: events.id: SQLITE_CONSTRAINT",
  "D1_ERROR: string or blob too big: SQLITE_TOOBIG",
  "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
])("%s is D1's rejection of a row, which a retry repeats", (message) => {
  expect(isRowRejected(wrapped(message))).toBe(true);
});

it.each([
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: database or disk is full: SQLITE_FULL",
  "D1_ERROR: no such table: events: SQLITE_ERROR",
  "D1_ERROR: CHECK constraint failed: fence_holds: SQLITE_CONSTRAINT",
  "D1_FENCED: company 7 is being moved to another database",
  "no answer within 20000 ms",
])("%s says nothing about a row", (message) => {
  expect(isRowRejected(wrapped(message))).toBe(false);
  expect(isRowRejected(new Error(message))).toBe(false);
});
