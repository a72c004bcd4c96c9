import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../config.ts";
import type { InspectQuery } from "../rpc-types.ts";
import { inspect } from "./inspect.ts";
import { errorFields, log } from "../../lib/log.ts";

/** The answer goes out before the object restarts. */
const RESTART_AFTER_MS = 500;

/** What operators do with an object's storage as it is: look into it, and take it back to an earlier time. */
export class StoredObject extends DurableObject<Env> {
  /**
   * Tests set up each new instance here. The platform evicts an object that is idle for ten seconds, and its
   * next instance would have the system's clock.
   */
  static prepare: (object: StoredObject, name: string | undefined) => void = () => undefined;

  async inspect(query: InspectQuery) {
    return inspect(this.ctx.storage.sql, query);
  }

  /**
   * Restarts the object as it was at a time (epoch milliseconds): all later commits are gone from it. Returns the
   * platform's bookmark that undoes this; null where the platform refuses, as on a developer's machine. The caller
   * must then bring D1 and the object together (docs/restore.md).
   */
  async restoreToTime(timeMs: number): Promise<string | null> {
    const { storage } = this.ctx;
    try {
      const bookmark = await storage.getBookmarkForTime(timeMs);
      const undo = await storage.onNextSessionRestoreBookmark(bookmark);
      this.ctx.waitUntil(
        scheduler.wait(RESTART_AFTER_MS).then(() => this.ctx.abort("restored to an earlier time")),
      );
      return undo;
    } catch (error) {
      log("warn", "object_restore_refused", errorFields(error));
      return null;
    }
  }
}
