import type { Intent, Journal } from "./journal.ts";
import type { Random } from "./random.ts";
import type { Waiting } from "./waiting.ts";

/** What a worker's next request is made of. */
export interface Plan {
  random: Random;
  journal: Journal;
  companyId: number;
  postbackUrl: string;
  /** The share of transactions with a `postbackUrl`, in [0, 1]. */
  postbackShare: number;
}

/** Plans a request of a kind; null where none is possible. `waiting` is read for decisions only. */
export type Planner = (plan: Plan, waiting: Waiting) => Intent | null;
