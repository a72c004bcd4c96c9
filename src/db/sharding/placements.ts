import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Env } from "../../config.ts";
import { DIRECTORY } from "./databases.ts";
import { clients, placements } from "../schema/routing.ts";

/** In which database a company lives, and the number of the move that brought it there. */
export interface Placement {
  database: string;
  move: number;
}

/** Companies and client ids an isolate remembers of each kind, some hundred bytes each. */
const REMEMBERED_MAX = 10_000;
const NEVER_MOVED: Placement = { database: DIRECTORY, move: 0 };

/** What an isolate has learnt of the directory; any of it may be out of date but whose a client id is. */
interface Learnt {
  placements: Map<number, Placement>;
  clients: Map<string, number>;
}

const learnt = new WeakMap<D1Database, Learnt>();

/** Where a company lives: as this isolate remembers it, or as the directory says `now`. */
export async function placementOf(
  env: Env,
  companyId: number,
  when: "remembered" | "now",
): Promise<Placement> {
  const known = learntFrom(env).placements;
  const remembered = known.get(companyId);
  if (when === "remembered" && remembered !== undefined) return remembered;
  const [row] = await drizzle(env.DB)
    .select({ database: placements.database, move: placements.move })
    .from(placements)
    .where(eq(placements.companyId, companyId));
  const placement = row ?? NEVER_MOVED;
  remember(known, companyId, placement);
  return placement;
}

/** Whose a client id is, which never changes; null where the directory does not know it. */
export async function companyOfClient(env: Env, clientId: string): Promise<number | null> {
  const known = learntFrom(env);
  const remembered = known.clients.get(clientId);
  if (remembered !== undefined) return remembered;
  const [row] = await drizzle(env.DB).all<{
    companyId: number;
    database: string | null;
    move: number | null;
  }>(sql`
    SELECT owner.company_id AS companyId, placements.database, placements.move
    FROM (
      SELECT company_id FROM ${clients} WHERE client_id = ${clientId}
      UNION ALL SELECT company_id FROM applications WHERE client_id = ${clientId} LIMIT 1
    ) AS owner
    LEFT JOIN placements ON placements.company_id = owner.company_id`);
  if (row === undefined) return null;
  const { companyId, database, move } = row;
  remember(known.clients, clientId, companyId);
  const placement = database === null ? NEVER_MOVED : { database, move: move ?? 0 };
  remember(known.placements, companyId, placement);
  return companyId;
}

function learntFrom(env: Env): Learnt {
  const before = learnt.get(env.DB);
  if (before !== undefined) return before;
  const nothing: Learnt = { placements: new Map(), clients: new Map() };
  learnt.set(env.DB, nothing);
  return nothing;
}

/** Forgets all where there is no room: asking again is one trip for each. */
function remember<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): void {
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(key, value);
}
