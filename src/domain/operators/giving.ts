const HOUR_MS = 3_600_000;

/** For so long who gave an operator a right is no second person beside him, and an alarm shows it. */
export const GIVING_TIE_MS = 24 * HOUR_MS;

/** What one operator gave another: the place, a role, a key, or a link to become him in the console. */
export type GivenThing = "added" | "role" | "key" | "link";

/** One operator's gift to another, by client ids. */
export interface Giving {
  to: string;
  by: string;
  what: GivenThing;
  /** Unix milliseconds. */
  at: number;
}

/**
 * Whether two operators may be one hand: one of them, or somebody who gave to both, gave the other his right, directly
 * or through others. `givings`: those that are young enough to count.
 */
export function isTied(one: string, other: string, givings: readonly Giving[]): boolean {
  const ofOne = withGivers(one, givings);
  return [...withGivers(other, givings)].some((id) => ofOne.has(id));
}

function withGivers(id: string, givings: readonly Giving[]): Set<string> {
  const chain = new Set([id]);
  // A set visits what is added while it is walked.
  for (const receiver of chain) {
    for (const { to, by } of givings) if (to === receiver) chain.add(by);
  }
  return chain;
}
