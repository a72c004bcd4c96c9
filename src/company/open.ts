import type { Clock } from "../domain/shared/clock.ts";
import { log } from "../lib/log.ts";
import { DueReleases } from "./releases/due-releases.ts";
import { migrateObject } from "./storage/migrations.ts";
import { compose, type Services } from "./compose.ts";
import type { LivePages } from "./live/live-pages.ts";
import type { Archive, Notifier, Projection } from "./outbox/ports.ts";
import { BackgroundWork } from "./runtime/background-work.ts";
import { CompanyTime } from "./runtime/company-time.ts";
import type { OpenObject } from "./runtime/declare-call.ts";
import { readDueTimes } from "./storage/due-time.ts";
import { GroupCommit } from "./runtime/group-commit.ts";

/** What the Durable Object provides. Tests replace what the functions return. */
interface ObjectContext {
  storage: DurableObjectStorage;
  platformClock: () => Clock;
  projection: () => Projection;
  archive: () => Archive | null;
  notifier: () => Notifier;
  live: LivePages;
  waitUntil: (work: Promise<unknown>) => void;
}

/**
 * This code is older than the object's tables, as after the rollback of a deploy. Clients get 503 until
 * the newer code is deployed again.
 */
export class NewerStorage extends Error {
  constructor() {
    super("STORAGE_NEWER: a newer version of the code has migrated the object's tables");
  }
}

/** Migrates and opens an object's tables. Null, with a log, if newer code has migrated them. */
export function openCompany(context: ObjectContext): OpenObject<Services> | null {
  const { storage, platformClock, waitUntil } = context;
  if (migrateObject(storage) === "newer") {
    log("error", "storage_version_ahead");
    return null;
  }
  const services = compose(storage.sql);
  const { stores, versionGate } = services;
  const clock = new CompanyTime(platformClock, stores.meta);
  const ending = endingTimes(services);
  // A refund that waits for an approval is among the pending operations.
  const { waitingExit: _, ...others } = ending;
  const all = { ...workTimes(services), ...others };
  const backgroundWork: BackgroundWork = new BackgroundWork({
    ...context,
    ...stores,
    clock,
    announce: (entries) => context.live.announce(entries, () => balanceNow(services)),
    companyId: () => stores.meta.companyId(),
    ledgerLength: services.ledgerLength,
    payouts: () => stores.withdraws.dueIndexes(stores.meta.get("frozen") === 1),
    operations: stores.operations.pending,
    rechecks: stores.rechecks.open,
    dueTimes: () => {
      const { awaiting, approval, release, unarchived, ...rest } = readDueTimes(storage.sql, all);
      return [
        ...Object.values(rest),
        // A withdraw that waits for an approval is among the unclaimed ones, which a freeze leaves out.
        stores.meta.get("frozen") === 1 ? approval : awaiting,
        dueReleases.notBefore(release),
        context.archive() === null ? null : unarchived,
      ];
    },
  });
  const dueReleases = new DueReleases({ services, backgroundWork, clock, waitUntil });
  return {
    services,
    meta: stores.meta,
    versionGate,
    backgroundWork,
    groupCommit: new GroupCommit(() => storage.sync()),
    balance: () => balanceNow(services),
    releaseDue: () => dueReleases.run(),
    runDue: () => {
      dueReleases.run();
      endOverdue(services, backgroundWork, readDueTimes(storage.sql, ending), clock.now());
    },
    clock,
    waitUntil,
  };
}

/** What may be withdrawn, in centavos, and the ledger's last line. */
function balanceNow({ releases, stores }: Services) {
  const { available, held } = releases.balances();
  return { available: available - held, sequence: stores.ledger.head().sequence };
}

/** When the first of each kind of work is due. */
function workTimes({ stores }: Services) {
  const { outbox, unarchived, withdraws, operations, rechecks, releases, subscriptions } = stores;
  return {
    outbox: outbox.next,
    rejected: outbox.rejected.next,
    unarchived: unarchived.next,
    processing: withdraws.processing.next,
    awaiting: withdraws.awaiting.next,
    operation: operations.pending.next,
    recheck: rechecks.open.next,
    release: releases.next,
    subscription: subscriptions.next,
  };
}

/** When the first of what `endOverdue` ends is due. */
function endingTimes({ stores, reservations }: Services) {
  return {
    approval: stores.approvals.next,
    waitingExit: stores.waiting.next,
    ...reservations.dueTimes,
  };
}

/** Ends withdraws and refunds that nobody approved in time, and frees reservations that were held in vain. */
function endOverdue(
  { approvals, exitApprovals, reservations, chargeTransitions }: Services,
  backgroundWork: BackgroundWork,
  first: Record<keyof ReturnType<typeof endingTimes>, number | null>,
  nowMs: number,
): void {
  const isDue = (dueAt: number | null) => dueAt !== null && dueAt <= nowMs;
  if (isDue(first.approval)) backgroundWork.commit((now) => approvals.expireDue(now));
  if (isDue(first.waitingExit)) backgroundWork.commit((now) => exitApprovals.expireDue(now));
  if (isDue(first.checkout) || isDue(first.heldPlace)) {
    backgroundWork.commit((now) => {
      for (const charge of reservations.freeLapsed(now)) chargeTransitions.expire(charge, now);
    });
  }
}
