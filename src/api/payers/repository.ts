import { and, asc, eq, gt, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor, directoryOf, type Database } from "../../db/client.ts";
import { inList } from "../../db/in-list.ts";
import { callbacks, sandboxCardCharges, sandboxPayments } from "../../db/schema/operations.ts";
import { payerErasureRequests, payerErasures } from "../../db/schema/payers.ts";
import { unexpectedPayments } from "../../db/schema/payments.ts";
import { transactions } from "../../db/schema/transactions.ts";
import { deliveries, events } from "../../db/schema/webhooks.ts";
import { eraseSavedCards } from "../../db/saved-cards.ts";
import { runIdempotent } from "../../db/storage-errors.ts";
import { providerChargeId } from "../../domain/charges/transaction.ts";
import {
  ERASED_PAYER,
  type ErasableCharge,
  type ErasureReason,
} from "../../domain/charges/payer-erasure.ts";
import { unexpectedPaymentSubject } from "../../domain/shared/event-subject.ts";
import { operationSubject, paymentSubject } from "../provider-callbacks/subjects.ts";

export type ErasureRequest = typeof payerErasureRequests.$inferSelect;
export type Erasure = typeof payerErasures.$inferSelect;

/** A charge whose payer's data are to be erased, without the data. */
export interface ChargeToErase extends ErasableCharge {
  seq: number;
  id: string;
  createdAt: number;
  /** Its file in the archive; null while D1 has its texts. */
  archiveFile: string | null;
  endToEndId: string | null;
  /** Whether the sandbox may have a name: the card's, or of who paid. */
  hasNames: boolean;
}

/** Whether a row has something of a payer: the second erasure writes no row again. */
export const HOLDS_PAYER_DATA = sql`(lead_key IS NOT NULL OR ip IS NOT NULL
  OR coalesce(card ->> '$.holderName', '') <> '' OR payer <> ${JSON.stringify(ERASED_PAYER)}
  OR coalesce(paid_by ->> '$.name', paid_by ->> '$.documentMasked') IS NOT NULL)`;

const ERASED_DETAIL = "The provider's words were erased with the payer's data.";

/**
 * Stores the request to erase the charges of a payer so far, unless it has none, and deletes the payer's saved cards. A
 * repeated one begins anew.
 */
export async function saveErasureRequest(
  env: Env,
  companyId: number,
  leadKey: string,
  nowMs: number,
): Promise<ErasureRequest | null> {
  const db = databaseFor(env, companyId);
  const isOfPayer = sql`company_id = ${companyId} AND lead_key = ${leadKey}`;
  const newest = sql`(SELECT max(seq) FROM transactions INDEXED BY transactions_lead WHERE ${isOfPayer})`;
  const [, [row]] = await runIdempotent(() =>
    db.batch([
      db
        .insert(payerErasureRequests)
        .select(
          sql`SELECT ${companyId}, ${leadKey}, 0, newest, ${nowMs}
            FROM (SELECT ${newest} AS newest) WHERE newest IS NOT NULL`,
        )
        .onConflictDoUpdate({
          target: [payerErasureRequests.companyId, payerErasureRequests.leadKey],
          set: { afterSeq: 0, upToSeq: sql`excluded.up_to_seq` },
        }),
      db.select().from(payerErasureRequests).where(isRequest({ companyId, leadKey })),
      ...eraseSavedCards(db, companyId, leadKey, nowMs),
    ]),
  );
  return row ?? null;
}

/** The next charges of a request, by `seq`. */
export async function chargesOfRequest(
  env: Env,
  { companyId, leadKey, afterSeq, upToSeq }: ErasureRequest,
  limit: number,
): Promise<number[]> {
  const rows = await databaseFor(env, companyId)
    .select({ seq: sql<number>`seq` })
    .from(sql`${transactions} INDEXED BY transactions_lead`)
    .where(
      and(
        eq(transactions.companyId, companyId),
        eq(transactions.leadKey, leadKey),
        gt(transactions.seq, afterSeq),
        lte(transactions.seq, upToSeq),
      ),
    )
    .orderBy(asc(transactions.seq))
    .limit(limit);
  return rows.map(({ seq }) => seq);
}

/**
 * Puts charges of a request in line, due now, and moves the request on; at its end it goes. One that was repeated
 * since it was read stays as it is.
 */
export async function enqueueRequest(
  env: Env,
  request: ErasureRequest,
  seqs: number[],
  isLast: boolean,
  nowMs: number,
): Promise<void> {
  const { companyId } = request;
  const db = databaseFor(env, companyId);
  const due = seqs.map((seq) => ({ seq, dueAt: nowMs }));
  await runIdempotent(() =>
    db.batch([
      insertErasures(db, companyId, "request", due).onConflictDoUpdate({
        target: [payerErasures.companyId, payerErasures.seq],
        set: { reason: "request", dueAt: sql`excluded.due_at` },
      }),
      isLast
        ? db.delete(payerErasureRequests).where(isUnchanged(request))
        : db
            .update(payerErasureRequests)
            .set({ afterSeq: seqs.at(-1) ?? request.afterSeq })
            .where(isUnchanged(request)),
    ]),
  );
}

