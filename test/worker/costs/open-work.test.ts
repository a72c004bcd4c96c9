import { afterEach, expect, it } from "vitest";
import { rowGoals, wakeGoal } from "../../../bench/lib/open-work.ts";
import { isMet } from "../../../bench/lib/goals.ts";
import { readOpenWork } from "../../../bench/workerd/counters/open-work.ts";
import { takeCreatedCompanies, clearBacklog } from "../../support/builders/companies/company.ts";

/** The bench counts with 100,000, too. */
const SIZES = [0, 1_000];

// What was cloned is no company's true books: the invariants are not for it, and nobody waits for it.
afterEach(async () => {
  for (const companyId of takeCreatedCompanies()) await clearBacklog(companyId);
});

it("no call reads more rows while withdraws, operations, credits, charges, events or outbox entries are open", async () => {
  const rows = await readOpenWork(SIZES);
  expect([...rowGoals(rows), wakeGoal(rows)].filter((goal) => !isMet(goal))).toEqual([]);
});
