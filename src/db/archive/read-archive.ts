import type { Env } from "../../config.ts";
import type { ArchivedChange } from "../../domain/events/archived-change.ts";
import { CHANGES_PREFIX } from "../../domain/storage/archive-files.ts";
import type { StoredTransaction } from "../projection/transaction-mapper.ts";

/** A charge as D1 had it; one from before there were these columns lacks them. */
export type ArchivedCharge = Omit<StoredTransaction, "archiveFile" | "attempt"> &
  Partial<Pick<StoredTransaction, "archiveFile" | "attempt">>;

/** A page of the archive, oldest first. */
interface ArchivePage {
  /** Null for an object that its lifecycle rule has deleted meanwhile. */
  changes: { key: string; change: ArchivedChange<ArchivedCharge> | null }[];
  hasMore: boolean;
}

/** Whether changes are archived: without the bucket nothing is. */
export function hasArchive(env: Env): boolean {
  return env.ARCHIVE !== undefined;
}

/**
 * The changes of a company after a key, oldest first; a time's key of `archiveKeyAt` begins. Reads at most `limit`
 * objects of the bucket at once.
 */
export async function readArchive(
  env: Env,
  companyId: number,
  after: string,
  limit: number,
): Promise<ArchivePage> {
  const bucket = env.ARCHIVE;
  if (bucket === undefined) return { changes: [], hasMore: false };
  const keysAfter = async (prefix: string, startAfter: string, most: number) => {
    if (most === 0) return [];
    const { objects } = await bucket.list({ prefix, startAfter, limit: most });
    return objects.map(({ key }) => key);
  };
  // Keys of before had no prefix. They come first, being older: none is left after a key that has one.
  const isOld = !after.startsWith(CHANGES_PREFIX);
  const isStart = !after.includes("-");
  const old = after.replace(CHANGES_PREFIX, "");
  const keys = await keysAfter(`${companyId}/`, old, isOld || isStart ? limit : 0);
  const own = `${CHANGES_PREFIX}${companyId}/`;
  keys.push(...(await keysAfter(own, isOld ? own : after, limit - keys.length)));
  const changes = await Promise.all(
    keys.map(async (key) => {
      const object = await bucket.get(key);
      const change = object === null ? null : await object.json<ArchivedChange<ArchivedCharge>>();
      return { key, change };
    }),
  );
  return { changes, hasMore: keys.length === limit };
}
