import type { Clock } from "../domain/shared/clock.ts";
import { log } from "../lib/log.ts";
import { DueReleases } from "./releases/due-releases.ts";
import { migrateCompany } from "./storage/migrations.ts";
import { compose, type Services } from "./compose.ts";
import type { Archive, Notifier, Projection } from "./outbox/ports.ts";
import { BackgroundWork } from "./runtime/background-work.ts";
import { CommandRunner } from "./runtime/command-runner.ts";
import { readDueTimes } from "./runtime/due-time.ts";
import { GroupCommit } from "./runtime/group-commit.ts";

/** An object whose tables this code knows. */
export interface OpenCompany {
  services: Services;
  backgroundWork: BackgroundWork;
  commandRunner: CommandRunner;
  /**
   * Releases due credits, ends withdraws and refunds that nobody approved in time, and frees places that were held
   * in vain, with the end of their charges. Runs before other due work.
   */
  runDue: () => void;
}

/** What the Durable Object provides. Tests replace what the functions return. */
interface ObjectContext {
  storage: DurableObjectStorage;
  clock: () => Clock;
  projection: () => Projection;
  archive: () => Archive | null;
  notifier: () => Notifier;
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
export function openCompany({
  storage,
  clock,
  projection,
  archive,
  notifier,
  waitUntil,
}: ObjectContext): OpenCompany | null {
  if (migrateCompany(storage) === "newer") {
    log("error", "storage_version_ahead");
    return null;
  }
  const { sql } = storage;
  const services = compose(sql);
  const { meta, ledger, outbox, contradictions, withdraws, operations, rechecks } = services.stores;
  const { approvals, waiting, unarchived, releases } = services.stores;
  /** What ends by itself, in `runDue`. */
  const timedOut = {
    approval: approvals.next,
    waitingExit: waiting.next,
    ...services.places.dueTimes,
  };
  const backgroundWork: BackgroundWork = new BackgroundWork({
    storage,
    clock,
    projection,
    archive,
    notifier,
    companyId: () => meta.get("company_id"),
    ledger,
    ledgerLength: services.ledgerLength,
    outbox,
    unarchived,
    contradictions,
    payouts: () => withdraws.dueIndexes(meta.get("frozen") === 1),
    operations: operations.pending,
    rechecks: rechecks.open,
    dueTimes: () => {
      const {
        awaiting,
        approval,
        release,
        unarchived: change,
        ...others
      } = readDueTimes(sql, {
        outbox: outbox.next,
        setAside: outbox.setAside.next,
        unarchived: unarchived.next,
        processing: withdraws.processing.next,
        awaiting: withdraws.awaiting.next,
        operation: operations.pending.next,
        recheck: rechecks.open.next,
        release: releases.next,
        ...timedOut,
      });
      return [
        ...Object.values(others),
        // A withdraw that waits for an approval is among the unclaimed ones, which a freeze leaves out.
        meta.get("frozen") === 1 ? approval : awaiting,
        dueReleases.notBefore(release),
        archive() === null ? null : change,
      ];
    },
  });
  const dueReleases = new DueReleases({
    services,
    backgroundWork,
    clock,
    waitUntil,
  });
  const commandRunner = new CommandRunner({
    services,
    backgroundWork,
    dueReleases,
    groupCommit: new GroupCommit(() => storage.sync()),
  });
  const isDue = (dueAt: number | null) => dueAt !== null && dueAt <= clock().now();
  const runDue = () => {
    dueReleases.run();
    const { approval, waitingExit, checkout, heldPlace } = readDueTimes(sql, timedOut);
    if (isDue(approval)) backgroundWork.commit((now) => services.approvals.expireDue(now));
    if (isDue(waitingExit)) backgroundWork.commit((now) => services.exitApprovals.expireDue(now));
    if (isDue(checkout) || isDue(heldPlace))
      backgroundWork.commit((now) => {
        for (const charge of services.places.freeLapsed(now))
          services.chargeTransitions.expire(charge, now);
      });
  };
  return { services, backgroundWork, commandRunner, runDue };
}
