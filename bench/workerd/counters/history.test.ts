import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { takeCreatedCompanies } from "../../../test/support/builders/companies/company.ts";
import { givenHistory } from "./history.ts";
import { readHistory, readSweeps } from "./pages.ts";

/** Rows of history to measure with, as far as the bench asks for. */
const SIZES = [1_000, 100_000, 1_000_000];

it("history", async ({ task }) => {
  const { BENCH_ROWS } = env as unknown as { BENCH_ROWS: number };
  const counted: Record<string, object> = {};
  try {
    const history = await givenHistory();
    for (const rows of SIZES.filter((size) => size <= BENCH_ROWS)) {
      await history.growTo(rows);
      counted[rows] = {
        ...(await readHistory(history, rows)),
        sweeps: await readSweeps(history),
      };
    }
  } finally {
    // What was cloned is no company's true books: the invariants are not for it.
    takeCreatedCompanies();
  }
  expect(counted).not.toEqual({});
  task.meta.counted = counted;
});
