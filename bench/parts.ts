import { countAll } from "./counters.ts";
import { measureSingleTenant } from "./single-tenant.ts";
import type { Counted } from "./lib/counted.ts";
import { countedFindings } from "./lib/counted-goals.ts";
import type { Findings } from "./lib/goals.ts";
import { measureMemory } from "./memory.ts";
import { measureOpenWork } from "./open-work.ts";
import { measureProfile } from "./profile.ts";
import { measureStart } from "./start.ts";
import { measureThroughput } from "./throughput.ts";
import { measureLifecycles } from "./lifecycles.ts";

/** One run of the bench. */
export class Bench {
  readonly quick: boolean;
  #counted: Counted | null = null;

  constructor(quick: boolean) {
    this.quick = quick;
  }

  /** The counts that several parts need, made once. */
  get counted(): Counted {
    this.#counted ??= countAll(this.quick);
    return this.#counted;
  }
}

/** The bench's parts in order. Each can run alone. */
export const PARTS = {
  counters: async ({ counted }: Bench) => countedFindings(counted),
  lifecycles: ({ quick, counted }: Bench) => measureLifecycles(quick, counted),
  "open-work": ({ quick }: Bench) => measureOpenWork(quick),
  memory: ({ quick }: Bench) => measureMemory(quick),
  throughput: ({ quick }: Bench) => measureThroughput(quick),
  "single-tenant": ({ quick }: Bench) => measureSingleTenant(quick),
  profile: ({ quick }: Bench) => measureProfile(quick),
  start: ({ quick }: Bench) => measureStart(quick),
} satisfies Record<string, (bench: Bench) => Promise<Findings>>;

export type Part = keyof typeof PARTS;
