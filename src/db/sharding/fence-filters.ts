import { sql, type SQL } from "drizzle-orm";
import type { FENCE_STATES } from "../schema/routing.ts";

export type FenceState = (typeof FENCE_STATES)[number];

/** A condition: the company lives in the queried database, and no company move blocks its writes. */
export function isWritableHere(companyId: SQL | object): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM fences
    WHERE fences.company_id = ${companyId} AND fences.state <> 'here')`;
}

/** A condition: the company is read in the queried database. During a company move that is the source. */
export function isReadableHere(companyId: SQL | object): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM fences
    WHERE fences.company_id = ${companyId} AND fences.state IN ('left', 'arriving'))`;
}

/** The fence state of a row of `companies`; `here` if it has no fence. */
export const COMPANY_FENCE = sql<string>`coalesce(
    (SELECT state FROM fences WHERE fences.company_id = companies.id), 'here')`;

/** The states by how current the company's rows are in that database, the most current first. */
const PREFERENCE: readonly string[] = [
  "here",
  "closing",
  "arriving",
  "left",
] satisfies FenceState[];

/** Whether a company's row is more current in a database with one fence state than with another. */
export function isPreferredFence(fence: string, other: string): boolean {
  return PREFERENCE.indexOf(fence) < PREFERENCE.indexOf(other);
}
