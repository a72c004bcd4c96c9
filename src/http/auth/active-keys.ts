import type { ActiveKey } from "../../db/companies/credentials.ts";
import { timingSafeEqual } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import type { AppContext } from "../context.ts";
import { executionContextOf } from "./internal-retry.ts";

/** How coarse the time of a key's last use is. */
const USE_RECORDED_EVERY_MS = 3_600_000;

/** The key that has this hash and has not expired; null if there is none. Compares every key in constant time. */
export function findActiveKey<Key extends ActiveKey>(
  keys: readonly Key[],
  presentedHash: string,
  nowMs: number,
): Key | null {
  return keys
    .map((key): Key | null => {
      const isActive = key.expiresAt === null || key.expiresAt > nowMs;
      return timingSafeEqual(key.hash, presentedHash) && isActive ? key : null;
    })
    .reduce((found, key) => key ?? found, null);
}

/** Records the use of a key after the response, at most once an hour. A failure is only logged. */
export function noteKeyUse(
  c: AppContext,
  { lastUsedAt }: ActiveKey,
  record: () => Promise<void>,
): void {
  const now = c.get("deps").platformClock.now();
  if (lastUsedAt !== null && now - lastUsedAt < USE_RECORDED_EVERY_MS) return;
  const recorded = record().catch((error: unknown) =>
    log("warn", "key_use_not_recorded", { ...errorFields(error), traceId: c.get("traceId") }),
  );
  executionContextOf(c)?.waitUntil(recorded);
}
