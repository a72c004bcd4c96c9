import {
  addFile,
  changeFile,
  fileText,
  isArchivedLine,
  readFile,
} from "../../../db/archive/archive-bucket.ts";
import type { LeavingRow, OldRow } from "../../../db/archive/archive-rules.ts";
import { isLineOf } from "../../../db/archive/archived-texts.ts";
import {
  leaveD1,
  loadLeaving,
  nextOldRows,
  passOver,
  postponeWaiting,
  saveOldestLate,
  waitingRows,
} from "../../../db/archive/leaving-rows.ts";
import { highestCompanyId, nextCompanies } from "../../../db/companies/companies.ts";
import { CompanyMovingError } from "../../../db/sharding/routed-database.ts";
import { pagesOf, SINGLE_STEP, type TaskStep } from "../../../domain/shared/cron-step.ts";
import {
  ARCHIVED_KINDS,
  archivedBefore,
  archiveFileName,
  archiveFolder,
  archiveMonth,
  type ArchivedKind,
} from "../../../domain/storage/archive-files.ts";
import { configOf, type Env } from "../../../config.ts";
import type { Dependencies } from "../../../http/context.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { errorFields, log } from "../../../lib/log.ts";

/** Companies of one message: ten statements of D1 each, of the 1,000 that an invocation may make. */
const COMPANIES_PER_MESSAGE = 20;
/** Every company has its turn once in so many minutes. */
const PASS_MINUTES = 60;
/** Pages of rows of one message, each with nine statements: with the companies' own fewer than 1,000 in all. */
const PAGES_MAX = 60;
/** Pages of one company and kind before the others have theirs. */
const PAGES_AT_ONCE = 3;
/** Bytes of texts in one file, but for a larger row: a view reads a whole file, and D1 takes a parameter of 2 MB. */
const FILE_BYTES_MAX = 500_000;
/** Digits of the hash in a file's name. */
const HASH_DIGITS = 16;

/** What one message may still do, and for which time. */
interface Run {
  bucket: R2Bucket;
  pagesLeft: number;
  /** Rows made before it leave. */
  madeBefore: number;
  nowMs: number;
}

/**
 * Cron task: closed charges and events that are older than `ARCHIVE_AFTER_MONTHS` leave D1 for files of the archive
 * (docs/storage.md). Every company has its turn at least once an hour; what one turn does not come to, the next does. Without
 * a bucket nothing leaves.
 */
export async function archiveRows(
  env: Env,
  { platformClock }: Pick<Dependencies, "platformClock">,
  step: TaskStep = SINGLE_STEP,
): Promise<void> {
  const { archiveAfterMonths } = configOf(env);
  const bucket = env.ARCHIVE;
  if (bucket === undefined || archiveAfterMonths === 0) return;
  const nowMs = platformClock.now();
  const madeBefore = archivedBefore(nowMs, archiveAfterMonths);
  const run = { bucket, pagesLeft: PAGES_MAX, madeBefore, nowMs };
  if (step.state !== null) return archivePage(env, run, step.state as number[]);
  const perMinute = Math.ceil((await highestCompanyId(env)) / PASS_MINUTES);
  const count = Math.max(COMPANIES_PER_MESSAGE, perMinute);
  const [first = [], ...others] = pagesOf(
    await nextCompanies(env, "archive", count),
    COMPANIES_PER_MESSAGE,
  );
  await step.share(others);
  await archivePage(env, run, first);
}

/**
 * Every company has a few pages first; what is left of the run goes to those that have more. A failure is logged; the
 * company's next turn goes on. One that moves is left for later.
 */
async function archivePage(env: Env, run: Run, companyIds: number[]): Promise<void> {
  let left = companyIds.flatMap((companyId) => ARCHIVED_KINDS.map((kind) => ({ companyId, kind })));
  for (const { companyId, kind } of left) {
    await guarded(companyId, kind, () => archiveWaited(env, run, companyId, kind));
  }
  while (left.length > 0) {
    const unfinished: typeof left = [];
    for (const each of left) {
      const { companyId, kind } = each;
      await guarded(companyId, kind, async () => {
        if (await archiveCompany(env, run, companyId, kind)) unfinished.push(each);
      });
    }
    left = run.pagesLeft > 0 ? unfinished : [];
  }
}

async function guarded(
  companyId: number,
  kind: ArchivedKind,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CompanyMovingError) return;
    log("error", "row_archive_failed", { ...errorFields(error), companyId, kind });
  }
}

/**
 * Archives a few pages of a company's rows of a kind, as far as the run may, and keeps since when some are late.
 * Returns whether there are more.
 */
