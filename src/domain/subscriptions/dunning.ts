/** How a payer hears of the link by which he pays by hand: not at all, by the merchant (event), or by e-mail too. */
export const DUNNING_LINKS = ["none", "event", "email"] as const;
/** What a subscription becomes whose cycle stays unpaid. */
export const DUNNING_ENDS = ["none", "pause", "cancel"] as const;
export const DUNNING_DAYS = 7;
export const DUNNING_DAYS_MAX = 30;

/** What is done about a cycle once no attempt to debit it is left. */
export interface Dunning {
  link: (typeof DUNNING_LINKS)[number];
  /** Days after that on which an unpaid cycle ends the subscription as `then` says. */
  days: number;
  then: (typeof DUNNING_ENDS)[number];
}

export const NO_DUNNING: Dunning = { link: "none", days: DUNNING_DAYS, then: "none" };

/** How far the dunning of a cycle is. Times are epoch milliseconds. */
export interface CycleDunning {
  /** When no attempt was left. */
  since: number;
  /** When the e-mail with the link was made due; null before. */
  emailedAt: number | null;
  /** Whether its days are over. */
  isOver: boolean;
}
