import { DurableObject } from "cloudflare:workers";
import {
  NOTHING_PAUSED,
  type Pause,
  type Pauses,
  type PauseTarget,
} from "../domain/operators/pause.ts";
import { Table } from "../company/storage/table.ts";
import { SERVICE_STATE_TABLES } from "./tables.ts";

const KEY = "pauses";

type ArchiveBehindRow = { company_id: number; since: number };

const ARCHIVE_BEHIND = new Table<ArchiveBehindRow>("archive_behind");

/** The companies of which the archive lacks changes. */
interface ArchiveBehind {
  companies: number;
  /** Those that are behind for longest, and since when (Unix milliseconds). */
  longest: { companyId: number; since: number }[];
}

/**
 * The one object that knows what is paused, and of which companies the archive lacks changes. It is neither in D1 nor in
 * a company's object, because both may be taken back to an earlier time while that must last (docs/restore.md).
 */
export class ServiceState extends DurableObject<unknown> {
  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    ctx.storage.sql.exec(SERVICE_STATE_TABLES);
  }

  read(): Pauses {
    return this.ctx.storage.kv.get<Pauses>(KEY) ?? NOTHING_PAUSED;
  }

  /** Pauses the service or a company; what is paused keeps its pause. */
  pause(target: PauseTarget, pause: Pause): Pauses {
    const before = this.read();
    if (target === "service") return this.#store({ ...before, service: before.service ?? pause });
    const own = before.companies[target] ?? pause;
    return this.#store({ ...before, companies: { ...before.companies, [target]: own } });
  }

  /** Ends the pause of the service or of a company; what runs goes on. */
  resume(target: PauseTarget): Pauses {
    const before = this.read();
    if (target === "service") return this.#store({ ...before, service: null });
    const { [target]: _ended, ...companies } = before.companies;
    return this.#store({ ...before, companies });
  }

  /** A company's object says since when the archive lacks changes of it; null: it has all. */
  reportArchive(companyId: number, since: number | null): void {
    const { sql } = this.ctx.storage;
    if (since === null) sql.exec("DELETE FROM archive_behind WHERE company_id = ?", companyId);
    else ARCHIVE_BEHIND.replace(sql, { company_id: companyId, since });
  }

  /** Of which companies the archive lacks changes, with the `limit` that are behind for longest. */
  archiveBehind(limit: number): ArchiveBehind {
    const { sql } = this.ctx.storage;
    const { companies } = sql
      .exec<{ companies: number }>("SELECT count(*) AS companies FROM archive_behind")
      .one();
    const longest = sql
      .exec<ArchiveBehindRow>(
        "SELECT company_id, since FROM archive_behind ORDER BY since LIMIT ?",
        limit,
      )
      .toArray()
      .map(({ company_id: companyId, since }) => ({ companyId, since }));
    return { companies, longest };
  }

  #store(pauses: Pauses): Pauses {
    this.ctx.storage.kv.put(KEY, pauses);
    return pauses;
  }
}
