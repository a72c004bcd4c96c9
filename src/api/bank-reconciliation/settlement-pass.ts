import { callCompany } from "../../company-client/stub.ts";
import type { Finding } from "../../company/contradictions/contradiction-store.ts";
import type { Env } from "../../config.ts";
import {
  claimSettlementPass,
  findOverdue,
  findSettled,
  listDifferences,
  saveLines,
  saveSettlementPass,
  sumDifferences,
  type DifferenceSum,
  type SettledTerms,
  type SettlementPass,
} from "../../db/reconciliation/settlements.ts";
import { NO_ANSWER_RETRY_MS } from "../../domain/reconciliation/reconciliation.ts";
import {
  compareLines,
  firstDayInTime,
  readableAt,
  windowOfDay,
  type ComparedLine,
  type SettledTransaction,
  type SettlementLine,
} from "../../domain/reconciliation/settlement.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import { methodOf } from "../../methods/registry.ts";
import {
  callProvider,
  type SettlementList,
  type SettlementPage,
} from "../../providers/provider.ts";
import { log } from "../../lib/log.ts";
import { bookPayment } from "../provider-callbacks/service.ts";
import type { ListContext } from "./book-list-page.ts";
import { unreadableRecord } from "./findings.ts";
import { recordFinding } from "./record-finding.ts";

type Context = Omit<ListContext, "isPassLate">;

/** Per comparison of a page, which has two at most: two trips to D1 and two to the object. */
const COMPARE_CALLS = 4;
/** Per payment that is not known: the question, and what the adapter remembers of its charge. */
const ASK_CALLS = 2;
/** Per payment that is booked: its transaction, its claim and the object. */
const BOOK_CALLS = 6;
/** Per day: what is overdue or the pass, the sums, and of each kind at most its first lines and a finding. */
const DAY_CALLS = 12;
/** Transactions that a contradiction names; the report has all. */
const NAMED_TRANSACTIONS = 10;

/**
 * Reads an account's settlements day by day, a day once it is over, and compares them with our books. Its cost grows
 * with the lines that a day made or changed, and with the company's payments of one day. Does nothing where the house
 * tells none, or the pass is not due.
 *
 * @param since when the company connected the account, epoch milliseconds
 * @param leaseUntil until when no other run reads them
 */
export async function compareSettlements(
  context: Context,
  since: number,
  leaseUntil: number,
): Promise<void> {
  const { env, company, account, provider, deps, budget } = context;
  const list = provider.settlements;
  if (list === undefined || !budget.spendCalls(1)) return;
  const of = { companyId: company.id, account };
  const nowMs = deps.clock.now();
  const claim = { from: saoPauloDay(since), nowMs, leaseUntil };
  let pass = await claimSettlementPass(env, of, claim);
  if (pass === null) return;
  if (pass.day < firstDayInTime(nowMs)) {
    log("error", "reconcile_delayed", { ...of, passes: `settlements of ${pass.day}` });
  }
  for (;;) {
    const dueAt = readableAt(pass.day);
    if (dueAt > nowMs) {
      const checked = await checkOverdue(context, pass);
      const nextRunAt = checked.overdueDay === pass.day ? dueAt : nowMs;
      return saveSettlementPass(env, of, leaseUntil, { ...checked, nextRunAt });
    }
    const read = await readDay(context, list, pass);
    if (read.kind === "unfinished") return saveSettlementPass(env, of, leaseUntil, read.pass);
    budget.spendCalls(DAY_CALLS);
    await openFindings(env, of, pass.day);
    const { overdueDay }: SettlementPass = pass;
    pass = { day: addDays(pass.day, 1), overdueDay, cursor: null, nextRunAt: leaseUntil };
    await saveSettlementPass(env, of, leaseUntil, pass);
  }
}

/**
 * Reads the rest of a day. A day whose page, or one of whose payments, the house does not give is read again from its
 * start: its cursor may have expired. So is one whose pages lead back to a page that was read: they would never end.
 */
