import { errorFields, log } from "../../lib/log.ts";
import type { Freezes } from "../operators/freezes.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import {
  commitAndDrain,
  commitWithoutReleases,
  declare,
  type Opened,
} from "../runtime/declare-call.ts";
import type { DailyUsage, TakeQuota } from "./daily-usage.ts";
import { inspect, type InspectQuery } from "./inspect.ts";
import type { MetaStore } from "./meta-store.ts";
import { raiseNumbers, type LowestNumbers } from "./raise-numbers.ts";
import { announceStorageFilling } from "./storage-filling.ts";

/** The answer goes out before the object restarts. */
const RESTART_AFTER_MS = 500;

interface Services {
  stores: { usage: DailyUsage; meta: MetaStore; outbox: OutboxStore };
  freezes: Freezes;
}

/** What operators do with the storage as it is, also while newer code has migrated the tables. */
interface Stored {
  state: DurableObjectState;
}

interface AnnounceStorageFilling {
  companyId: number;
  bytes: number;
}

interface RaiseNumbers {
  companyId: number;
  lowest: LowestNumbers;
}

const raise = commitAndDrain(({ stores, freezes }: Services, { lowest }: RaiseNumbers, now) => {
  const renumbered = raiseNumbers(stores, lowest);
  freezes.announceRestored(now);
  return renumbered;
});

/** The calls about the object's storage. */
export const storageCalls = {
  /** Counts a request's bytes against the company's quotas; null if they are within them. */
  takeQuota: commitWithoutReleases(({ stores }: Services, command: TakeQuota, now) =>
    stores.usage.take(command, now),
  ),

  inspect: declare(({ state }: Stored, query: InspectQuery) => inspect(state.storage.sql, query)),

  /**
   * Restarts the object as it was at a time (epoch milliseconds): all later commits are gone from it. Returns the
   * platform's bookmark that undoes this; null where the platform refuses, as on a developer's machine. The caller
   * must then bring D1 and the object together (docs/restore.md).
   */
  restoreToTime: declare(restoreToTime),

  /**
   * Raises the object's numbers above those that D1 has, after a restore, and renumbers events that were not
   * written because D1 had another one under their number, then announces the restore's freeze. Tells the service again
   * since when the archive lacks changes of the company. Returns how many.
   */
  raiseNumbers: declare(async (object: Opened<Services>, command: RaiseNumbers) => {
    await object.open.backgroundWork.archiving.report(command.companyId);
    return raise.run(object, command);
  }),

  /** Sends operators an event. The caller calls once each time the object crosses the limit. */
  announceStorageFilling: commitAndDrain(
    ({ stores }: Services, { bytes }: AnnounceStorageFilling, now) =>
      announceStorageFilling(stores, bytes, now),
  ),
};

async function restoreToTime({ state }: Stored, timeMs: number): Promise<string | null> {
  const { storage } = state;
  try {
    const bookmark = await storage.getBookmarkForTime(timeMs);
    const undo = await storage.onNextSessionRestoreBookmark(bookmark);
    state.waitUntil(
      scheduler.wait(RESTART_AFTER_MS).then(() => state.abort("restored to an earlier time")),
    );
    return undo;
  } catch (error) {
    log("warn", "object_restore_refused", errorFields(error));
    return null;
  }
}
