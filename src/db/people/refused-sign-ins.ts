import { sql } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { directoryOf } from "../client.ts";
import { verifications } from "../schema/people/sessions.ts";

const WINDOW_MS = 3_600_000;
const REFUSED = "refused-sign-in";

/**
 * Counts a refused sign-in of a person under `kind`, and answers how many there were within the hour that began with
 * the first. better-auth deletes the row after it.
 */
export async function countRefusedSignIn(
  env: Env,
  userId: string,
  kind: string,
  nowMs: number,
): Promise<number> {
  const now = new Date(nowMs);
  const first = {
    identifier: REFUSED,
    value: "1",
    expiresAt: new Date(nowMs + WINDOW_MS),
    createdAt: now,
    updatedAt: now,
  };
  const isOver = sql`${verifications.expiresAt} <= ${nowMs}`;
  const [row] = await directoryOf(env)
    .insert(verifications)
    .values({ id: `${REFUSED}:${kind}:${userId}`, ...first })
    .onConflictDoUpdate({
      target: verifications.id,
      set: {
        value: sql`CASE WHEN ${isOver} THEN excluded.value ELSE ${verifications.value} + 1 END`,
        expiresAt: sql`CASE WHEN ${isOver} THEN excluded.expires_at ELSE ${verifications.expiresAt} END`,
        updatedAt: now,
      },
    })
    .returning({ count: verifications.value });
  return Number(row?.count ?? 0);
}