async function archiveCompany(
  env: Env,
  run: Run,
  companyId: number,
  kind: ArchivedKind,
): Promise<boolean> {
  let next = await nextOldRows(env, companyId, kind, run.madeBefore);
  try {
    for (let pages = 0; next.length > 0 && pages < PAGES_AT_ONCE && run.pagesLeft > 0; pages++) {
      await archiveRowsOf(env, run, companyId, kind, next);
      next = await nextOldRows(env, companyId, kind, run.madeBefore);
    }
  } finally {
    await saveOldestLate(env, companyId, kind, next[0]?.createdAt ?? null);
  }
  return next.length > 0;
}

/** Looks at rows again that were open. */
async function archiveWaited(
  env: Env,
  run: Run,
  companyId: number,
  kind: ArchivedKind,
): Promise<void> {
  if (run.pagesLeft <= 0) return;
  const { numbers, rows } = await waitingRows(env, companyId, kind, run.nowMs);
  if (numbers.length === 0) return;
  try {
    await archiveRowsOf(env, run, companyId, kind, rows, numbers);
  } catch (error) {
    // Others have their turn first.
    const { taken } = firstFile(rows);
    await postponeWaiting(env, companyId, kind, taken, run.nowMs);
    throw error;
  }
}

/**
 * Writes one file of the first closed ones of the rows, then takes their texts out of D1. A crash between leaves a file
 * that no row names; the next turn writes the same one. `waited`: the numbers of rows that were looked at before, of
 * which some may be gone.
 */
async function archiveRowsOf(
  env: Env,
  run: Run,
  companyId: number,
  kind: ArchivedKind,
  rows: OldRow[],
  waited: number[] = [],
): Promise<void> {
  run.pagesLeft -= 1;
  const { taken, month, numbers } = firstFile(rows);
  const lookedAt = waited.length > 0 && numbers.length === rows.length ? waited : numbers;
  const takenNumbers = taken.map(({ number }) => number);
  const read = taken.length === 0 ? [] : await loadLeaving(env, companyId, kind, takenNumbers);
  const [first, last] = [read[0], read.at(-1)];
  if (first === undefined || last === undefined) {
    await passOver(env, companyId, kind, lookedAt, run.nowMs);
    return;
  }
  const range = { first: first.line.number, last: last.line.number };
  const text = fileText(read.map(({ line }) => line));
  const nameOf = async (hashed: string) =>
    archiveFileName(
      archiveFolder(kind, companyId, month),
      range,
      (await sha256Hex(hashed)).slice(0, HASH_DIGITS),
    );
  // Two runs share a file only if all is the same that they check when the rows leave.
  const checked = `${text}${JSON.stringify(read.map(({ unchanged }) => unchanged))}`;
  let file = await nameOf(checked);
  if (!(await addFile(run.bucket, file, text)) && !(await hasLines(env, kind, file, read))) {
    // Another run has taken lines out of that file again, or it is damaged.
    file = await nameOf(`${checked}${run.nowMs}`);
    await addFile(run.bucket, file, text);
  }
  const leaving = { file, rows: read };
  const gone = await leaveD1(env, companyId, kind, { lookedAt, leaving }, run.nowMs);
  if (gone.size < read.length) await dropLines(env, file, gone);
}

/** The closed rows that make one file: of one month, and not too large; with the numbers of all looked at for it. */
function firstFile(rows: OldRow[]): { taken: OldRow[]; month: string; numbers: number[] } {
  const taken: OldRow[] = [];
  const numbers: number[] = [];
  let month = "";
  let bytes = 0;
  for (const row of rows) {
    if (row.isClosed) {
      const own = archiveMonth(row.createdAt);
      if (taken.length > 0 && (own !== month || bytes + row.bytes > FILE_BYTES_MAX)) break;
      month = own;
      bytes += row.bytes;
      taken.push(row);
    }
    numbers.push(row.number);
  }
  return { taken, month, numbers };
}

/** Rows that changed meanwhile have not left: their lines go from the file. */
async function dropLines(env: Env, name: string, kept: ReadonlySet<number>): Promise<void> {
  await changeFile(env, name, isArchivedLine, ({ lines }) => ({
    lines: lines.filter(({ number }) => kept.has(number)),
  }));
}

/** Whether a file has all these lines whole. */
async function hasLines(
  env: Env,
  kind: ArchivedKind,
  name: string,
  rows: readonly LeavingRow[],
): Promise<boolean> {
  const file = await readFile(env, name, isLineOf(kind));
  const texts = new Set(file?.lines.map((line) => JSON.stringify(line)));
  return rows.every(({ line }) => texts.has(JSON.stringify(line)));
}
