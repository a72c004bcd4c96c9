import { afterEach, beforeEach } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { KnownPauses } from "../../../../src/service-state/known-pauses.ts";
import { TestClock } from "../../fakes/clock.ts";
import type { Answer } from "../requests/api.ts";
import { env } from "./env.ts";
import { callAsOperator } from "./operator.ts";

/** How the tests of a file see pauses. */
export interface PauseWorld {
  clock: TestClock;
  /** How long each pause waited until every isolate had seen it, in milliseconds. */
  waits: number[];
  /** An isolate of the service, which has asked for no pause yet. */
  isolate: () => KnownPauses;
  /** Pauses the service as an operator, by this clock; `from`: the environment of the isolate that is asked. */
  pause: (reason?: string, from?: typeof env) => Promise<Answer>;
  /** Ends the service's pause. */
  resume: (reason?: string, from?: typeof env) => Promise<Answer>;
}

/** The problem of what a pause stops, and the reason that `pause` gives. */
export const PAUSED = { status: 503, code: "SERVICE_PAUSED", retryAfter: true };
export const PAUSE_REASON = "D1 goes back by an hour.";

/** Pauses that hold, in each test of a file; other files' tests never ask for them. */
export function usePauses(): PauseWorld {
  const none = { ...systemDependencies.pauses };
  const world: PauseWorld = {
    clock: new TestClock(),
    waits: [],
    isolate: () => new KnownPauses(world.clock, async (ms) => void world.waits.push(ms)),
    pause: (reason = PAUSE_REASON, from = env) => act("pause", reason, from),
    resume: (reason = "Done.", from = env) => act("resume", reason, from),
  };
  const act = (verb: "pause" | "resume", reason: string, from: typeof env) =>
    callAsOperator(`/service/${verb}`, {
      env: from,
      deps: { platformClock: world.clock },
      body: { reason },
    });
  beforeEach(() => {
    world.clock = new TestClock();
    world.waits = [];
    const known = world.isolate();
    // In place: every app of the tests has this object.
    Object.assign(systemDependencies.pauses, {
      ask: known.ask.bind(known),
      list: known.list.bind(known),
      of: known.of.bind(known),
      pause: known.pause.bind(known),
      resume: known.resume.bind(known),
    });
  });
  afterEach(async () => {
    const { companies } = await world.isolate().list(env);
    for (const target of ["service" as const, ...Object.keys(companies).map(Number)]) {
      await world.isolate().resume(env, target);
    }
    Object.assign(systemDependencies.pauses, none);
  });
  return world;
}
