import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import { withTextsOfAll } from "../../db/archive/archived-texts.ts";
import { savedCardsOfPayer } from "../../db/saved-cards.ts";
import { callCompany } from "../../company-client/stub.ts";
import { maskDocument } from "../../domain/access/masks.ts";
import { subscriptionSubject } from "../../domain/shared/event-subject.ts";
import type { Subscription } from "../../domain/subscriptions/records.ts";
import { subscriptionView } from "../../domain/subscriptions/subscription-view.ts";
import type { Company } from "../../domain/shared/company.ts";
import { parseDocument } from "../../domain/shared/document.ts";
import { withdrawView } from "../../domain/withdraws/withdraw.ts";
import { issuerOf, type Env } from "../../config.ts";
import { errorFields, log } from "../../lib/log.ts";
import { assert } from "../../lib/assert.ts";
import { SAVED_CARDS_MAX, savedCardView } from "../cards/saved.ts";
import { detailView } from "../events/views.ts";
import { attemptsOfCharges } from "../subscriptions/repository.ts";
import { documentIdentity, findPayerKeyOfDocument } from "../transactions/payer-key.ts";
import { ERASE_BATCH, enqueueNext, runErasures } from "./erase.ts";
import { chargesOfPayer, eventBytes, eventsOfTransactions } from "./export-repository.ts";
import { ARCHIVE_CALLS_MAX, ArchiveUnavailable, type ArchiveBudget } from "./erase-archived.ts";
import { eraseSubscriptions } from "./erase-subscriptions.ts";
import { subscriptionsOfPayer } from "./subscription-repository.ts";
import { findErasures, saveErasureRequest, type Erasure } from "./repository.ts";
import { cursorText, type ExportCursor } from "./schemas.ts";
import { exportedCharge } from "./views.ts";

/** Bytes of events on a page; a page shows at least one charge, whatever its events weigh. */
const EVENT_BYTES_MAX = 2 ** 21;
/** Charges that a request erases itself; the cron goes on. */
const ERASED_AT_ONCE = 100;

/** Withdraws that a page reads: none has an index by payee, so that a page of few costs as many. */
const WITHDRAWS_READ = 500;

/** A document in canonical form. The body's schema has checked it. */
export function canonicalDocument(document: string): string {
  const parsed = parseDocument(document);
  assert(parsed !== null, "the schema accepts valid documents only");
  return parsed.number;
}

/**
 * A page of all that is stored of a payer: saved cards, charges with their events and deliveries, then subscriptions with
 * theirs, then withdraws to its document. Each page reads a bounded number of rows.
 */
export async function exportPayer(
  env: Env,
  company: Company,
  document: string,
  page: { cursor: ExportCursor; limit: number },
) {
  const { cursor } = page;
  if (cursor.part === "withdraw") return exportWithdraws(env, company, document, cursor.after);
  const leadKeys = await payerKeysOf(env, company, document);
  if (cursor.part === "subscription")
    return exportSubscriptions(
      env,
      company,
      { document, leadKeys },
      { ...page, after: cursor.after },
    );
  const found = await chargesOfPayer(env, company.id, leadKeys, cursor.after, page.limit);
  const stored = await withinBytes(env, company.id, found, ({ id }) => id);
  const rows = await withTextsOfAll(env, stored);
  const last = rows.at(-1);
  const isEnd = rows.length === found.length && found.length < page.limit;
  const next: ExportCursor =
    isEnd || last === undefined
      ? { part: "subscription", after: 0 }
      : { part: "charge", after: last.seq };
  const events = await eventsOfTransactions(
    env,
    company.id,
    rows.map(({ id }) => id),
  );
  const attempts = await attemptsOfCharges(env, company.id, rows);
  const savedCards =
    cursor.after === 0 ? await savedCardsOfPayer(env, company.id, leadKeys, SAVED_CARDS_MAX) : [];
  return {
    data: {
      document,
      charges: rows.map((row) => {
        const about = { shippingFee: row.shippingFee, debit: attempts.get(row.id) };
        return exportedCharge(toTransactionRecord(row), about, issuerOf(env, company));
      }),
      events: events.map(detailView),
      subscriptions: [],
      withdraws: [],
      savedCards: savedCards.map((card) => savedCardView(company, card)),
    },
    after: cursorText(next),
    hasMore: true,
  };
}

const eventsSubjectOf = ({ id }: Subscription) => subscriptionSubject(id);

/** What was agreed with the payer, whether or not anything was debited, and the events about it. */
async function exportSubscriptions(
  env: Env,
  company: Company,
  { document, leadKeys }: { document: string; leadKeys: string[] },
  { after, limit }: { after: number; limit: number },
) {
  const found = await subscriptionsOfPayer(env, company.id, leadKeys, after, limit);
  const rows = await withinBytes(env, company.id, found, eventsSubjectOf);
  const events = await eventsOfTransactions(env, company.id, rows.map(eventsSubjectOf));
  const isEnd = rows.length === found.length && found.length < limit;
  const { publicUrl } = issuerOf(env, company);
  const next: ExportCursor = isEnd
    ? { part: "withdraw", after: 0 }
    : { part: "subscription", after: rows.at(-1)?.number ?? after };
  return {
    data: {
      document,
      charges: [],
      events: events.map(detailView),
      subscriptions: rows.map((row) => subscriptionView(row, publicUrl)),
      withdraws: [],
      savedCards: [],
    },
    after: cursorText(next),
    hasMore: true,
  };
}

