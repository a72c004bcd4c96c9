/** What stands where a figure could not be taken: the goal does not hold then. */
export const NOT_MEASURED = "not measured";

/** One goal and what was measured of it. */
export interface Goal {
  /** What is measured, its unit and at what. */
  name: string;
  bound: "at most" | "at least";
  goal: number;
  measured: number | typeof NOT_MEASURED;
  /** Of the repeats, least and most; left out of what is counted exactly. */
  spread?: [number, number];
  /** What it is compared with, in the unit that `note` names. */
  baseline?: number;
  /** Which of several was the worst, or why it was not measured. */
  note?: string;
}

/** A part of the bench: its goals, and tables that show what they consist of. */
export interface Findings {
  goals: Goal[];
  tables: Table[];
}

export interface Table {
  title: string;
  /** What the columns mean where their heads cannot say it. */
  prose?: string;
  head: string[];
  rows: (string | number)[][];
}

export function isMet({ bound, goal, measured }: Goal): boolean {
  if (measured === NOT_MEASURED) return false;
  return bound === "at most" ? measured <= goal : measured >= goal;
}

/** What `--json` prints: nothing else comes after it. */
export function goalsJson(goals: Goal[]): string {
  return JSON.stringify({
    goals: goals.map((each) => ({
      name: `${each.name} (${each.bound})`,
      goal: each.goal,
      measured: each.measured,
      holds: isMet(each),
    })),
  });
}

/** The largest of several, as one goal that says which it was. */
export function worstOf(name: string, goal: number, measured: Record<string, number>): Goal {
  const [worst] = Object.entries(measured).sort(([, a], [, b]) => b - a);
  if (worst === undefined) throw new Error(`nothing was measured of ${name}`);
  return { name, bound: "at most", goal, measured: worst[1], note: `the most: ${worst[0]}` };
}

/** One goal that was measured in two places: it holds only where it holds in both. */
export function lowerOf(one: Goal, other: Goal): Goal {
  return Number(other.measured) < Number(one.measured) ? other : one;
}
