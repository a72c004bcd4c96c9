import type { ArchivedChange } from "../../domain/events/archived-change.ts";
import { errorFields, log } from "../../lib/log.ts";
import type { Archive } from "./ports.ts";
import type { UnarchivedStore } from "./unarchived-store.ts";

/** Rows of one file, and files of one run, so that a long outage does not block the object when it ends. */
const ROWS_PER_FILE = 20;
const FILES_MAX = 50;

interface ArchivingDeps {
  /** Null where no bucket is bound. */
  archive: () => Archive | null;
  unarchived: UnarchivedStore;
  now: () => number;
  commit: (change: (nowMs: number) => void) => void;
}

/**
 * Archives what D1 took (docs/restore.md). The archive stops nothing: what it does not take stays in the object, and
 * later changes behind it, until it does. From the second failure on the service knows that the company is behind.
 */
export class Archiving {
  readonly #deps: ArchivingDeps;
  /** Whether this instance has told the service. */
  #isReported = false;

  constructor(deps: ArchivingDeps) {
    this.#deps = deps;
  }

  /** Archives a change that D1 took: so the archive has nothing that D1 refused. */
  async add(companyId: number, change: ArchivedChange): Promise<void> {
    const { archive, unarchived, now, commit } = this.#deps;
    const bound = archive();
    if (bound === null) return;
    const isTaken = unarchived.isEmpty() && (await put(bound, companyId, change, now()));
    if (!isTaken) commit((at) => unarchived.add(change, at));
  }

  /** Archives what was kept, if it is due or `isForced`. Never rejects. */
  async retry(companyId: number, isForced: boolean): Promise<void> {
    const { archive, unarchived, now, commit } = this.#deps;
    const bound = archive();
    if (bound === null) return;
    for (let files = 0; files < FILES_MAX; files++) {
      const dueAt = unarchived.next.read();
      if (dueAt === null || (!isForced && dueAt > now())) return;
      const found = unarchived.oldest(ROWS_PER_FILE + 1);
      const rows = found.slice(0, ROWS_PER_FILE);
      const last = rows.at(-1);
      if (last === undefined) return;
      const change = {
        charges: rows.flatMap((row) => row.change.charges),
        entries: rows.flatMap((row) => row.change.entries),
      };
      // The time of the last one: a restore from a time on must not pass over it.
      const isTaken = await put(bound, companyId, change, last.at);
      if (!isTaken && !this.#isReported) await this.#report(bound, companyId, rows[0]?.at ?? null);
      // Before the rows go: else nobody would repeat an answer that was lost, and the company stay behind for ever.
      const isAll = isTaken && found.length === rows.length;
      if (!isTaken || (isAll && !(await this.#report(bound, companyId, null)))) {
        commit((at) => unarchived.postpone(at));
        return;
      }
      commit(() => unarchived.remove(last.number));
    }
  }

  /** Tells the service again since when the archive lacks changes: an object that was taken back may have forgotten. */
  async report(companyId: number): Promise<void> {
    const bound = this.#deps.archive();
    if (bound !== null) await this.#report(bound, companyId, this.#deps.unarchived.since());
  }

  /** Returns whether the service has heard it. */
  async #report(archive: Archive, companyId: number, since: number | null): Promise<boolean> {
    try {
      await archive.report(companyId, since);
      this.#isReported = since !== null;
      return true;
    } catch (error) {
      log("warn", "archive_report_failed", { ...errorFields(error), companyId });
      return false;
    }
  }
}

async function put(
  archive: Archive,
  companyId: number,
  change: ArchivedChange,
  at: number,
): Promise<boolean> {
  try {
    await archive.put(companyId, change, at);
    return true;
  } catch (error) {
    log("error", "archive_failed", { ...errorFields(error), companyId });
    return false;
  }
}
