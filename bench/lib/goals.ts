/** The value of a figure that was not measured. Its goal does not hold. */
export const NOT_MEASURED = "not measured";

/** One goal and its measured figure. */
export interface Goal {
  /** The figure, its unit and its conditions. */
  name: string;
  bound: "at most" | "at least";
  goal: number;
  measured: number | typeof NOT_MEASURED;
  /** Minimum and maximum of the repeats; missing for exact counts. */
  spread?: [number, number];
  /** The baseline's figure, in the unit that `note` names. */
  baseline?: number;
  /** Names the worst of several figures, or why nothing was measured. */
  note?: string;
}

/** The results of one part of the bench: its goals, and tables with details. */
export interface Findings {
  goals: Goal[];
  tables: Table[];
}

export interface Table {
  title: string;
  /** Explains the columns. */
  prose?: string;
  head: string[];
  rows: (string | number)[][];
}

export function isMet({ bound, goal, measured }: Goal): boolean {
  if (measured === NOT_MEASURED) return false;
  return bound === "at most" ? measured <= goal : measured >= goal;
}

/** The last line that `--json` prints. */
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

/** One goal for the largest of several figures; the note names it. */
export function worstOf(name: string, goal: number, measured: Record<string, number>): Goal {
  const [worst] = Object.entries(measured).sort(([, a], [, b]) => b - a);
  if (worst === undefined) throw new Error(`nothing was measured for ${name}`);
  return { name, bound: "at most", goal, measured: worst[1], note: `the most: ${worst[0]}` };
}