async function readDay(
  context: Context,
  list: SettlementList,
  pass: SettlementPass,
): Promise<{ kind: "read" } | { kind: "unfinished"; pass: SettlementPass }> {
  const { company, provider, deps, budget } = context;
  const { day } = pass;
  const window = windowOfDay(day);
  let { cursor } = pass;
  const seen = new Set([cursor]);
  while (budget.spendPage()) {
    const page = await callProvider(list.page(window, cursor), {
      provider: provider.name,
      companyId: company.id,
    });
    const isLoop = page.kind === "known" && page.next !== null && seen.has(page.next);
    if (isLoop) {
      log("error", "settlement_pages_repeat", {
        companyId: company.id,
        account: context.account,
        day,
      });
    }
    const compared =
      page.kind === "unknown" || isLoop ? "unknown" : await comparePage(context, day, page);
    if (page.kind === "unknown" || compared === "unknown") {
      const nextRunAt = deps.clock.now() + NO_ANSWER_RETRY_MS;
      return { kind: "unfinished", pass: { ...pass, cursor: null, nextRunAt } };
    }
    if (compared === "too_many") break;
    if (page.next === null) return { kind: "read" };
    cursor = page.next;
    seen.add(cursor);
  }
  return { kind: "unfinished", pass: { ...pass, cursor, nextRunAt: deps.clock.now() } };
}

/**
 * A page that is not `compared` is read again: the budget ended before all of its payments were asked about, or the house
 * was silent about one.
 */
async function comparePage(
  context: Context,
  day: string,
  { lines, newPayments, unreadable }: Extract<SettlementPage, { kind: "known" }>,
): Promise<"compared" | "too_many" | "unknown"> {
  const { env, company, account, budget } = context;
  budget.spendCalls(COMPARE_CALLS);
  for (const each of unreadable) {
    await recordFinding(env, company.id, await unreadableRecord(account, each));
  }
  const paymentIds = [...new Set(lines.map(({ paymentId }) => paymentId))];
  if (paymentIds.length === 0) return "compared";
  const findOwners = () =>
    callCompany(env, company.id, (object) => object.transactionsOfPayments(paymentIds));
  let owners = await findOwners();
  const unknown = newPayments.filter((id) => owners[id] === undefined);
  if (unknown.length > 0) {
    const booked = await bookListed(context, day, unknown);
    if (booked !== "booked") return booked;
    owners = await findOwners();
  }
  let compared = await compareOwned(context, lines, owners);
  const lacking = paymentsLacking(compared.lines);
  if (lacking.length > 0) {
    budget.spendCalls(COMPARE_CALLS);
    const booked = await bookListed(context, day, lacking);
    if (booked !== "booked") return booked;
    compared = await compareOwned(context, lines, owners);
  }
  await saveLines(env, { companyId: company.id, account }, day, compared);
  return "compared";
}

/** The transactions' lines, those of a page among them, compared with our books, and the lines as they were `before`. */
async function compareOwned(
  { env, company, account }: Context,
  lines: SettlementLine[],
  owners: Record<string, string>,
): Promise<{ lines: ComparedLine[]; before: Map<string, ComparedLine> }> {
  const of = { companyId: company.id, account };
  const { terms, lines: known } = await findSettled(env, of, [...new Set(Object.values(owners))]);
  const before = new Map(known.map((line) => [line.line, line]));
  const compared = terms.flatMap((each) => {
    const transaction = settledTransaction(each);
    if (transaction === null) return [];
    const told = lines.filter(({ paymentId }) => owners[paymentId] === each.id);
    const byLine = new Map<string, SettlementLine>();
    for (const line of known) if (line.transactionId === each.id) byLine.set(line.line, line);
    for (const line of told) byLine.set(line.line, line);
    return compareLines(transaction, [...byLine.values()]);
  });
  return { lines: compared, before };
}

