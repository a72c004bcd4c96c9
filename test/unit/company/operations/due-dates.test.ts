import { expect, test } from "vitest";
import { isPayableAnew } from "../../../../src/company/operations/due-dates.ts";
import type { StoredOperation } from "../../../../src/company/operations/operation-store.ts";

/** Changes as the release before stored them: without the time of their end. */
function stored(...days: string[]) {
  const changes = days.map((to) => ({ status: "PENDING", dueDate: { from: "2026-11-20", to } }));
  return { listByTransaction: () => changes as StoredOperation[] };
}

test.each([
  ["2026-12-31T12:00:00-03:00", true],
  ["2027-01-01T12:00:00-03:00", false],
])(
  "a change of the release before may be paid for 30 days after its day: at %s %s",
  (at, isPayable) => {
    expect(isPayableAnew(stored("2026-12-01"), "tx", Date.parse(at))).toBe(isPayable);
  },
);