/** The object has the withdraws, numbered densely. */
async function exportWithdraws(env: Env, company: Company, document: string, offset: number) {
  const page = { offset, size: WITHDRAWS_READ, newestFirst: false };
  const { items, totalItems } = await callCompany(env, company.id, (account) =>
    account.listWithdraws(page),
  );
  const withdraws = items.filter(
    ({ pixKey, creditorDocument }) => pixKey === document || creditorDocument === document,
  );
  const after = offset + WITHDRAWS_READ;
  const hasMore = after < totalItems;
  return {
    data: {
      document,
      charges: [],
      events: [],
      subscriptions: [],
      withdraws: withdraws.map(withdrawView),
      savedCards: [],
    },
    after: hasMore ? cursorText({ part: "withdraw", after }) : null,
    hasMore,
  };
}

/** The first rows whose events fit into a page; `subjectOf`: what the events of a row are about. */
async function withinBytes<Row>(
  env: Env,
  companyId: number,
  rows: Row[],
  subjectOf: (row: Row) => string,
): Promise<Row[]> {
  const bytes = await eventBytes(env, companyId, rows.map(subjectOf));
  let sum = 0;
  const fitting = rows.findIndex((row, index) => {
    sum += bytes.get(subjectOf(row)) ?? 0;
    return sum > EVENT_BYTES_MAX && index > 0;
  });
  return fitting === -1 ? rows : rows.slice(0, fitting);
}

/**
 * Erases a payer's data in all charges made so far: the first at once, the others by the cron, and those that
 * have not ended after their end. Safe to repeat. Money, numbers, hashes and the merchant's own texts stay.
 */
export async function erasePayer(env: Env, company: Company, document: string, nowMs: number) {
  let erased = 0;
  let open = 0;
  let isComplete = true;
  const budget = { callsLeft: ARCHIVE_CALLS_MAX };
  const leadKeys = await payerKeysOf(env, company, document);
  const subscriptions = await subscriptionsErased(env, company.id, leadKeys, budget, nowMs);
  for (const leadKey of leadKeys) {
    const request = await saveErasureRequest(env, company.id, leadKey, nowMs);
    if (request === null) continue;
    const { seqs, isLast } = await enqueueNext(env, request, ERASED_AT_ONCE, nowMs);
    isComplete &&= isLast;
    for (let at = 0; at < seqs.length; at += ERASE_BATCH) {
      const batch = await findErasures(env, company.id, seqs.slice(at, at + ERASE_BATCH));
      const done = await erasedNow(env, company.id, batch, nowMs, budget);
      erased += done.erased;
      open += done.open;
    }
  }
  const isDone = isComplete && open === 0 && subscriptions.open === 0;
  const status = isDone ? ("done" as const) : ("pending" as const);
  return { data: { document: maskDocument(document), erased, open, subscriptions, status } };
}

/** As `eraseSubscriptions`; while the archive does not answer, a later request goes on with them. */
async function subscriptionsErased(
  ...[env, companyId, leadKeys, budget, nowMs]: Parameters<typeof eraseSubscriptions>
): Promise<{ erased: number; open: number }> {
  try {
    return await eraseSubscriptions(env, companyId, leadKeys, budget, nowMs);
  } catch (error) {
    if (!(error instanceof ArchiveUnavailable)) throw error;
    log("error", "payer_erasure_failed", { ...errorFields(error), companyId });
    return { erased: 0, open: leadKeys.length };
  }
}

/** Takes a step of erasures; while the archive does not answer, the cron goes on with them. */
async function erasedNow(
  env: Env,
  companyId: number,
  batch: Erasure[],
  nowMs: number,
  budget: ArchiveBudget,
): Promise<{ erased: number; open: number }> {
  if (budget.callsLeft <= 0) return { erased: 0, open: batch.length };
  try {
    return await runErasures(env, companyId, batch, null, nowMs, budget);
  } catch (error) {
    if (!(error instanceof ArchiveUnavailable)) throw error;
    log("error", "payer_erasure_failed", { ...errorFields(error), companyId });
    return { erased: 0, open: batch.length };
  }
}

/** The keys that a document's charges may have: today's, and the text from before the keyed hash. */
async function payerKeysOf(env: Env, company: Company, document: string): Promise<string[]> {
  const hash = await findPayerKeyOfDocument(env, company, document);
  return hash === null ? [documentIdentity(document)] : [hash, documentIdentity(document)];
}
