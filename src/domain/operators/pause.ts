import { EXITS } from "../exits/exits.ts";
import type { Scope } from "../shared/company.ts";
import type { Requester } from "../access/requester.ts";

/** Why nothing is charged, paid out or delivered for a time, by whom, and since when (epoch milliseconds). */
export interface Pause {
  since: number;
  reason: string;
  by: Requester;
}

/** What is paused: the whole service, or one company by its number. */
export type PauseTarget = "service" | number;

/** What is paused now; null and absent: it runs. */
export interface Pauses {
  service: Pause | null;
  companies: Readonly<Record<number, Pause>>;
}

export const NOTHING_PAUSED: Pauses = { service: null, companies: {} };

/** Every isolate has seen a pause after this. */
export const PAUSE_SEEN_WITHIN_MS = 15_000;

/** The pause that stops a company; null if it runs. */
export function pauseOf({ service, companies }: Pauses, companyId: number): Pause | null {
  return service ?? companies[companyId] ?? null;
}

/** Scopes whose requests a pause refuses: they charge, or ask for a way out of the money, or approve one. */
export const SCOPES_PAUSED: ReadonlySet<Scope> = new Set<Scope>([
  "transactions:write",
  "withdraws:approve",
  ...Object.values(EXITS).flatMap(({ scope }) => (scope === null ? [] : [scope])),
]);
