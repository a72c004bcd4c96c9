import { callCompany } from "../../company-client/stub.ts";
import {
  findKnownRecords,
  saveRecordDigests,
  type KnownRecords,
} from "../../db/reconciliation/reconciliation.ts";
import { databasesOf } from "../../db/sharding/databases.ts";
import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import { transactionOfCharge } from "../../domain/charges/transaction.ts";
import type { Company } from "../../domain/shared/company.ts";
import { hyphenateUuid, parsePayoutId } from "../../domain/shared/ids.ts";
import type { ListName } from "../../domain/reconciliation/reconciliation.ts";
import type { Env } from "../../config.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import {
  callProvider,
  type ListedRecord,
  type ListPage,
  type Provider,
} from "../../providers/provider.ts";
import type { ProviderPayment, UnreadableRecord } from "../../providers/charge.ts";
import { findTransaction } from "../transactions/repository.ts";
import { applyCharge } from "../transactions/sync.ts";
import type { AccountBudget } from "./call-budget.ts";
import { recordUnowned } from "../payments/payment-owner.ts";
import { unbookedRecord, unknownPayout, unreadableRecord } from "./findings.ts";
import { isAskedForPayer, withPayer, withPayers } from "../provider-callbacks/payer-query.ts";
import { bookPayment, type RefreshContext } from "../provider-callbacks/service.ts";
import { recordFinding } from "./record-finding.ts";
import { projectionsAhead } from "./projections-ahead.ts";
import {
  projectionHasCharge,
  projectionHasPayment,
  projectionHasPayout,
} from "./projection-match.ts";

/** Unreadable records of a page that are queried by their ids. */
const LOOKUPS_MAX = 10;
/** Whether it is a boleto's, its transaction by the payment's id twice, the code, and the new transaction. */
const STATIC_CODE_CALLS = 5;
/** Whose a foreign payout is: its claim, its finding, and whether another company's operators dismissed it. */
const OWNER_CALLS = 4;
/** A charge is queried as an immediate charge (cob) and as a due charge (cobv). */
const LOOKUP_CALLS = 2;
/**
 * A record that no projection shows is sent to the object again after a day: the object may now book what it
 * declined before, such as a MED (BACEN's refund request) of an unexpected payment.
 */
const REBOOK_AFTER_MS = 24 * 60 * 60_000;

/** The account whose list is read, and its call budget. */
export interface ListContext {
  env: Env;
  deps: RefreshContext["deps"];
  company: Company;
  account: string;
  provider: Provider;
  budget: AccountBudget;
  /** A late pass continues past a record that cannot be booked. */
  isPassLate: boolean;
}

/** `queriedAt` (epoch ms): the page must not contradict what was booked after it. */
type Page = Extract<ListPage, { kind: "known" }> & { queriedAt: number };
type Payout = Extract<ListedRecord, { kind: "payout" }>;

/** A record of a page, with the work that books it. */
interface Entry {
  record: string;
  digest: string;
  /** The record as read, as JSON. */
  body: string;
  book: () => Promise<unknown>;
  /** Calls to D1 and the object that booking takes. */
  calls: number;
  /** Whether the projection in D1 shows the record once it is booked. */
  isProjected: boolean;
}

/**
 * Books the records of a page that are not booked yet. Two queries find those that are booked, and one call to the
 * object finds out whether it is behind D1. `too_many`: the budget was exhausted. `failed`: a record could not be booked. In both cases
 * the other records stay booked.
 */
