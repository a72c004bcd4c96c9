import { AsyncLocalStorage } from "node:async_hooks";
import { vi } from "vitest";
import { systemDependencies } from "../../../src/dependencies.ts";
import { providerRegistry, type ProviderRegistry } from "../../../src/providers/registry.ts";
import { env } from "../../support/builders/companies/company.ts";
import type { LiveWorld } from "../../support/builders/providers/psp.ts";
import {
  CRASH,
  withAccounts,
  withD1,
  withServiceState,
  type Interceptor,
} from "../../support/faults/faulty-env.ts";

type Answers = (request: Request) => Promise<Response>;

/** The process that a call to a house comes from. */
const current = new AsyncLocalStorage<Interceptor>();
/** The houses by host. */
const houses = new Map<string, Answers>();

/** What every process makes of the accounts. */
let providersOf = (real: ProviderRegistry): ProviderRegistry => real;

/** Every process finds its providers so from now on; the returned function ends that. */
export function withProviders(find: typeof providersOf): () => void {
  const before = providersOf;
  providersOf = find;
  return () => {
    providersOf = before;
  };
}

/** Leads calls of the Worker to houses by their host from now on; the returned function ends that. */
export function leadToHouses(): () => void {
  const real = globalThis.fetch;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const request = new Request(input, init);
    const answer = houses.get(new URL(request.url).host);
    if (answer === undefined) return real(request);
    const intercept = current.getStore();
    return intercept === undefined
      ? answer(request)
      : intercept(labelOf(request), () => answer(request));
  });
  return () => spy.mockRestore();
}

/** A house under a host, until `closeHouse`. */
export function openHouse(host: string, answer: Answers): void {
  houses.set(host, answer);
}

export function closeHouse(host: string): void {
  houses.delete(host);
}

/** A call to a house, without the ids in its path. */
function labelOf({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname.replaceAll(/\/[^/]*\d[^/]*/g, "/:id")}`;
}

/**
 * When a process dies: before so many of its calls to D1, objects and houses have ended, and whether the last one ran.
 * `label`: of which calls; of all where it is left out.
 */
export interface Death {
  afterCalls: number;
  isDone: boolean;
  label?: string;
}

/**
 * Runs work in a process of the service, which may die: from then on no call of it has any effect. Answers whether it
 * lived. `heard` hears of each call before it.
 */
export async function inProcess(
  world: LiveWorld,
  death: Death | null,
  work: (world: LiveWorld) => Promise<unknown>,
  heard: ((label: string) => void) | null = null,
): Promise<boolean> {
  let callsLeft = death?.afterCalls ?? Infinity;
  let isDead = false;
  const intercept: Interceptor = async (label, run) => {
    if (isDead) throw new Error(CRASH);
    heard?.(label);
    if ((death?.label ?? label) !== label) return run();
    if (callsLeft > 0) {
      callsLeft -= 1;
      return run();
    }
    isDead = true;
    if (death?.isDone === true) await run();
    throw new Error(CRASH);
  };
  const mortal =
    death === null && heard === null
      ? env
      : withServiceState(withAccounts(withD1(env, intercept), intercept), intercept);
  const deps = {
    ...systemDependencies,
    platformClock: world.clock,
    providers: () => providersOf(providerRegistry(mortal, world.clock)),
  };
  await current.run(intercept, async () => {
    try {
      await work({ ...world, env: mortal, deps });
    } catch (error) {
      if (!isDead) throw error;
    }
  });
  return !isDead;
}
