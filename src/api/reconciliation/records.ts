import { callCompany } from "../../company-client/stub.ts";
import {
  findKnownRecords,
  saveRecordDigests,
  type KnownRecords,
} from "../../db/reconciliation/reconciliation.ts";
import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import type { Company } from "../../domain/shared/company.ts";
import { hyphenateUuid, parsePayoutId } from "../../domain/shared/ids.ts";
import type { ListName } from "../../domain/reconciliation/reconciliation.ts";
import type { Env } from "../../config.ts";
import type { Dependencies } from "../../http/context.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import {
  callProvider,
  type ListedRecord,
  type ListPage,
  type Provider,
  type UnreadableRecord,
} from "../../providers/provider.ts";
import { findTransaction } from "../transactions/repository.ts";
import { applyCharge } from "../transactions/sync.ts";
import type { AccountBudget } from "./call-budget.ts";
import { unbookedRecord, unknownPayout, unreadableRecord } from "./findings.ts";
import { transactionOfCharge } from "../provider-callbacks/subjects.ts";
import { bookPayment } from "../provider-callbacks/service.ts";
import {
  projectionHasCharge,
  projectionHasPayment,
  projectionHasPayout,
} from "./projection-match.ts";

/** Records of a page that cannot be read in the list and are asked about by their own ids. */
const LOOKUPS_MAX = 10;
/** A charge that is asked about by its id is of one kind or of the other. */
const LOOKUP_CALLS = 2;
/**
 * What the object was told of a record that D1 cannot show is told once more after a day: what it declined
 * then (a MED of a payment that was set aside) it may take now.
 */
const REBOOK_AFTER_MS = 24 * 60 * 60_000;

/** A list of one account of a company, and what may still be called for it. */
export interface ListContext {
  env: Env;
  deps: Pick<Dependencies, "clock" | "providers">;
  company: Company;
  account: string;
  provider: Provider;
  budget: AccountBudget;
  /** Its pass is late: a record that cannot be booked holds it up no longer. */
  isPassLate: boolean;
}

/** `queriedAt` (epoch ms): what it says is no newer, nor may it be held against what was booked since. */
type Page = Extract<ListPage, { kind: "known" }> & { queriedAt: number };
type Payout = Extract<ListedRecord, { kind: "payout" }>;

/** Something of a page, by what it is remembered. */
interface Entry {
  record: string;
  digest: string;
  /** As it was read. */
  body: string;
  book: () => Promise<unknown>;
  /** How many calls of D1 and the object that takes. */
  calls: number;
  /** Whether D1's copy will show it once the object has booked it. */
  isProjected: boolean;
}

/**
 * Books what of a page is not booked yet: what D1's copies show, or the object was told before, costs two
 * queries for the whole page and no call of the object. `too_many` where the allowance was used up on the
 * way, `failed` where one could not be booked: what else was booked by then is booked.
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
  const now = deps.clock.now();
  const entries = [...(await entriesOf(context, page, records, known)), ...unreadable];
  const unbooked = entries.filter(({ record, digest }) => {
    const before = known.recorded.get(record);
    return before?.digest !== digest || before.toldAt + REBOOK_AFTER_MS <= now;
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

/**
 * One that cannot be booked stops no other, and its own pass until that is late: then operators are told
 * of it, once (`shown`), and a pass a day later tries it again. Throws where not even that can be done.
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
  await callCompany(env, company.id, (object) => object.recordFinding(company.id, finding));
  return "reported";
}

/** Those of a page's records that D1's copies do not show as they are. */
async function entriesOf(
  context: ListContext,
  { queriedAt }: Pick<Page, "queriedAt">,
  records: ListedRecord[],
  known: KnownRecords,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const each of records) {
    const work =
      each.kind === "payout"
        ? payoutWork(context, each, known, queriedAt)
        : chargeWork(context, each, known);
    if (work === null) continue;
    const body = canonicalJson(each);
    entries.push({ record: recordKey(each), digest: await sha256Hex(body), body, ...work });
  }
  return entries;
}

type Work = Pick<Entry, "book" | "calls" | "isProjected">;

