import { countAll } from "./counters.ts";
import { measureHotCompany } from "./hot-company.ts";
import type { Counted } from "./lib/counted.ts";
import { countedFindings } from "./lib/counted-goals.ts";
import type { Findings } from "./lib/goals.ts";
import { measureStart } from "./start.ts";
import { measureThroughput } from "./throughput.ts";
import { measureWholeLives } from "./whole-lives.ts";

/** One run of the bench. */
export class Bench {
  readonly quick: boolean;
  #counted: Counted | null = null;

  constructor(quick: boolean) {
    this.quick = quick;
  }

  /** What several parts need, counted once. */
  get counted(): Counted {
    this.#counted ??= countAll(this.quick);
    return this.#counted;
  }
}

/** The bench's parts in their order; each may be run by itself. */
export const PARTS = {
  counters: async ({ counted }: Bench) => countedFindings(counted),
  "whole-lives": ({ quick, counted }: Bench) => measureWholeLives(quick, counted),
  throughput: ({ quick }: Bench) => measureThroughput(quick),
  "hot-company": ({ quick }: Bench) => measureHotCompany(quick),
  start: () => measureStart(),
} satisfies Record<string, (bench: Bench) => Promise<Findings>>;

export type Part = keyof typeof PARTS;
