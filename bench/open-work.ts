import { runCounters } from "./counters.ts";
import type { Findings } from "./lib/goals.ts";
import type { Size } from "./lib/size.ts";
import { openWorkFindings, type CountedOpenWork } from "./lib/open-work.ts";

/** Measures whether calls stay as cheap and fast while much work is open. */
export async function measureOpenWork(size: Size): Promise<Findings> {
  const counted = runCounters(["open-work.test.ts"], size);
  return openWorkFindings(counted["open work"] as CountedOpenWork);
}