/** The INSERT of charges into the line; the caller says what becomes of one that is there. */
export function insertErasures(
  db: Database,
  companyId: number,
  reason: ErasureReason,
  due: { seq: number; dueAt: number }[],
) {
  return db.insert(payerErasures).select(
    sql`SELECT ${companyId}, value ->> 'seq', ${reason}, value ->> 'dueAt', NULL
      FROM json_each(${JSON.stringify(due)}) WHERE true`,
  );
}

/** The charges of erasures, as far as a decision needs them. */
export async function loadCharges(
  env: Env,
  companyId: number,
  seqs: number[],
): Promise<Map<number, ChargeToErase>> {
  const rows = await databaseFor(env, companyId)
    .select({
      seq: transactions.seq,
      id: transactions.id,
      status: transactions.status,
      answeredAt: transactions.answeredAt,
      updatedAt: transactions.updatedAt,
      refunds: transactions.refunds,
      dispute: transactions.dispute,
      createdAt: transactions.createdAt,
      archiveFile: transactions.archiveFile,
      endToEndId: transactions.endToEndId,
      hasNames: sql<number>`card IS NOT NULL OR paid_by IS NOT NULL`,
    })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), inList(transactions.seq, seqs)));
  return new Map(
    rows.map((row) => [
      row.seq,
      { ...row, dispute: row.dispute ?? null, hasNames: row.hasNames === 1 },
    ]),
  );
}

/**
 * Replaces the payer's data in charges and their unexpected payments (by id), their events, what receivers answered to these and what providers
 * called back, in one batch with the erasures' next step. Money, numbers, hashes and the merchant's own texts
 * stay.
 */
export async function eraseCharges(
  env: Env,
  companyId: number,
  { charges, unexpected }: { charges: ChargeToErase[]; unexpected: string[] },
  done: { again: { seq: number; at: number }[]; over: number[] },
  nowMs: number,
): Promise<void> {
  const named = charges.filter(({ hasNames }) => hasNames);
  if (named.length + unexpected.length > 0) await eraseAtSandbox(env, named, unexpected);
  const db = databaseFor(env, companyId);
  const ids = charges.map(({ id }) => id);
  const announced = [...ids, ...unexpected.map(unexpectedPaymentSubject)];
  const seqs = charges.map(({ seq }) => seq);
  const subjects = charges.flatMap(({ id, endToEndId, refunds }) => [
    id,
    ...(endToEndId === null ? [] : [paymentSubject(endToEndId)]),
    ...refunds.map((refund) => operationSubject(refund.id)),
  ]);
  subjects.push(...unexpected.map(paymentSubject));
  await runIdempotent(() =>
    db.batch([
      eraseTransactions(db, companyId, seqs),
      eraseUnexpected(db, companyId, unexpected),
      eraseAnswers(db, companyId, announced),
      eraseEvents(db, companyId, announced),
      db
        .update(callbacks)
        .set({ body: null })
        .where(and(eq(callbacks.companyId, companyId), inList(callbacks.objectId, subjects))),
      setErasedAt(db, companyId, done.again, nowMs),
      db
        .delete(payerErasures)
        .where(and(eq(payerErasures.companyId, companyId), inList(payerErasures.seq, done.over))),
    ]),
  );
}

/** Moves erasures on that wait, and drops those that are not wanted any more. */
export async function postponeErasures(
  env: Env,
  companyId: number,
  waiting: { seq: number; at: number }[],
  dropped: number[],
): Promise<void> {
  const db = databaseFor(env, companyId);
  await db.batch([
    setDueAt(db, companyId, waiting),
    db
      .delete(payerErasures)
      .where(and(eq(payerErasures.companyId, companyId), inList(payerErasures.seq, dropped))),
  ]);
}

/** Some erasures of a company. */
export async function findErasures(
  env: Env,
  companyId: number,
  seqs: number[],
): Promise<Erasure[]> {
  return databaseFor(env, companyId)
    .select()
    .from(payerErasures)
    .where(and(eq(payerErasures.companyId, companyId), inList(payerErasures.seq, seqs)))
    .orderBy(asc(payerErasures.seq));
}

function eraseTransactions(db: Database, companyId: number, seqs: number[]) {
  return db
    .update(transactions)
    .set({
      payer: ERASED_PAYER,
      ip: null,
      leadKey: null,
      card: sql`json_replace(card, '$.holderName', '')`,
      paidBy: sql`json_replace(paid_by, '$.name', NULL, '$.documentMasked', NULL)`,
      failure: sql`json_replace(failure, '$.problem.detail', ${ERASED_DETAIL})`,
    })
    .where(
      and(eq(transactions.companyId, companyId), inList(transactions.seq, seqs), HOLDS_PAYER_DATA),
    );
}

