import * as z from "zod";
import type { ArchivedKind } from "../../domain/storage/archive-files.ts";
import type { ArchivedTexts } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import { inParallel } from "./in-parallel.ts";
import { errorFields, log } from "../../lib/log.ts";
import { TimedOut } from "../../lib/timeout.ts";
import type { StoredTransaction, TransactionRow } from "../projection/transaction-mapper.ts";
import type { events } from "../schema/webhooks.ts";
import { readFile, type ArchivedLine } from "./archive-bucket.ts";

/** Files that one call reads at once: an invocation has six connections. */
export const FILES_AT_ONCE = 6;

/** A line of a file of transactions: the texts of a row, and what a person finds it by. */
export interface TransactionLine extends ArchivedLine, ArchivedTexts {
  id: string;
  externalRef: string;
  endToEndId: string | null;
  /** Centavos. */
  amount: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** The row's, when it was read. */
  version: number;
}

/** A line of a file of events. */
export interface EventLine extends ArchivedLine {
  type: string;
  objectId: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** The exact JSON that is signed and sent. */
  body: string;
}

const Texts = z.looseObject({
  number: z.int(),
  id: z.string(),
  items: z.array(z.looseObject({})),
  metadata: z.string().nullable(),
  pix: z.looseObject({}).nullable(),
  boleto: z.looseObject({}).nullable(),
  address: z.looseObject({}),
  returnUrl: z.string().nullable(),
});
const Body = z.looseObject({ number: z.int(), objectId: z.string(), body: z.string().min(1) });

/** Whether a line of a file is whole. */
export const isTransactionLine = (value: unknown): value is TransactionLine =>
  Texts.safeParse(value).success;
export const isEventLine = (value: unknown): value is EventLine => Body.safeParse(value).success;

/** The same, of a kind of rows. */
export function isLineOf(kind: ArchivedKind): (value: unknown) => value is ArchivedLine {
  return kind === "transactions" ? isTransactionLine : isEventLine;
}

/** An event as D1 has it: one with an `archiveFile` lacks its body. */
export type StoredEvent = typeof events.$inferSelect;
/** What an event's body is found by. */
export type EventBodyRef = Pick<StoredEvent, "companySequence" | "body" | "archiveFile">;

/**
 * Rows with their texts: the only way from a row of D1 to one that can be shown. A row that has left D1 takes a trip
 * to the archive, rows of one file take it together. Never rejects: `textsMissing` marks the rows whose file could not
 * be read.
 */
export async function withTextsOfAll(
  env: Env,
  rows: readonly StoredTransaction[],
): Promise<TransactionRow[]> {
  const refs = rows.map(({ seq, archiveFile }) => ({ number: seq, archiveFile }));
  const lines = await linesOf(env, refs, isTransactionLine);
  return rows.map((row) => {
    if (row.archiveFile === null) return { ...row, textsMissing: null };
    const own = lines.get(row.archiveFile);
    if (own === "unreachable") return { ...row, textsMissing: "unreachable" };
    const line = own?.get(row.seq);
    if (line === undefined || line.id !== row.id) return { ...row, textsMissing: "lost" };
    const { items, metadata, pix, boleto, address, returnUrl } = line;
    const payer = { ...row.payer, address };
    return { ...row, items, metadata, pix, boleto, returnUrl, payer, textsMissing: null };
  });
}

/** A row with its texts, as `withTextsOfAll`. */
export async function withTexts(env: Env, row: StoredTransaction): Promise<TransactionRow> {
  if (row.archiveFile === null) return { ...row, textsMissing: null };
  const [found = { ...row, textsMissing: "lost" as const }] = await withTextsOfAll(env, [row]);
  return found;
}

/** The bodies of events, by `companySequence`; null of those whose file could not be read. Never rejects. */
export async function bodiesOf(
  env: Env,
  stored: readonly EventBodyRef[],
): Promise<Map<number, string | null>> {
  const refs = stored.map(({ companySequence, archiveFile }) => ({
    number: companySequence,
    archiveFile,
  }));
  const lines = await linesOf(env, refs, isEventLine);
  return new Map(
    stored.map(({ companySequence, body, archiveFile }) => [
      companySequence,
      archiveFile === null ? body : bodyIn(lines.get(archiveFile), companySequence),
    ]),
  );
}

function bodyIn(lines: LinesOfFile<EventLine> | undefined, number: number): string | null {
  return lines === undefined || lines === "unreachable" ? null : (lines.get(number)?.body ?? null);
}

/** The body of an event, as `bodiesOf`. */
export async function bodyOf(env: Env, stored: EventBodyRef): Promise<string | null> {
  return (await bodiesOf(env, [stored])).get(stored.companySequence) ?? null;
}

interface LineRef {
  number: number;
  archiveFile: string | null;
}

/** By number; of a file that cannot be read nobody knows. */
type LinesOfFile<Line> = Map<number, Line> | "unreachable";

/**
 * The lines that rows need, by file and number. What cannot be read is logged. Once the bucket is silent, the other
 * files are not asked for: it holds its caller up once.
 */
async function linesOf<Line extends ArchivedLine>(
  env: Env,
  refs: readonly LineRef[],
  isLine: (value: unknown) => value is Line,
): Promise<Map<string, LinesOfFile<Line>>> {
  const wanted = new Map<string, Set<number>>();
  for (const { archiveFile, number } of refs) {
    if (archiveFile === null) continue;
    const numbers = wanted.get(archiveFile) ?? new Set();
    wanted.set(archiveFile, numbers.add(number));
  }
  let isSilent = false;
  const read = async ([name, numbers]: [string, Set<number>]): Promise<
    [string, LinesOfFile<Line>]
  > => {
    const lines = isSilent ? "silent" : await linesOfFile(env, name, isLine);
    if (lines === "silent") isSilent = true;
    if (lines === "silent" || lines === "unreachable") return [name, "unreachable"];
    const own = lines.filter(({ number }) => numbers.has(number));
    return [name, new Map(own.map((line) => [line.number, line]))];
  };
  return new Map(await inParallel([...wanted], FILES_AT_ONCE, read));
}

async function linesOfFile<Line extends ArchivedLine>(
  env: Env,
  name: string,
  isLine: (value: unknown) => value is Line,
): Promise<Line[] | "unreachable" | "silent"> {
  try {
    const file = await readFile(env, name, isLine);
    const damaged = file?.damaged.length ?? 0;
    if (damaged > 0) log("error", "archive_file_damaged", { file: name, lines: damaged });
    if (file !== null) return file.lines;
    log("error", "archive_file_missing", { file: name });
    return env.ARCHIVE === undefined ? "unreachable" : [];
  } catch (error) {
    log("error", "archive_file_unreadable", { ...errorFields(error), file: name });
    return error instanceof TimedOut ? "silent" : "unreachable";
  }
}
