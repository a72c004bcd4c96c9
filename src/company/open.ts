import type { Clock } from "../domain/shared/clock.ts";
import { log } from "../lib/log.ts";
import { DueReleases } from "./releases/due-releases.ts";
import { migrateCompany } from "./storage/migrations.ts";
import { partsOf, type Parts } from "./compose.ts";
import type { Hints, Records } from "./outbox/records.ts";
import { Upkeep } from "./runtime/upkeep.ts";

/** An object's parts over tables that its code knows. */
export interface OpenCompany {
  parts: Parts;
  upkeep: Upkeep;
  dueReleases: DueReleases;
}

/** What an object gives its parts; the functions for what is replaceable at any time. */
interface Surroundings {
  storage: DurableObjectStorage;
  clock: () => Clock;
  records: () => Records;
  hints: () => Hints;
  waitUntil: (work: Promise<unknown>) => void;
}

/**
 * This code is older than the object's tables, as after a deploy was taken back. Storage shows it to
 * clients as 503; it ends with the newer code.
 */
export class StorageNewer extends Error {
  constructor() {
    super("STORAGE_NEWER: the object's tables are of newer code");
  }
}

/** Opens an object's tables; null where they are of newer code, which then is said and left alone. */
export function openCompany({
  storage,
  clock,
  records,
  hints,
  waitUntil,
}: Surroundings): OpenCompany | null {
  if (migrateCompany(storage) === "newer") {
    log("error", "storage_newer");
    return null;
  }
  const parts = partsOf(storage.sql);
  const { meta, ledger, outbox, contradictions, withdraws, operations, rechecks } = parts.stores;
  const upkeep: Upkeep = new Upkeep({
    storage,
    clock,
    records,
    hints,
    companyId: () => meta.get("company_id"),
    ledger,
    ledgerLength: parts.ledgerLength,
    outbox,
    contradictions,
    payouts: () => withdraws.toLookAfter(meta.get("frozen") === 1),
    operations: operations.pending,
    rechecks: rechecks.open,
    releasesDueAt: () => dueReleases.dueAt(),
  });
  const dueReleases = new DueReleases({ parts, upkeep, clock, waitUntil });
  return { parts, upkeep, dueReleases };
}