export async function bookPage(
  context: ListContext,
  list: ListName,
  page: Page,
): Promise<"complete" | "too_many" | "failed"> {
  const { env, company, account, deps, budget } = context;
  const lookedUp = await lookUpUnreadable(context, page.unreadable);
  const records = [...page.records, ...lookedUp.records];
  const unreadable = await Promise.all(
    [...page.unreadable, ...lookedUp.unreadable].map((each) =>
      unreadableEntry(context, list, each),
    ),
  );
  if (records.length + unreadable.length === 0) return "complete";
  if (!budget.spendLookup()) return "too_many";
  const owner = { company, account };
  const known = await findKnownRecords(env, owner, {
    ...projectionIds(company, records),
    records: [...records.map(recordKey), ...unreadable.map(({ record }) => record)],
  });
  const ahead = await projectionsAhead(context, known);
  if (ahead === null) return "too_many";
  const now = deps.clock.now();
  const entries = [
    ...(await entriesOf(context, page, records, { ...known, ahead })),
    ...unreadable,
  ];
  const unbooked = entries.filter(({ record, digest }) => {
    const before = known.recorded.get(record);
    return before?.digest !== digest || before.recordedAt + REBOOK_AFTER_MS <= now;
  });
  const handled: Entry[] = [];
  let attempted = 0;
  for (const entry of unbooked) {
    if (!budget.spendCalls(entry.calls)) break;
    attempted += 1;
    const outcome = await bookEntry(context, list, entry);
    if (outcome === "reported") handled.push({ ...entry, isProjected: false });
    if (outcome === "booked") handled.push(entry);
  }
  await saveRecordDigests(
    env,
    owner,
    handled
      .filter(({ isProjected }) => !isProjected)
      .map(({ record, digest }) => ({ record, digest })),
    now,
  );
  if (attempted < unbooked.length) return "too_many";
  return handled.length < attempted ? "failed" : "complete";
}

/** What D1 knows of a page's records, and the projections in it that are newer than the object. */
type Known = KnownRecords & { ahead: ReadonlySet<string | number> };

/**
 * Books one record. A failure does not stop the other records. In a late pass it opens a contradiction
 * (`reported`), and the record is tried again after a day. Throws if the contradiction cannot be recorded.
 */
async function bookEntry(
  { env, company, account, isPassLate }: ListContext,
  list: ListName,
  { record, digest, body, book }: Entry,
): Promise<"booked" | "reported" | "failed"> {
  try {
    await book();
    return "booked";
  } catch (error) {
    log("error", "record_booking_failed", { ...errorFields(error), companyId: company.id, record });
  }
  if (!isPassLate) return "failed";
  const finding = unbookedRecord(digest, { account, list, record, body });
  await recordFinding(env, company.id, finding);
  return "reported";
}

/** The records of a page that the projections do not show as listed. */
async function entriesOf(
  context: ListContext,
  { queriedAt }: Pick<Page, "queriedAt">,
  records: ListedRecord[],
  known: Known,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const each of records) {
    const work =
      each.kind === "payout"
        ? payoutWork(context, each, known, queriedAt)
        : chargeWork(context, each, known);
    if (work === null) continue;
    const body = canonicalJson(withoutPayer(each));
    entries.push({ record: recordKey(each), digest: await sha256Hex(body), body, ...work });
  }
  return entries;
}

type Work = Pick<Entry, "book" | "calls" | "isProjected">;

/** Null if the withdraw's projection shows the payout, and the object is not behind it. */
function payoutWork(
  context: ListContext,
  payout: Payout,
  known: Known,
  queriedAt: number,
): Work | null {
  const withdrawId = ownWithdrawId(context.company, payout);
  const projected = withdrawId === null ? undefined : known.withdraws.get(withdrawId);
  const isBehind = withdrawId !== null && known.ahead.has(withdrawId);
  if (!isBehind && projectionHasPayout(projected, payout.outcome)) return null;
  const book = () => bookPayout(context, payout, queriedAt);
  // One call finds the withdraw in the object, one records the payout.
  const calls = withdrawId === null && payout.isKeyless === true ? OWNER_CALLS : 2;
  return { isProjected: projected?.status === "Processing", calls, book };
}

/**
 * Null if the charge's projection shows the record and the object is not behind it, or the charge is not the
 * company's.
 */
