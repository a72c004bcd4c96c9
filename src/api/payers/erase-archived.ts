import { changeFile, listFiles, numberOfDamaged } from "../../db/archive/archive-bucket.ts";
import {
  FILES_AT_ONCE,
  isEventLine,
  isTransactionLine,
  type EventLine,
  type TransactionLine,
} from "../../db/archive/archived-texts.ts";
import { eventsOfObjects } from "../../db/archive/leaving-rows.ts";
import {
  archiveMonth,
  mayBeArchived,
  type ArchivedKind,
} from "../../domain/storage/archive-files.ts";
import type { Env } from "../../config.ts";
import { inParallel } from "../../db/archive/in-parallel.ts";
import { has, withoutBankTexts } from "./erase-subscription-event.ts";

/** Calls to the bucket of one invocation, of the 1,000 that it may make: a list of a folder, a file read and written. */
export const ARCHIVE_CALLS_MAX = 400;

/** The calls to the bucket that an invocation may still make. */
export interface ArchiveBudget {
  callsLeft: number;
}

/** The archive did not answer, so that nobody can say that a payer's data are erased. */
export class ArchiveUnavailable extends Error {
  override name = "ArchiveUnavailable";
}

/** A charge that may have left D1. */
export interface ErasedCharge {
  seq: number;
  id: string;
  createdAt: number;
  archiveFile: string | null;
}

/**
 * Erases the payer's data of charges, and of the events about them and about `otherSubjects`, from the archive's
 * files: also from those that no row names, as a crash or a restore of D1 leaves them. Returns how many of the charges
 * are done, from the first on: one at least, however many files it needs. Rejects with `ArchiveUnavailable`.
 */
export async function eraseArchived(
  env: Env,
  companyId: number,
  { charges, otherSubjects }: { charges: ErasedCharge[]; otherSubjects: string[] },
  budget: ArchiveBudget,
  nowMs: number,
): Promise<number> {
  const old = charges.filter(({ createdAt }) => mayBeArchived(createdAt, nowMs));
  if (old.length === 0 && otherSubjects.length === 0) return charges.length;
  if (env.ARCHIVE === undefined) {
    if (old.some(({ archiveFile }) => archiveFile !== null)) {
      throw new ArchiveUnavailable("no archive is bound");
    }
    return charges.length;
  }
  const subjects = [...old.map(({ id }) => id), ...otherSubjects];
  const events = (await eventsOfObjects(env, companyId, subjects)).filter(({ createdAt }) =>
    mayBeArchived(createdAt, nowMs),
  );
  const eventsOf = Map.groupBy(events, ({ objectId }) => objectId);
  const plan = new ErasurePlan(env, companyId, budget);
  try {
    for (const subject of otherSubjects) await plan.add("events", eventsOf.get(subject) ?? []);
    let done = 0;
    for (const charge of charges) {
      if (done > 0 && budget.callsLeft <= 0) break;
      if (mayBeArchived(charge.createdAt, nowMs)) {
        await plan.add("transactions", [{ number: charge.seq, createdAt: charge.createdAt }]);
        await plan.add("events", eventsOf.get(charge.id) ?? []);
      }
      done += 1;
    }
    await plan.run();
    return done;
  } catch (error) {
    throw new ArchiveUnavailable("the archive's files could not be written", { cause: error });
  }
}

interface OldRow {
  number: number;
  createdAt: number;
}

/** The files that may have some rows, found by the names of each month's files. */
class ErasurePlan {
  readonly #env: Env;
  readonly #companyId: number;
  readonly #budget: ArchiveBudget;
  readonly #folders = new Map<string, Awaited<ReturnType<typeof listFiles>>>();
  readonly #wanted = new Map<string, { kind: ArchivedKind; numbers: Set<number> }>();

  constructor(env: Env, companyId: number, budget: ArchiveBudget) {
    this.#env = env;
    this.#companyId = companyId;
    this.#budget = budget;
  }

  async add(kind: ArchivedKind, rows: readonly OldRow[]): Promise<void> {
    for (const { number, createdAt } of rows) {
      for (const { name, first, last } of await this.#filesOf(kind, archiveMonth(createdAt))) {
        if (number < first || number > last) continue;
        const known = this.#wanted.get(name);
        if (known === undefined) this.#budget.callsLeft -= 2;
        this.#wanted.set(name, {
          kind,
          numbers: (known?.numbers ?? new Set<number>()).add(number),
        });
      }
    }
  }

  async run(): Promise<void> {
    await inParallel([...this.#wanted], FILES_AT_ONCE, ([name, { kind, numbers }]) =>
      kind === "transactions"
        ? eraseLines(this.#env, name, numbers, isTransactionLine, withoutAddress)
        : eraseLines(this.#env, name, numbers, isEventLine, withoutPayer),
    );
  }

  async #filesOf(kind: ArchivedKind, month: string) {
    const folder = `${kind} ${month}`;
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    this.#budget.callsLeft -= 1;
    const files = await listFiles(this.#env, kind, this.#companyId, month);
    this.#folders.set(folder, files);
    return files;
  }
}

/**
 * Rewrites a file without the payer's data in some of its lines; of them a damaged one goes whole. Rejects if others
 * keep changing it.
 */
async function eraseLines<Line extends { number: number }>(
  env: Env,
  name: string,
  numbers: ReadonlySet<number>,
  isLine: (value: unknown) => value is Line,
  erase: (line: Line) => Line,
): Promise<void> {
  const isErased = await changeFile(env, name, isLine, (file) => {
    const lines = file.lines.map((line) => (numbers.has(line.number) ? erase(line) : line));
    const damaged = file.damaged.filter((text) => !numbers.has(numberOfDamaged(text) ?? 0));
    const isClean = damaged.length === file.damaged.length;
    if (isClean && JSON.stringify(lines) === JSON.stringify(file.lines)) return null;
    return { lines, damaged };
  });
  if (!isErased) throw new Error("the file keeps changing");
}

/** Of a payer a file of charges has the address alone. */
function withoutAddress(line: TransactionLine): TransactionLine {
  return { ...line, address: {} };
}

/** As the erasure of an event in D1. */
function withoutPayer(line: EventLine): EventLine {
  const event = JSON.parse(line.body) as { data?: Record<string, unknown> };
  const { ip: _ip, ...data } = event.data ?? {};
  // Of a charge the merchant's text stays.
  const isOfSubscription = line.type.startsWith("subscription.");
  const { card, payer } = data;
  const erased = {
    ...data,
    ...(isOfSubscription ? withoutBankTexts(data) : {}),
    ...(isOfSubscription && has(data, "metadata") ? { metadata: null } : {}),
    ...(has(card, "holderName") ? { card: { ...card, holderName: "" } } : {}),
    ...(has(payer, "name") ? { payer: { ...payer, name: null, documentMasked: null } } : {}),
  };
  return { ...line, body: JSON.stringify({ ...event, data: erased }) };
}
