import type { Env } from "../config.ts";

/** Where the one object is. */
const NAME = "service";
const LOCATION_HINT = "sam";

/** The object that knows what neither D1 nor a company's object may forget. */
export function stateOf(env: Env) {
  return env.SERVICE_STATE.getByName(NAME, { locationHint: LOCATION_HINT });
}