function chargeWork(
  context: ListContext,
  record: Exclude<ListedRecord, Payout>,
  known: Known,
): Work | null {
  const { chargeId } = record.kind === "payment" ? record.payment : record;
  const transaction = chargeId === null ? null : transactionOfCharge(chargeId);
  const projected = transaction === null ? undefined : known.charges.get(transaction.id);
  const isShown =
    record.kind === "payment"
      ? projectionHasPayment(projected, record.payment)
      : projectionHasCharge(projected, record.charge);
  const isBehind = transaction !== null && known.ahead.has(transaction.id);
  if (isShown && !isBehind) return null;
  const isProjected = projected !== undefined && isOpenCharge(projected.status);
  return {
    isProjected,
    calls: callsOf(record, databasesOf(context.env).size),
    book: () => bookRecord(context, record),
  };
}

/** A record's text is stored, and a payer's document is not. */
function withoutPayer(record: ListedRecord): object {
  if (record.kind === "payout") return record;
  if (record.kind === "payment") return { ...record, payment: { ...record.payment, payer: null } };
  const payments = record.charge.payments.map((payment) => ({ ...payment, payer: null }));
  return { ...record, charge: { ...record.charge, payments } };
}

/**
 * Each payment is claimed. One call reads the charge from D1, or five make that of a static code's payment; the object takes one per
 * payment and return, or two for a charge's end. One may ask the provider who paid.
 */
function callsOf(record: Exclude<ListedRecord, Payout>, databases: number): number {
  if (record.kind === "payment") {
    const { chargeId, txid, pixKey, disputes, refunds } = record.payment;
    const reads = chargeId === null && typeof txid === "string" ? STATIC_CODE_CALLS : 1;
    // Without a key, each database is asked for companies behind the same client.
    const claims = pixKey == null && chargeId === null ? 1 + databases : 1;
    return reads + claims + 1 + askedForPayer(record.payment) + disputes.length + refunds.length;
  }
  const { payments, disputes, refunds } = record.charge;
  const asked = payments[0] === undefined ? 0 : askedForPayer(payments[0]);
  return (
    1 + payments.length + Math.max(2, payments.length) + asked + disputes.length + refunds.length
  );
}

function askedForPayer(payment: ProviderPayment): number {
  return isAskedForPayer(payment) ? 1 : 0;
}

function recordKey(record: ListedRecord): string {
  switch (record.kind) {
    case "payment":
      return `payment:${record.payment.paymentId}`;
    case "charge":
      return `charge:${record.chargeId}`;
    case "payout":
      return `payout:${record.id}`;
  }
}

/** The ids whose projections may show the records: only ids that contain the company's number. */
function projectionIds(company: Company, records: ListedRecord[]) {
  const transactionIds = records.flatMap((each) => {
    if (each.kind === "payout") return [];
    const { chargeId } = each.kind === "payment" ? each.payment : each;
    const transaction = chargeId === null ? null : transactionOfCharge(chargeId);
    return transaction?.companyId === company.id ? [transaction.id] : [];
  });
  const withdrawIds = records.flatMap((each) => {
    const withdrawId = each.kind === "payout" ? ownWithdrawId(company, each) : null;
    return withdrawId === null ? [] : [withdrawId];
  });
  return { transactionIds, withdrawIds };
}

/** The id of the company's withdraw that a payout belongs to; null if it belongs to none. */
function ownWithdrawId(company: Company, { payoutId }: Payout): number | null {
  const own = payoutId === null ? null : parsePayoutId(payoutId);
  return own?.companyId === company.id ? own.withdrawId : null;
}

async function bookRecord(
  context: ListContext,
  record: Exclude<ListedRecord, Payout>,
): Promise<void> {
  const { env, company, provider, account } = context;
  if (record.kind === "payment") {
    const payment = await withPayer(provider, company.id, record.payment);
    const booked = await bookPayment(context, provider, payment);
    const { paymentId } = payment;
    if (!booked) log("warn", "payment_company_mismatch", { companyId: company.id, paymentId });
    return;
  }
  const named = transactionOfCharge(record.chargeId);
  const row = named && (await findTransaction(env, company.id, named.id));
  if (row === null) return;
  const payments = await withPayers(provider, row, record.charge.payments);
  const charge = { ...record.charge, payments, account, attempt: named?.attempt };
  await applyCharge(context, provider, row, charge);
}

