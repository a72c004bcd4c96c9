/** Ends a load without what it must have, far later than a loaded machine needs for all of it. */
export const LOAD_MAX_MS = 400_000;
/** Of a test with one kill: leases that it leaves behind last 35 s, the rest is for a machine with ten times its load. */
export const KILL_TIMEOUT_MS = 1_200_000;
