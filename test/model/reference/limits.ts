import type { LimitName, State } from "./state.ts";

const COOL_DOWN_MS = 24 * 3_600_000;

/** `PUT /company/settings`: a lower limit holds at once, a higher one a day later. */
export function changeLimits(
  state: State,
  changes: Partial<Record<LimitName, number | null>>,
): "200" | "202" {
  holdRaised(state);
  const answers = Object.entries(changes).map(([name, to]) =>
    changeLimit(state, name as LimitName, to),
  );
  return answers.includes("202") ? "202" : "200";
}

/** Limits whose time has come hold. */
export function holdRaised(state: State): void {
  for (const [name, waiting] of Object.entries(state.raised)) {
    if (waiting.at > state.now) continue;
    state[name as LimitName] = waiting.to;
    delete state.raised[name as LimitName];
  }
}

function changeLimit(state: State, name: LimitName, to: number | null): "200" | "202" {
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
