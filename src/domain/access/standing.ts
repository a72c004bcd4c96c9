import { isApplicationId, isOperatorId } from "./client-id.ts";

/**
 * Since when a caller has its rights, and through whom: every application and person in the chain of those who made,
 * keyed, invited or promoted it, by client id, an operator too. A company's first key, and rights that are older than
 * this record, have nobody in it. An operator whose gift has outlasted the cool-down is marked (`standingAt`).
 */
export interface Standing {
  /** Unix milliseconds; 0 for rights from before. */
  since: number;
  givenBy: readonly string[];
}

export const FROM_THE_START: Standing = { since: 0, givenBy: [] };

/** Marks an operator in a chain who gave so long ago that what comes from him waits no more. */
const AGED = "aged:";
/** Stands for every operator where two chains are compared. */
const ANY_OPERATOR = "operator";

/**
 * A right's standing at a time (Unix milliseconds): once it is as old as the cool-down, the operators in its chain are
 * marked, and stay so in the chain of what it gives. So a key that replaces an operator's old one does not wait anew.
 */
export function standingAt(standing: Standing, nowMs: number, coolDownMs: number): Standing {
  const { since, givenBy } = standing;
  if (isYoung(since, nowMs, coolDownMs)) return standing;
  return { since, givenBy: givenBy.map((id) => (isUnmarkedOperator(id) ? AGED + id : id)) };
}

/**
 * Whether all that a right asks for at a time waits for an approval: an operator gave it, himself or through others,
 * within the cool-down. Else an operator alone, who can give himself any right, could send money out with it.
 */
export function isFreshFromOperator(
  { since, givenBy }: Standing,
  nowMs: number,
  coolDownMs: number,
): boolean {
  return isYoung(since, nowMs, coolDownMs) && givenBy.some(isUnmarkedOperator);
}

function isYoung(since: number, nowMs: number, coolDownMs: number): boolean {
  return nowMs - since < coolDownMs;
}

function isUnmarkedOperator(id: string): boolean {
  return isOperatorId(id) && !id.startsWith(AGED);
}

/** The chain of a right that `giver` gives now, without the one who gets it. */
export function chainFrom(giver: { clientId: string; standing: Standing }, to: string): string[] {
  const chain = new Set([giver.clientId, ...giver.standing.givenBy]);
  chain.delete(to);
  return [...chain];
}

/** The standing of one who needs both: the younger of the two, by everybody in either chain. */
export function bothStandings(one: Standing, other: Standing): Standing {
  return {
    since: Math.max(one.since, other.since),
    givenBy: [...new Set([...one.givenBy, ...other.givenBy])],
  };
}

/** Somebody who asks or approves, by client id. */
export interface Party {
  id: string;
  standing: Standing;
}

/**
 * Why somebody may not approve what another asked for: he asked himself; his right is younger than the request; who
 * asked gave it to him, directly or through others; both have their rights through an application, be it one of them
 * or a third; both have theirs through a person or an operator, and one of these is younger than the cool-down.
 */
export type ApproverRefusal =
  | "requester"
  | "younger_than_request"
  | "given_by_requester"
  | "tied_by_application"
  | "tie_too_young";

/**
 * Whether four eyes are four: null if `approver` may approve what `asked` requested at `at` (Unix milliseconds).
 * A thief with one key can make applications, keys and invitations, but none that is old, and none without himself
 * in its chain. He may wait, so what comes from one application never approves for itself; an owner, from whom all of a
 * company's rights may come, does after the cool-down.
 */
export function refusalOfApprover(
  asked: Party & { at: number },
  approver: Party,
  coolDownMs: number,
): ApproverRefusal | null {
  if (approver.id === asked.id) return "requester";
  if (approver.standing.since >= asked.at) return "younger_than_request";
  if (approver.standing.givenBy.includes(asked.id)) return "given_by_requester";
  const ofAsked = new Set(handsOf(asked));
  const ties = handsOf(approver).filter((id) => ofAsked.has(id));
  if (ties.some(isApplicationId)) return "tied_by_application";
  const youngest = Math.max(asked.standing.since, approver.standing.since);
  return ties.length > 0 && asked.at - youngest < coolDownMs ? "tie_too_young" : null;
}

/** Somebody and all through whom he has his right. Operators are one hand, because one of them makes another. */
function handsOf({ id, standing }: Party): string[] {
  return [id, ...standing.givenBy.map((giver) => (isOperatorId(giver) ? ANY_OPERATOR : giver))];
}