/** Null where D1's copy of the withdraw shows it. */
function payoutWork(
  context: ListContext,
  payout: Payout,
  known: KnownRecords,
  queriedAt: number,
): Work | null {
  const withdrawId = ownWithdrawId(context.company, payout);
  const projected = withdrawId === null ? undefined : known.withdraws.get(withdrawId);
  if (projectionHasPayout(projected, payout.outcome)) return null;
  const book = () => bookPayout(context, payout, queriedAt);
  // It is found in the object, and told to it.
  return { isProjected: projected?.status === "Processing", calls: 2, book };
}

/** Null where D1's copy of the charge shows it, or a charge is none of the company's. */
function chargeWork(
  context: ListContext,
  record: Exclude<ListedRecord, Payout>,
  known: KnownRecords,
): Work | null {
  const { chargeId } = record.kind === "payment" ? record.payment : record;
  const transaction = chargeId === null ? null : transactionOfCharge(chargeId);
  const projected = transaction === null ? undefined : known.charges.get(transaction.id);
  const isShown =
    record.kind === "payment"
      ? projectionHasPayment(projected, record.payment)
      : projectionHasCharge(projected, record.charge);
  if (isShown) return null;
  const isProjected = projected !== undefined && isOpenCharge(projected.status);
  return { isProjected, calls: callsOf(record), book: () => bookRecord(context, record) };
}

/** Its charge is read from D1; the object is told of each payment and return, or of the end (twice of a card). */
function callsOf(record: Exclude<ListedRecord, Payout>): number {
  if (record.kind === "payment") {
    const { disputes, refunds } = record.payment;
    return 2 + disputes.length + refunds.length;
  }
  const { payments, disputes, refunds } = record.charge;
  return 1 + Math.max(2, payments.length) + disputes.length + refunds.length;
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

/** Under which ids D1 may have a copy: only of what carries the company's own number. */
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

/** The number of the company's withdraw that a payout may be of; null where it is none of the company's. */
function ownWithdrawId(company: Company, { payoutId }: Payout): number | null {
  const own = payoutId === null ? null : parsePayoutId(payoutId);
  return own?.companyId === company.id ? own.withdrawId : null;
}

async function bookRecord(
  context: ListContext,
  record: Exclude<ListedRecord, Payout>,
): Promise<void> {
  const { env, company, deps, provider } = context;
  if (record.kind === "payment") {
    const booked = await bookPayment(context, provider, record.payment);
    const { paymentId } = record.payment;
    if (!booked) log("warn", "payment_company_mismatch", { companyId: company.id, paymentId });
    return;
  }
  const transaction = transactionOfCharge(record.chargeId);
  const row = transaction && (await findTransaction(env, company.id, transaction.id));
  if (row !== null) await applyCharge(env, row, record.charge, deps.clock.now());
}

/** A payout that is none of the company's took money all the same: operators are told, once. */
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
    await callCompany(env, company.id, (object) => object.recordFinding(company.id, finding));
    return;
  }
  if (outcome.kind === "processing" || outcome.kind === "unknown") return;
  const report =
    outcome.kind === "failed" ? outcome : { ...outcome, amount: payout.amount, queriedAt };
  await callCompany(env, company.id, (object) =>
    object.recordPayout(company.id, withdraw.id, report),
  );
}

/** Operators are told of it, once by its text. It stays with them also when it can be read one day. */
async function unreadableEntry(
  { env, company, account }: ListContext,
  list: ListName,
  unreadable: UnreadableRecord,
): Promise<Entry> {
  const finding = await unreadableRecord(account, unreadable, list);
  const digest = finding.object;
  const book = () =>
    callCompany(env, company.id, (object) => object.recordFinding(company.id, finding));
  return {
    record: finding.object,
    digest,
    body: unreadable.body,
    isProjected: false,
    calls: 1,
    book,
  };
}

/** What a look-up by an id came to. */
interface LookupResult {
  records: ListedRecord[];
  unreadable: UnreadableRecord[];
}

/** What cannot be read in its list may be where it is asked about by its own id. */
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
