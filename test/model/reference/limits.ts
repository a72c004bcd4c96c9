import type { State } from "./state.ts";

const COOL_DOWN_MS = 24 * 3_600_000;

/** `PUT /company/settings`: a lower limit holds at once, a higher one a day later. */
export function changeLimit(
  state: State,
  name: "dailyLimit" | "approvalAbove",
  to: number | null,
): "200" | "202" {
  holdRaised(state);
  const waiting = state.raised[name];
  if (value(to) <= value(state[name])) {
    state[name] = to;
    delete state.raised[name];
    return "200";
  }
  if (waiting === undefined || waiting.to !== to) {
    state.raised[name] = { to, at: state.now + COOL_DOWN_MS };
  }
  return "202";
}

function value(limit: number | null): number {
  return limit ?? Infinity;
}

/** Limits whose time has come hold. */
export function holdRaised(state: State): void {
  for (const name of ["dailyLimit", "approvalAbove"] as const) {
    const waiting = state.raised[name];
    if (waiting === undefined || waiting.at > state.now) continue;
    state[name] = waiting.to;
    delete state.raised[name];
  }
}
