import type { Clock } from "../domain/shared/clock.ts";
import { log } from "../lib/log.ts";
import { DueReleases } from "./releases/due-releases.ts";
import { migrateCompany } from "./storage/migrations.ts";
import { compose, type Services } from "./compose.ts";
import type { Notifier, Projection } from "./outbox/ports.ts";
import { BackgroundWork } from "./runtime/background-work.ts";

/** An object's parts over tables that its code knows. */
export interface OpenCompany {
  services: Services;
  backgroundWork: BackgroundWork;
  dueReleases: DueReleases;
}

/** What an object gives its parts; the functions for what is replaceable at any time. */
interface ObjectContext {
  storage: DurableObjectStorage;
  clock: () => Clock;
  projection: () => Projection;
  notifier: () => Notifier;
  waitUntil: (work: Promise<unknown>) => void;
}

/**
 * This code is older than the object's tables, as after a deploy was taken back. Storage shows it to
 * clients as 503; it ends with the newer code.
 */
export class NewerStorage extends Error {
  constructor() {
    super("STORAGE_NEWER: a newer version of the code has migrated the object's tables");
  }
}

/** Opens an object's tables; null where they are of newer code, which then is said and left alone. */
export function openCompany({
  storage,
  clock,
  projection,
  notifier,
  waitUntil,
}: ObjectContext): OpenCompany | null {
  if (migrateCompany(storage) === "newer") {
    log("error", "storage_version_ahead");
    return null;
  }
  const services = compose(storage.sql);
  const { meta, ledger, outbox, contradictions, withdraws, operations, rechecks } = services.stores;
  const backgroundWork: BackgroundWork = new BackgroundWork({
    storage,
    clock,
    projection,
    notifier,
    companyId: () => meta.get("company_id"),
    ledger,
    ledgerLength: services.ledgerLength,
    outbox,
    contradictions,
    payouts: () => withdraws.dueIndexes(meta.get("frozen") === 1),
    operations: operations.pending,
    rechecks: rechecks.open,
    releasesDueAt: () => dueReleases.dueAt(),
  });
  const dueReleases = new DueReleases({
    parts: services,
    upkeep: backgroundWork,
    clock,
    waitUntil,
  });
  return { services, backgroundWork, dueReleases };
}
