import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { takeCreatedCompanies } from "../../../test/support/builders/companies/company.ts";
import type { Size } from "../../lib/size.ts";
import { givenHistory } from "./history.ts";
import { readHistory, readSweeps } from "./pages.ts";

/** Lengths of history, in rows. */
const LENGTHS: Record<Size, number[]> = {
  full: [1_000, 100_000, 1_000_000],
  quick: [1_000, 100_000],
  // Each is beyond what a search reads.
  smoke: [600, 1_200],
};

it("history", async ({ task }) => {
  const { BENCH_SIZE } = env as unknown as { BENCH_SIZE: Size };
  const counted: Record<string, object> = {};
  try {
    const history = await givenHistory();
    for (const rows of LENGTHS[BENCH_SIZE]) {
      await history.growTo(rows);
      counted[rows] = {
        ...(await readHistory(history, rows)),
        sweeps: await readSweeps(history),
      };
    }
    await history.endKeeping();
  } finally {
    // Copied rows break the ledger's invariants, so skip their check.
    takeCreatedCompanies();
  }
  expect(counted).not.toEqual({});
  task.meta.counted = counted;
});
