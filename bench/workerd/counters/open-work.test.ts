import { env } from "cloudflare:workers";
import { it } from "vitest";
import { takeCreatedCompanies } from "../../../test/support/builders/companies/company.ts";
import type { Size } from "../../lib/size.ts";
import { readOpenWork, timeOpenWork, type Timing } from "./open-work.ts";

/** How much work is open while rows are counted, and how calls are timed. */
const SCALES: Record<Size, { counts: number[]; timing: Timing }> = {
  full: { counts: [0, 1_000, 100_000], timing: { many: 100_000, repeats: 7, callsPerLap: 40 } },
  quick: { counts: [0, 1_000, 10_000], timing: { many: 10_000, repeats: 3, callsPerLap: 40 } },
  smoke: { counts: [0, 100], timing: { many: 100, repeats: 1, callsPerLap: 8 } },
};

it("open work", async ({ task }) => {
  const { BENCH_SIZE } = env as unknown as { BENCH_SIZE: Size };
  const { counts, timing } = SCALES[BENCH_SIZE];
  try {
    task.meta.counted = {
      rows: await readOpenWork(counts),
      speeds: await timeOpenWork(timing),
    };
  } finally {
    // Copied rows break the ledger's invariants, so skip their check.
    takeCreatedCompanies();
  }
});