/** Payments of which a refund or a chargeback took or gave what our books do not have. */
function paymentsLacking(lines: ComparedLine[]): string[] {
  const lacking = lines.filter(
    ({ type, amountDifference }) => type !== "CREDIT" && amountDifference !== 0,
  );
  return [...new Set(lacking.map(({ paymentId }) => paymentId))];
}

/**
 * Books payments of ours, or what went back of them, that a line is the first to tell of: the house does not tell an
 * unchanged line again. Others of the account's are asked about once, not with each later change.
 */
async function bookListed(
  { env, deps, company, provider, budget }: Context,
  day: string,
  paymentIds: string[],
): Promise<"booked" | "too_many" | "unknown"> {
  let isSilent = false;
  for (const paymentId of paymentIds) {
    if (!budget.spendCalls(ASK_CALLS)) return "too_many";
    const about = { provider: provider.name, companyId: company.id };
    const report = await callProvider(provider.findPayment(paymentId), about);
    if (report.kind === "unknown") isSilent = true;
    if (report.kind !== "known") continue;
    if (!budget.spendCalls(BOOK_CALLS)) return "too_many";
    await bookPayment({ env, deps, company }, provider, report.payment);
  }
  // A day that is late waits no longer.
  const isLate = day < firstDayInTime(deps.clock.now());
  return isSilent && !isLate ? "unknown" : "booked";
}

/** Null for a transaction that D1 does not know as paid. */
function settledTransaction(terms: SettledTerms): SettledTransaction | null {
  const { id, paymentMethod, installments, paidAt, paidAmount, refundedAmount } = terms;
  if (paidAt === null) return null;
  return {
    id,
    paymentMethod,
    parts: methodOf(paymentMethod).releaseParts(installments),
    paidAmount,
    refundedAmount,
    paidAt,
    fee: { basisPoints: terms.feeBasisPoints, fixed: terms.feeFixed },
    releaseDays: terms.releaseDays,
  };
}

/** Finds what is overdue on each day that was read, once all are: before, its line may be told on a later one. */
async function checkOverdue(
  { env, company, account, budget }: Context,
  pass: SettlementPass,
): Promise<SettlementPass> {
  const of = { companyId: company.id, account };
  let { overdueDay } = pass;
  while (overdueDay < pass.day && budget.spendCalls(DAY_CALLS)) {
    await findOverdue(env, of, overdueDay);
    await openFindings(env, of, overdueDay);
    overdueDay = addDays(overdueDay, 1);
  }
  return { ...pass, overdueDay };
}

/** Opens a contradiction of each kind that a day has; one that is open or decided stays as it is. */
async function openFindings(
  env: Env,
  of: { companyId: number; account: string },
  day: string,
): Promise<void> {
  for (const sum of await sumDifferences(env, of, day)) {
    const after = { day, account: of.account, kind: sum.kind, transactionId: "", line: "" };
    const range = { from: day, to: day, after, limit: NAMED_TRANSACTIONS };
    const first = (await listDifferences(env, of.companyId, range)).filter(
      ({ account, kind }) => account === of.account && kind === sum.kind,
    );
    const named = [...new Set(first.map(({ transactionId }) => transactionId))];
    await recordFinding(env, of.companyId, settlementDifference(of.account, day, sum, named));
  }
}

/** All differences of one kind of an account's day, with where their lines are. */
function settlementDifference(
  account: string,
  day: string,
  { kind, count, amount }: DifferenceSum,
  transactions: string[],
): Finding {
  return {
    finding: `settlement_difference:${account}:${day}:${kind}`,
    kind: "settlement_difference",
    object: `settlements:${account}`,
    said: { account, day, difference: kind, count, amount, transactions },
    booked: { lines: `/api/v1/reports/fees/differences?from=${day}&to=${day}` },
    amount,
    held: 0,
  };
}
