/**
 * Since when a caller has its rights, and through whom: every application and person in the chain of those who made,
 * keyed, invited or promoted it, by client id, an operator too. A company's first key, and rights that are older than
 * this record, have nobody in it.
 */
export interface Standing {
  /** Unix milliseconds; 0 for rights from before. */
  since: number;
  givenBy: readonly string[];
}

export const FROM_THE_START: Standing = { since: 0, givenBy: [] };

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
 * asked gave it to him, directly or through others; both have their rights through one of them or a third, and one of
 * these is younger than the cool-down.
 */
export type ApproverRefusal =
  | "requester"
  | "younger_than_request"
  | "given_by_requester"
  | "tie_too_young";

/**
 * Whether four eyes are four: null if `approver` may approve what `asked` requested at `at` (Unix milliseconds).
 * A thief with one key can make applications, keys and invitations, but none that is old, and none without himself
 * in its chain.
 */
export function refusalOfApprover(
  asked: Party & { at: number },
  approver: Party,
  coolDownMs: number,
): ApproverRefusal | null {
  if (approver.id === asked.id) return "requester";
  if (approver.standing.since >= asked.at) return "younger_than_request";
  if (approver.standing.givenBy.includes(asked.id)) return "given_by_requester";
  const ofAsked = new Set([asked.id, ...asked.standing.givenBy]);
  const isTied = [approver.id, ...approver.standing.givenBy].some((id) => ofAsked.has(id));
  const youngest = Math.max(asked.standing.since, approver.standing.since);
  return isTied && asked.at - youngest < coolDownMs ? "tie_too_young" : null;
}