/** Records a payout in its withdraw, or a finding for operators if a paid payout belongs to no withdraw. */
async function bookPayout(context: ListContext, payout: Payout, queriedAt: number): Promise<void> {
  const { env, company, account } = context;
  const { outcome } = payout;
  const payoutId = hyphenateUuid(payout.payoutId ?? "");
  const withdraw =
    ownWithdrawId(company, payout) === null
      ? null
      : await callCompany(env, company.id, (object) => object.findPayout(payoutId));
  if (withdraw === null) {
    if (outcome.kind !== "paid") return;
    const finding = unknownPayout(account, { ...payout, outcome });
    const { pspClient } = context.provider;
    // Without the payer's key it may be of any company behind the PSP's client.
    if (payout.isKeyless === true && pspClient !== null)
      return recordUnowned(context, pspClient, `payout:${payout.id}`, finding);
    await recordFinding(env, company.id, finding);
    return;
  }
  if (outcome.kind === "processing" || outcome.kind === "unknown") return;
  const report =
    outcome.kind === "failed" ? outcome : { ...outcome, amount: payout.amount, queriedAt };
  await callCompany(env, company.id, (object) =>
    object.recordPayout({ companyId: company.id, id: withdraw.id, report }),
  );
}

/** A finding for operators, one per text. It stays open even if the record becomes readable. */
async function unreadableEntry(
  { env, company, account }: ListContext,
  list: ListName,
  unreadable: UnreadableRecord,
): Promise<Entry> {
  const finding = await unreadableRecord(account, unreadable, list);
  const book = () => recordFinding(env, company.id, finding);
  return {
    record: finding.object,
    digest: finding.object,
    body: unreadable.body,
    isProjected: false,
    calls: 1,
    book,
  };
}

/** The records found by id, and those still unreadable. */
interface LookupResult {
  records: ListedRecord[];
  unreadable: UnreadableRecord[];
}

/** Queries unreadable records by their ids: a PSP may answer readably there. */
async function lookUpUnreadable(
  context: ListContext,
  unreadable: UnreadableRecord[],
): Promise<LookupResult> {
  const found: LookupResult = { records: [], unreadable: [] };
  for (const each of unreadable.slice(0, LOOKUPS_MAX)) {
    if (!context.budget.spendCalls(LOOKUP_CALLS)) break;
    const read = await lookUpById(context, each);
    found.records.push(...read.records);
    found.unreadable.push(...read.unreadable);
  }
  return found;
}

async function lookUpById(
  { provider, company }: ListContext,
  { paymentId, chargeId, payoutId }: UnreadableRecord,
): Promise<LookupResult> {
  const about = { provider: provider.name, companyId: company.id };
  const nothing: LookupResult = { records: [], unreadable: [] };
  if (paymentId !== null) {
    const report = await callProvider(provider.findPayment(paymentId), about);
    if (report.kind !== "known") return nothing;
    const { payment, unreadable = [] } = report;
    return { records: [{ kind: "payment", payment }], unreadable };
  }
  if (chargeId !== null) {
    const report = await callProvider(provider.findCharge(chargeId), about);
    if (report.kind !== "known") return nothing;
    const { unreadable = [], ...charge } = report;
    return { records: [{ kind: "charge", chargeId, charge }], unreadable };
  }
  if (payoutId === null) return nothing;
  const found = await callProvider(provider.findPayout(payoutId), about);
  if (found.kind === "unknown" || found.kind === "not_found") return nothing;
  const payout = { kind: "payout", payoutId, id: payoutId, amount: 0, outcome: found } as const;
  return { records: [payout], unreadable: [] };
}
