import { env } from "cloudflare:workers";
import { it } from "vitest";
import { takeCreatedCompanies } from "../../../test/support/builders/companies/company.ts";
import { readOpenWork, timeOpenWork } from "./open-work.ts";

const MANY = 100_000;
/** For a run with less history. */
const QUICK_MANY = 10_000;
const FULL_ROWS = 1_000_000;
const REPEATS = 7;
const QUICK_REPEATS = 3;

it("open work", async ({ task }) => {
  const { BENCH_ROWS } = env as unknown as { BENCH_ROWS: number };
  const isFull = BENCH_ROWS >= FULL_ROWS;
  const many = isFull ? MANY : QUICK_MANY;
  try {
    task.meta.counted = {
      rows: await readOpenWork([0, 1_000, many]),
      speeds: await timeOpenWork(many, isFull ? REPEATS : QUICK_REPEATS),
    };
  } finally {
    // Copied rows break the ledger's invariants, so skip their check.
    takeCreatedCompanies();
  }
});
