import * as z from "zod";
import type { Scenario } from "./scenario.ts";
import { ask, type ScenarioService } from "./service.ts";

const PATH = "/api/v1/sandbox/settings";
const TERMS = z.object({
  fees: z.record(z.string(), z.object({ basisPoints: z.number(), fixed: z.number() })),
  releaseDays: z.record(z.string(), z.number()),
});

/**
 * Plays with a scenario's terms, and sets those of before again, however it ends: of what the scenario has changed and
 * nobody else has set meanwhile, such as the same scenario that is played beside it. Throws `ScenarioRefused`.
 */
export async function withTerms<Result>(
  service: ScenarioService,
  terms: Scenario["terms"],
  play: () => Promise<Result>,
): Promise<Result> {
  if (terms === undefined) return play();
  const read = () => ask(service, { method: "GET", path: PATH }, TERMS);
  const write = (body: object) => ask(service, { method: "PUT", path: PATH, body }, TERMS);
  const before = await read();
  const own = await write(terms);
  try {
    return await play();
  } finally {
    const now = await read();
    await write({
      fees: changedBack(before.fees, own.fees, now.fees),
      releaseDays: changedBack(before.releaseDays, own.releaseDays, now.releaseDays),
    });
  }
}

/** The values of before that a scenario has changed into its own, where these are there now. */
function changedBack<Value>(
  before: Record<string, Value>,
  own: Record<string, Value>,
  now: Record<string, Value>,
): Record<string, Value> {
  const changed = Object.entries(before).filter(
    ([name, value]) => !isSame(value, own[name]) && isSame(own[name], now[name]),
  );
  return Object.fromEntries(changed);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
