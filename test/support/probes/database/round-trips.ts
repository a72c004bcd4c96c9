import { withAccounts, withD1, type Interceptor } from "../../faults/faulty-env.ts";
import { env } from "../../builders/companies/env.ts";
import { CallSequence } from "./call-sequence.ts";

/** The sandbox keeps its bank in D1; with a real provider these are calls to a PSP. */
const SANDBOX_BANK_TABLES = /sandbox_/;

/** An environment that counts a request's round trips to D1 and to companies' objects. */
export function countRoundTrips(environment = env) {
  const sequence = new CallSequence();
  let trips: string[] = [];
  const around: Interceptor = (label, run) => {
    if (SANDBOX_BANK_TABLES.test(label)) return run();
    trips.push(label);
    return sequence.intercept(label, run);
  };
  return {
    env: withAccounts(withD1(environment, around), around),
    /** The round trips since the last lap, and how many were sequential. */
    lap: () => {
      const lap = { trips, inSequence: sequence.takeLength() };
      trips = [];
      return lap;
    },
  };
}
