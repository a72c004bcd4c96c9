import { withAccounts, withD1, type Around } from "../faults/faulty-env.ts";
import { env } from "../fakes/env.ts";
import { Sequence } from "../faults/sequence.ts";

/** The sandbox keeps its bank in D1; with a real provider these are calls to a PSP. */
const OF_THE_BANK = /sandbox_/;

/** An environment that counts the trips of a request to D1 and to companies' objects. */
export function countedTrips(environment = env) {
  const sequence = new Sequence();
  let trips: string[] = [];
  const around: Around = (label, run) => {
    if (OF_THE_BANK.test(label)) return run();
    trips.push(label);
    return sequence.around(label, run);
  };
  return {
    env: withAccounts(withD1(environment, around), around),
    /** What was asked since the last lap, and how many of it one after the other. */
    lap: () => {
      const lap = { trips, inSequence: sequence.lap() };
      trips = [];
      return lap;
    },
  };
}
