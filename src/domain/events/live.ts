import type { Scope } from "../shared/company.ts";

/** What an open page may be told: of each, the scope of who sees it. */
export const LIVE_SCOPES = [
  "balance:read",
  "transactions:read",
  "withdraws:read",
] as const satisfies Scope[];
export type LiveScope = (typeof LIVE_SCOPES)[number];

/** Something that happened, as open pages say it. Centavos. */
export interface LiveNews {
  kind: "payment" | "approval" | "dispute" | "unexpected";
  amount: number;
}

/** What a company's object sends to its open pages. */
export interface LiveMessage {
  news: LiveNews[];
  /** The available balance in centavos at a posting of the ledger; absent without `balance:read`. */
  balance?: { available: number; sequence: number };
}

/** Whom an open page belongs to, as the Worker that checked the session says. */
export interface LiveAudience {
  scopes: LiveScope[];
  /** When the page must ask again, Unix milliseconds: it is told nothing after. */
  until: number;
}
