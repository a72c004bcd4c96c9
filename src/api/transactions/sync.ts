import { callCompany } from "../../company-client/stub.ts";
import { chargeTerms, type TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { isOpenCharge, type CancelReason } from "../../domain/charges/charge-status.ts";
import { usedPaymentTime } from "../../domain/charges/payment-time.ts";
import { isDebitedCharge, paymentOfCharge } from "../../domain/charges/payment-charge.ts";
import { whoPaid } from "../../domain/charges/payer-match.ts";
import {
  cardFailure,
  failureReason,
  type FailureCode,
  type FailureReason,
} from "../../domain/charges/failure-reason.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { providerChargeId, type ChargeTerms } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import { log } from "../../lib/log.ts";
import { chargeOfDebit } from "../../providers/mandate-provider.ts";
import { callProvider, type Provider } from "../../providers/provider.ts";
import type {
  ChargeReport,
  ChargeDetails,
  ProviderDispute,
  ProviderPayment,
  ProviderRefund,
  UnreadableRecord,
} from "../../providers/charge.ts";
import { methodOf } from "../../methods/registry.ts";
import { callNewer } from "../payments/call-newer.ts";
import { followUp, rulesOf, type BookingContext } from "../payments/follow-up.ts";
import { recordFinding } from "../bank-reconciliation/record-finding.ts";
import { claimForCompany } from "../payments/payment-owner.ts";
import { withPayers } from "../provider-callbacks/payer-query.ts";
import { keepCard } from "../cards/saved.ts";
import { cardHash } from "./payer-key.ts";
import { unreadableRecord } from "../bank-reconciliation/findings.ts";

/**
 * The result of a sync. `paid`: money came, also if it was unexpected; `open`: the charge stays as it is; `not_found`:
 * its provider does not know it; `unknown`: the provider gave no usable answer.
 */
export type SyncOutcome =
  | "paid"
  | "authorized"
  | "refused"
  | "failed"
  | "cancelled"
  | "open"
  | "not_found"
  | "unknown";

/** What its provider tells of a charge's end. */
interface EndDetails {
  card?: ChargeDetails["card"];
  failureReason?: FailureReason;
  cardHash?: string | undefined;
  /** The account whose house tells it. */
  account?: string;
  /** Of a boleto that ends by its due date. */
  dueDate?: string | undefined;
}

type EndStatus = "refused" | "failed" | "cancelled";

/** Findings of one answer, each a call to the object. Reconciliation finds the rest. */
const UNREADABLE_MAX = 3;
/** A provider's "not found" about a pull is final after this: the order may still arrive until then. */
export const PULL_LOST_AFTER_MS = 10 * 60_000;

/**
 * Queries a charge at its provider and applies the report to the company's object. Callbacks, sweeps and
 * the sandbox all come in this way. May run any number of times.
 */
export async function syncCharge(
  context: BookingContext,
  provider: Provider,
  row: TransactionRow,
): Promise<SyncOutcome> {
  return applyReport(context, row, { report: await queryCharge(provider, row), provider });
}

/** The provider's report of a charge. One that was made of a payment is known there by its payment only. */
export async function queryCharge(provider: Provider, row: TransactionRow): Promise<ChargeReport> {
  const about = { provider: provider.name, companyId: row.companyId };
  const paymentId = paymentOfCharge(row);
  const chargeId = providerChargeId(row.id, row.attempt);
  if (isDebitedCharge(row)) return queryDebit(provider, row, chargeId);
  if (paymentId === null) return callProvider(provider.findCharge(chargeId), about);
  const report = await callProvider(provider.findPayment(paymentId), about);
  if (report.kind !== "known") return report;
  const { payment: listed, ...found } = report;
  const { chargeId: _charge, pixKey: _key, disputes, refunds, ...payment } = listed;
  return { ...found, status: "open", payments: [payment], disputes, refunds };
}

/** The report of a charge that is debited automatically: what its debit is and has brought. */
async function queryDebit(
  { mandates, name }: Provider,
  { companyId }: TransactionRow,
  chargeId: string,
): Promise<ChargeReport> {
  if (mandates === null) return { kind: "unknown" };
  const about = { provider: name, companyId };
  return chargeOfDebit(await callProvider(mandates.findDebit(chargeId), about));
}

/** Applies a provider's report of a charge to the company's object. */
export async function applyReport(
  context: BookingContext,
  row: TransactionRow,
  { report, provider, attempt }: { report: ChargeReport; provider: Provider; attempt?: number },
): Promise<SyncOutcome> {
  const { env, deps } = context;
  if (report.kind === "unknown") return "unknown";
  if (report.kind === "known") {
    const { account } = provider;
    const payments = await withPayers(provider, row, report.payments);
    const charge = { ...report, payments, account, attempt };
    const outcome = await applyCharge(context, provider, row, charge);
    await recordUnreadable(env, row.companyId, account, report.unreadable);
    return outcome;
  }
  const isLostPull =
    methodOf(row.paymentMethod).initiation === "pull" &&
    row.status === "creating" &&
    // The order was sent just before the request was answered.
    (row.answeredAt ?? row.createdAt) + PULL_LOST_AFTER_MS <= deps.clock.now();
  return isLostPull ? endLost(env, row) : "not_found";
}

/** Ends a charge that no provider has. */
export function endLost(env: Env, row: TransactionRow): Promise<SyncOutcome> {
  return endCharge(env, row, failedFor("NOT_RECEIVED_BY_PROVIDER"), "failed");
}

/**
 * A charge as its provider knows it; `account`: the receiver of its payments, where it is another; `attempt`: which one
 * it is of, where that may not be the one that is shown.
 */
type ReportedCharge = ChargeDetails & { account?: string; attempt?: number | undefined };

/**
 * Applies a reported charge to the company's object: payments first, then their disputes and refunds, or
 * an end without money. A charge past `expiresAt` that the provider calls open is expired. A payment that
 * another company has claimed is left to operators.
 */
export async function applyCharge(
  context: BookingContext,
  provider: Pick<Provider, "account" | "pspClient">,
  row: TransactionRow,
  reported: ReportedCharge,
): Promise<SyncOutcome> {
  const charge = await withSavedCard(context, row, await ownPart(context, provider, row, reported));
  if (charge.payments.length === 0 && reported.payments.length > 0) return "open";
  for (const payment of charge.payments) await settlePayment(context, row, payment, charge);
  const { env } = context;
  const { companyId } = row;
  const terms = chargeTerms(row);
  for (const dispute of charge.disputes) await recordDispute(env, { companyId, terms }, dispute);
  // What D1 shows of them is not asked: it may be newer than the object, as after a restore.
  for (const refund of charge.refunds) await recordRefund(env, companyId, refund);
  // A shadow charge ends unseen; only the account whose code is shown ends the charge.
  const isShown = (charge.attempt ?? row.attempt) === row.attempt;
  if (charge.payments.length === 0) return isShown ? applyEnd(context, row, charge) : "open";
  // What was paid may be unexpected, and the charge ends without it. The object ends no paid charge.
  const mayEnd = methodOf(row.paymentMethod).initiation === "push" && isOpenCharge(row.status);
  if (mayEnd && isShown) await applyEnd(context, row, charge);
  return "paid";
}

/**
 * A charge with the id of the card that it saved. What the house gave for the card goes no further. Only the first answer
 * about a card is asked: later ones change no saved card.
 */
async function withSavedCard(
  { env, company, savesCard = true }: BookingContext,
  row: TransactionRow,
  charge: ReportedCharge,
): Promise<ReportedCharge> {
  if (charge.card?.savedCard === undefined) return charge;
  const { savedCard: ref, ...report } = charge.card;
  if (report.card === null) return { ...charge, card: report };
  const { authorizationCode, ...card } = report.card;
  const isFirst = savesCard && row.status === "creating" && report.refusedReason === null;
  const id = isFirst ? await keepCard(env, company, row.id, { ref, card }) : null;
  const charged = { ...card, authorizationCode, ...(id === null ? {} : { savedCardId: id }) };
  return { ...charge, card: { ...report, card: charged } };
}

/** A charge without the payments that are not the company's, and without what is told of them. */
async function ownPart(
  context: BookingContext,
  provider: Pick<Provider, "account" | "pspClient">,
  row: TransactionRow,
  charge: ReportedCharge,
): Promise<ReportedCharge> {
  const foreign = new Set<string>();
  for (const payment of charge.payments) {
    const { paymentId } = payment;
    const isBooked = row.endToEndId === paymentId;
    if (!isBooked && !(await claimForCompany(context, provider, payment))) foreign.add(paymentId);
  }
  if (foreign.size === 0) return charge;
  const isOwn = ({ paymentId = "" }: { paymentId?: string }) => !foreign.has(paymentId);
  return {
    ...charge,
    payments: charge.payments.filter(isOwn),
    disputes: charge.disputes.filter(isOwn),
    refunds: charge.refunds.filter(isOwn),
  };
}

/** Applies a reported status without a payment. */
async function applyEnd(
  { env, deps, company }: BookingContext,
  row: TransactionRow,
  charge: ReportedCharge,
): Promise<SyncOutcome> {
  switch (charge.status) {
    case "authorized":
      return transitionCharge(env, row, { to: "authorized", card: charge.card });
    case "refused": {
      const card = charge.card?.card ?? null;
      const hash = card === null ? undefined : await cardHash(env, company, card, deps.random);
      const why = { ...charge, failureReason: refusalOf(charge), cardHash: hash };
      return endCharge(env, row, why, "refused");
    }
    case "failed":
      return endCharge(env, row, { ...charge, ...failedFor("REMOVED_BY_PROVIDER") }, "failed");
    case "cancelled":
      return endCharge(env, row, charge, "cancelled", "REQUESTED");
    case "expired":
      return endCharge(env, row, charge, "cancelled", "EXPIRED");
    case "open": {
      const expired = row.expiresAt !== null && row.expiresAt <= deps.clock.now();
      const told = { ...charge, dueDate: row.boleto?.dueDate };
      return expired ? endCharge(env, row, told, "cancelled", "EXPIRED") : "open";
    }
  }
}

/** Records a reported dispute; `terms` null for a payment without a charge. */
export async function recordDispute(
  env: Env,
  { companyId, terms }: { companyId: number; terms: ChargeTerms | null },
  report: ProviderDispute,
): Promise<void> {
  const answer = await callCompany(env, companyId, (account) =>
    account.recordDispute({ companyId, terms, report }),
  );
  if (answer.kind === "recorded" || answer.kind === "already") return;
  log("error", "dispute_rejected", { companyId, disputeId: report.id, ...answer });
}

/**
 * Shows operators the unreadable parts of a provider's answer, up to a limit. The same part in a list of
 * the provider makes the same finding.
 */
export async function recordUnreadable(
  env: Env,
  companyId: number,
  account: string,
  unreadable: UnreadableRecord[] = [],
): Promise<void> {
  for (const record of unreadable.slice(0, UNREADABLE_MAX)) {
    const finding = await unreadableRecord(account, record);
    await recordFinding(env, companyId, finding);
  }
}

/** Records a reported refund of a payment, by this service or by others. */
export async function recordRefund(
  env: Env,
  companyId: number,
  refund: ProviderRefund,
): Promise<void> {
  const answer = await callCompany(env, companyId, (account) =>
    account.recordProviderRefund({ companyId, refund }),
  );
  if (answer.kind === "recorded" || answer.kind === "already") return;
  const { id: refundId, paymentId } = refund;
  log("error", "refund_contradicted", { companyId, paymentId, refundId, ...answer });
}

async function settlePayment(
  context: BookingContext,
  row: TransactionRow,
  payment: ProviderPayment,
  charge: ReportedCharge,
): Promise<void> {
  const { companyId } = row;
  const { payer: _payer, ...known } = payment;
  const { card, account: receivedBy = row.account } = charge;
  const command = {
    companyId,
    terms: chargeTerms(row),
    payment: { ...known, account: receivedBy, ...whoPaid(payment, row.payer) },
    card,
    amountDue: await amountDueOf(context.env, row, {
      amount: payment.amount,
      paidAt: usedPaymentTime(payment.paidAt, context.deps.clock.now()),
    }),
    ...rulesOf(context, payment, charge),
  };
  const answer = await callCompany(context.env, companyId, (account) =>
    account.settlePayment(command),
  );
  const about = { companyId, transactionId: row.id, paymentId: payment.paymentId };
  if (answer.kind === "unexpected") log("warn", "payment_unexpected", about);
  if (answer.kind === "contradiction") log("error", "payment_contradicted", about);
  if (answer.followUp !== undefined) await followUp(context, answer.followUp);
}

/**
 * What was owed on the day of a payment: what came, if the payer's bank could rightly ask for that. Undefined for
 * a card, and for a charge made of what came.
 */
async function amountDueOf(
  env: Env,
  row: TransactionRow,
  { amount, paidAt }: Pick<ProviderPayment, "amount" | "paidAt">,
): Promise<Cents | undefined> {
  const method = methodOf(row.paymentMethod);
  if (method.initiation === "pull" || paymentOfCharge(row) !== null) return undefined;
  if (method.isRightAmount(row, amount, paidAt)) return amount;
  const { boleto } = row;
  // It may have been paid before its due date was changed, or before the change is known here.
  const others =
    boleto === null
      ? []
      : await callNewer(
          env,
          row.companyId,
          (account) => account.dueDatesOf(row.id),
          () => [],
        );
  const isRight = others.some(
    (dueDate) =>
      boleto !== null &&
      method.isRightAmount({ ...row, boleto: { ...boleto, dueDate } }, amount, paidAt),
  );
  return isRight ? amount : method.amountDue(row, saoPauloDay(paidAt));
}

function endCharge(
  env: Env,
  row: TransactionRow,
  { card, failureReason: why, cardHash: hash, account, dueDate }: EndDetails,
  to: EndStatus,
  cancelReason?: CancelReason,
): Promise<SyncOutcome> {
  // Its own time may end a charge just when it is paid.
  const isOfPaid = row.status === "paid" && cancelReason !== "EXPIRED";
  return transitionCharge(env, row, {
    to,
    card,
    failureReason: why,
    ...(hash === undefined ? {} : { cardHash: hash }),
    ...(cancelReason === undefined ? {} : { cancelReason }),
    ...(dueDate === undefined ? {} : { dueDate }),
    ...(isOfPaid && account !== undefined ? { toldOfPaid: account } : {}),
  });
}

function failedFor(code: FailureCode): { failureReason: FailureReason } {
  return { failureReason: failureReason(code) };
}

/** Why the acquirer refused the card; `UNKNOWN` where it does not say. */
function refusalOf({ card }: Pick<ChargeDetails, "card">): FailureReason {
  const refusedReason = card?.refusedReason ?? null;
  return refusedReason === null ? failureReason(null) : cardFailure(refusedReason);
}

async function transitionCharge(
  env: Env,
  row: TransactionRow,
  change: {
    to: EndStatus | "authorized";
    card?: ChargeDetails["card"];
    failureReason?: FailureReason | undefined;
    cardHash?: string;
    cancelReason?: CancelReason;
    toldOfPaid?: string;
    dueDate?: string;
  },
): Promise<SyncOutcome> {
  const { companyId } = row;
  const terms = chargeTerms(row);
  const answer = await callCompany(env, companyId, (account) =>
    account.transitionCharge({ companyId, terms, ...change }),
  );
  if (answer.kind !== "not_allowed") return change.to;
  const { card } = change;
  const neverAuthorized = change.to === "cancelled" && answer.status === "creating";
  if (!neverAuthorized || methodOf(row.paymentMethod).initiation === "push") return "open";
  // An authorization that ended before it was announced was only a failed attempt.
  return endCharge(env, row, { card, ...failedFor("AUTHORIZATION_ENDED") }, "failed");
}
