import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { takeCreatedCompanies } from "../../../test/support/builders/companies/company.ts";
import { givenHistory } from "./history.ts";
import { readHistory, readSweeps } from "./pages.ts";

/** Lengths of history, in rows, up to `BENCH_ROWS`. */
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
    // Copied rows break the ledger's invariants, so skip their check.
    takeCreatedCompanies();
  }
  expect(counted).not.toEqual({});
  task.meta.counted = counted;
});
