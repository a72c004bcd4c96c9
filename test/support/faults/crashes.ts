import type { Env } from "../../../src/config.ts";
import { env } from "../builders/companies/env.ts";
import { CRASH, withAccounts, withD1, withServiceState, type Interceptor } from "./faulty-env.ts";

const CRASHES_MAX = 100;
/** Characters that tell what a statement does to which table. */
const KIND = 60;

/** An isolate that crashes at the first kind of call that none has crashed at yet. */
function crashing(when: "before" | "after", died: Set<string>): Env {
  let isDead = false;
  const intercept: Interceptor = async (label, run) => {
    if (isDead) throw new Error(CRASH);
    const kind = label.slice(0, KIND);
    if (died.has(kind)) return run();
    died.add(kind);
    isDead = true;
    if (when === "after") await run();
    throw new Error(CRASH);
  };
  return withServiceState(withAccounts(withD1(env, intercept), intercept), intercept);
}

/**
 * Repeats work with a new isolate after each crash, until one crashes at no call of D1, of a company's object or of the
 * service's state. The work throws where it failed. Returns the calls at which isolates crashed.
 */
export async function repeatThroughCrashes(
  when: "before" | "after",
  work: (env: Env) => Promise<unknown>,
  afterDeath: (crash: string) => Promise<void>,
): Promise<string[]> {
  const died = new Set<string>();
  while (died.size < CRASHES_MAX) {
    const before = died.size;
    try {
      await work(crashing(when, died));
    } catch (error) {
      if (died.size === before) throw error;
    }
    const crashes = [...died];
    if (died.size === before) return crashes;
    await afterDeath(crashes[before]!);
  }
  throw new Error("the work did not end");
}
