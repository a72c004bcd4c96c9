import { TestClock } from "../../fakes/clock.ts";
import { countingLimiters } from "../../fakes/rate-limiters.ts";
import { env } from "../companies/env.ts";
import type { Browser } from "./browser.ts";
import { PASSWORD } from "./people.ts";

export const SIGN_IN = "/console/sign-in";
/** Where a person signs in from, unless a test says otherwise. */
export const HOME_ADDRESS = "203.0.113.7";

/** The console with limiters that count by a clock of the test, and a browser's sign-in there. */
export function givenSignInLimits() {
  const clock = new TestClock();
  const limiters = countingLimiters(clock);
  const limited = { ...env, ...limiters.bindings };
  const signIn = (browser: Browser, email: string, password = PASSWORD, address = HOME_ADDRESS) =>
    browser.ask(SIGN_IN, {
      form: { email, password },
      headers: { "CF-Connecting-IP": address },
      env: limited,
      deps: { platformClock: clock },
    });
  return { ...limiters, clock, env: limited, signIn };
}
