import { countAll } from "./counters.ts";
import { countedFindings } from "./lib/counted-goals.ts";
import type { Findings } from "./lib/goals.ts";
import { measureHotCompany } from "./hot-company.ts";
import { measureStart } from "./start.ts";
import { measureThroughput } from "./throughput.ts";

/** The bench's parts in their order; each may be run by itself. */
export const PARTS = {
  counters: async (quick: boolean) => countedFindings(countAll(quick)),
  throughput: measureThroughput,
  "hot-company": measureHotCompany,
  start: measureStart,
} satisfies Record<string, (quick: boolean) => Promise<Findings>>;

export type Part = keyof typeof PARTS;
