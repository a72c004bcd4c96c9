import type { ArchivedChange } from "../../domain/events/archived-change.ts";
import type { UnarchivedStore } from "../outbox/unarchived-store.ts";
import {
  after,
  commit,
  commitWithoutReleases,
  declare,
  drain,
  find,
  type Opened,
} from "./declare-call.ts";
import type { RecheckOutcome, RecheckStore } from "./recheck-store.ts";
import { dueItems, type DueServices } from "./due-items.ts";
import type { VersionGate } from "./version-gate.ts";

interface Services extends DueServices {
  stores: DueServices["stores"] & { rechecks: RecheckStore; unarchived: UnarchivedStore };
  versionGate: VersionGate;
}

/** A recheck by its number. */
interface RecheckOfCompany {
  companyId: number;
  id: number;
}

interface RecordRecheck extends RecheckOfCompany {
  outcome: RecheckOutcome;
}

interface KeepUnarchived {
  companyId: number;
  change: ArchivedChange;
}

/** The calls about work that goes on, and credentials. */
export const runtimeCalls = {
  claimRecheck: commit(({ stores }: Services, { id }: RecheckOfCompany, now) =>
    stores.rechecks.claim(id, now),
  ),

  recordRecheck: commit(({ stores }: Services, { id, outcome }: RecordRecheck, now) =>
    stores.rechecks.record(id, outcome, now),
  ),

  /** Keeps a change that D1 has and the archive has not taken, until it does. */
  keepUnarchived: commitWithoutReleases(({ stores }: Services, { change }: KeepUnarchived, now) =>
    stores.unarchived.add(change, now),
  ),

  /** Rejects commands authenticated by credentials older than `version` from now on. */
  invalidateCredentials: find(({ versionGate }: Services, version: number) =>
    versionGate.advance(version),
  ),

  /**
   * The first things that the object has due by a time. What it has committed stands in D1 when it answers: a delivery
   * or an e-mail is due there.
   */
  dueItems: after(
    find((services: Services, query: { until: number; limit: number }) =>
      dueItems(services, query),
    ),
    drain,
  ),

  /**
   * Moves the clock of a sandbox company forward to a time, and does what the object itself has due by then; a time that
   * is over moves nothing. Returns how far the clock is ahead, in milliseconds.
   */
  moveClock: declare(async ({ open }: Opened<Services>, { to }: { to: number }) => {
    open.backgroundWork.moveClock(to);
    open.runDue();
    await open.backgroundWork.drain();
    return open.clock.offsetMs;
  }),

  /**
   * Does all that is due, even if the alarm was lost, and archives at most 1,000 charges and entries that were kept for
   * the archive. The cron calls it. Returns how many are left of these.
   */
  runNow: declare(async ({ open }: Opened<Services>, _: void) => {
    await open.backgroundWork.runNow(open.runDue);
    return open.services.stores.unarchived.count();
  }),
};
