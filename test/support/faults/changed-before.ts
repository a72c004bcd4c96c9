import { env } from "../builders/companies/env.ts";
import { withD1 } from "./faulty-env.ts";

/** An environment in which `change` happens right before the first statement that matches. */
export function changedBefore(statement: RegExp, change: () => Promise<unknown>): typeof env {
  let isChanged = false;
  return withD1(env, async (label, run) => {
    if (!isChanged && statement.test(label)) {
      isChanged = true;
      await change();
    }
    return run();
  });
}
