import { countAll } from "./counters.ts";
import { measureSingleTenant } from "./single-tenant.ts";
import type { Counted } from "./lib/counted.ts";
import { countedFindings } from "./lib/counted-goals.ts";
import type { Findings } from "./lib/goals.ts";
import type { Size } from "./lib/size.ts";
import { measureMemory } from "./memory.ts";
import { measureOpenWork } from "./open-work.ts";
import { measureProfile } from "./profile.ts";
import { measureStart } from "./start.ts";
import { measureThroughput } from "./throughput.ts";
import { measureLifecycles } from "./lifecycles.ts";
import { measureYear } from "./year.ts";

/** One run of the bench. */
export class Bench {
  readonly size: Size;
  #counted: Counted | null = null;

  constructor(size: Size) {
    this.size = size;
  }

  /** The counts that several parts need, made once. */
  get counted(): Counted {
    this.#counted ??= countAll(this.size);
    return this.#counted;
  }
}

/** The bench's parts in order. Each can run alone. */
export const PARTS = {
  counters: async ({ counted }: Bench) => countedFindings(counted),
  lifecycles: ({ size, counted }: Bench) => measureLifecycles(size, counted),
  "open-work": ({ size }: Bench) => measureOpenWork(size),
  memory: ({ size }: Bench) => measureMemory(size),
  throughput: ({ size }: Bench) => measureThroughput(size),
  "single-tenant": ({ size }: Bench) => measureSingleTenant(size),
  year: ({ size }: Bench) => measureYear(size),
  profile: ({ size }: Bench) => measureProfile(size),
  start: ({ size }: Bench) => measureStart(size),
} satisfies Record<string, (bench: Bench) => Promise<Findings>>;

export type Part = keyof typeof PARTS;