function eraseUnexpected(db: Database, companyId: number, paymentIds: string[]) {
  return db
    .update(unexpectedPayments)
    .set({ payer: sql`json_replace(payer, '$.name', NULL, '$.documentMasked', NULL)` })
    .where(
      and(
        eq(unexpectedPayments.companyId, companyId),
        inList(unexpectedPayments.paymentId, paymentIds),
        sql`coalesce(payer ->> '$.name', payer ->> '$.documentMasked') IS NOT NULL`,
      ),
    );
}

/** An event of an erased charge has no signature that was sent: only what is sent from now on is signed. */
function eraseEvents(db: Database, companyId: number, ids: string[]) {
  return db
    .update(events)
    .set({
      body: sql`json_replace(json_remove(body, '$.data.ip'), '$.data.card.holderName', '',
        '$.data.payer.name', NULL, '$.data.payer.documentMasked', NULL)`,
    })
    .where(
      and(
        sql`rowid IN (SELECT events.rowid ${eventsOf(companyId, ids)})`,
        // Of the others the archive has the body (`erase-archived.ts`).
        sql`archive_file IS NULL`,
        sql`(body ->> '$.data.ip' IS NOT NULL OR body ->> '$.data.card.holderName' <> ''
          OR coalesce(body ->> '$.data.payer.name', body ->> '$.data.payer.documentMasked')
            IS NOT NULL)`,
      ),
    );
}

/** A receiver may have answered with what it was sent. */
function eraseAnswers(db: Database, companyId: number, ids: string[]) {
  return db
    .update(deliveries)
    .set({
      attemptsLog: sql`(SELECT json_group_array(json_replace(value, '$.answer', ''))
        FROM json_each(attempts_log))`,
    })
    .where(
      and(
        eq(deliveries.companyId, companyId),
        sql`company_sequence IN (SELECT events.company_sequence ${eventsOf(companyId, ids)})`,
        sql`EXISTS (SELECT 1 FROM json_each(attempts_log) WHERE value ->> '$.answer' <> '')`,
      ),
    );
}

/** The events of objects, by their index. */
function eventsOf(companyId: number, ids: string[]): SQL {
  return sql`FROM json_each(${JSON.stringify(ids)}) AS wanted
    CROSS JOIN events INDEXED BY events_object
    ON events.company_id = ${companyId} AND events.object_id = wanted.value`;
}

/** The copies of the sandbox's acquirer and bank, which are in the directory. */
async function eraseAtSandbox(
  env: Env,
  charges: ChargeToErase[],
  unexpected: string[],
): Promise<void> {
  const db = directoryOf(env);
  const chargeIds = charges.map(({ id }) => providerChargeId(id));
  const paymentIds = [...charges.flatMap(({ endToEndId }) => endToEndId ?? []), ...unexpected];
  await db.batch([
    db
      .update(sandboxCardCharges)
      .set({ card: sql`json_replace(card, '$.holderName', '')` })
      .where(inList(sandboxCardCharges.chargeId, chargeIds)),
    db
      .update(sandboxPayments)
      .set({ payer: null })
      .where(and(inList(sandboxPayments.paymentId, paymentIds), isNotNull(sandboxPayments.payer))),
  ]);
}

function setErasedAt(
  db: Database,
  companyId: number,
  again: { seq: number; at: number }[],
  nowMs: number,
) {
  return db
    .update(payerErasures)
    .set({ erasedAt: nowMs, dueAt: nextDue(again) })
    .where(isOneOf(companyId, again));
}

function setDueAt(db: Database, companyId: number, waiting: { seq: number; at: number }[]) {
  return db
    .update(payerErasures)
    .set({ dueAt: nextDue(waiting) })
    .where(isOneOf(companyId, waiting));
}

function nextDue(times: { seq: number; at: number }[]): SQL {
  return sql`(SELECT value ->> 'at' FROM json_each(${JSON.stringify(times)})
    WHERE value ->> 'seq' = payer_erasures.seq)`;
}

function isOneOf(companyId: number, rows: { seq: number }[]): SQL | undefined {
  const seqs = rows.map(({ seq }) => seq);
  return and(eq(payerErasures.companyId, companyId), inList(payerErasures.seq, seqs));
}

function isUnchanged(request: ErasureRequest) {
  const { afterSeq, upToSeq } = request;
  return and(
    isRequest(request),
    eq(payerErasureRequests.afterSeq, afterSeq),
    eq(payerErasureRequests.upToSeq, upToSeq),
  );
}

function isRequest({ companyId, leadKey }: Pick<ErasureRequest, "companyId" | "leadKey">) {
  return and(
    eq(payerErasureRequests.companyId, companyId),
    eq(payerErasureRequests.leadKey, leadKey),
  );
}
