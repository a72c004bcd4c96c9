import type { BookUnexpected } from "../../company/charges/command-types.ts";
import { callCompany } from "../../company-client/stub.ts";
import type {
  CallbackReport,
  ReportedPayment,
  ReportedPayout,
} from "../../domain/reconciliation/callback.ts";
import { TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";
import { whoPaid } from "../../domain/charges/payer-match.ts";
import type { Company } from "../../domain/shared/company.ts";
import { isOtherPixKey } from "../../domain/psp/psp-ids.ts";
import { transactionOfCharge } from "../../domain/charges/transaction.ts";
import { withdrawIdOfSubject } from "../../domain/shared/event-subject.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { Env } from "../../config.ts";
import { log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import {
  callProvider,
  PROVIDER_TIMEOUT_MS,
  type ListedPayment,
  type PaymentReport,
  type Provider,
} from "../../providers/provider.ts";
import type { ProviderPayment } from "../../providers/charge.ts";
import { providerOfCharge } from "../../providers/registry.ts";
import { refreshDebit, refreshMandate } from "../subscriptions/read-back.ts";
import { processOperation } from "../transactions/operations.ts";
import { transactionOfStaticCode } from "../pix/static-codes/payments.ts";
import { findTransaction } from "../transactions/repository.ts";
import {
  applyCharge,
  applyReport,
  queryCharge,
  recordDispute,
  recordRefund,
  recordUnreadable,
} from "../transactions/sync.ts";
import { providerOfPayout, syncPayout } from "../withdraws/sync-payout.ts";
import {
  verdictOnPayment,
  verdictOnPayout,
  type Verdict,
} from "../bank-reconciliation/callback-verdict.ts";
import { unknownPayout } from "../bank-reconciliation/findings.ts";
import { followUp, rulesOf, type BookingContext } from "../payments/follow-up.ts";
import { recordFinding } from "../bank-reconciliation/record-finding.ts";
import { asBoletoPix } from "../payments/boleto-pix.ts";
import { claimWithoutCharge } from "../payments/payment-owner.ts";
import { parseSubject } from "./subjects.ts";

/** Of a payment that no charge expected. */
const NO_CUSTOMER = { name: "", documentNumber: "" };

/**
 * The result of querying a provider. `booked`: it reported something, or all that its notice tells of. `nothing`: nothing
 * has happened. `unknown`: no usable answer. `contradicted`: it reports the opposite of its callback.
 */
export type RefreshOutcome = "booked" | "nothing" | "unknown" | "contradicted";

export type RefreshContext = BookingContext;

/** A callback's content, null where it only names its object, and the company's account that it came for. */
export interface Evidence {
  report: CallbackReport | null;
  account: string;
}

/**
 * Queries the provider about a callback's subject and books its response. Idempotent. With a report, `nothing`
 * also means that the response does not confirm the callback yet.
 */
export async function refresh(
  env: Env,
  deps: RefreshContext["deps"],
  company: Company,
  objectId: string,
  evidence: Evidence,
): Promise<RefreshOutcome> {
  const context = { env, deps, company };
  const withdrawId = withdrawIdOfSubject(objectId);
  if (withdrawId !== null) return refreshWithdraw(context, withdrawId, evidence);
  const subject = parseSubject(objectId);
  if (subject === null) return refreshCharge(context, objectId, evidence);
  switch (subject.kind) {
    case "payment":
      return refreshPayment(context, subject.id, evidence);
    case "payout":
      return refreshPayout(context, subject.id, evidence);
    case "operation":
      return refreshOperation(context, subject.id);
    case "notice":
      return refreshNotice(context, subject.id, evidence);
    case "mandate":
      return refreshMandate(context, subject.id, evidence.account);
    case "debit":
      return refreshDebit(context, subject.id);
    case "record":
      return "nothing";
  }
}

async function refreshCharge(
  context: RefreshContext,
  transactionId: string,
  evidence: Evidence,
): Promise<RefreshOutcome> {
  const { env, deps, company } = context;
  const reported = reportedPayment(evidence);
  const row = await findTransaction(env, company.id, transactionId);
  if (row === null) {
    // The charge does not exist; the payment that names it is queried by its own id.
    return reported === null ? "nothing" : refreshPayment(context, reported.paymentId, evidence);
  }
  // An account that was asked before took the payment: it knows that, and nothing of the charge as it is shown.
  if (reported !== null && evidence !== null && evidence.account !== row.account)
    return refreshPayment(context, reported.paymentId, evidence);
  const provider = await providerOfCharge(deps.providers(env), company, row);
  if (provider === null) return "unknown";
  const report = await queryCharge(provider, row);
  const outcome = await applyReport(context, row, { report, provider });
  if (outcome === "unknown") return "unknown";
  if (reported === null)
    return outcome === "open" || outcome === "not_found" ? "nothing" : "booked";
  const verdict = report.kind === "known" ? verdictOnPayment(report, reported) : "not_yet";
  // A PSP may show returns with the payment before it shows them with the charge.
  if (verdict === "not_yet" && reported.returns.length > 0) {
    return refreshPayment(context, reported.paymentId, evidence);
  }
  return outcomeOfVerdict(context, verdict, reported.paymentId);
}

/** A payout made outside the gateway has no withdraw. */
async function refreshPayout(
  context: RefreshContext,
  payoutId: string,
  evidence: Evidence,
): Promise<RefreshOutcome> {
  const { env, company } = context;
  const withdraw = await callCompany(env, company.id, (account) => account.findPayout(payoutId));
  if (withdraw !== null) return syncWithdraw(context, withdraw, evidence);
  return refreshForeignPayout(context, payoutId, evidence);
}

/** Records a finding for operators once the provider reports a payout without a withdraw as paid. */
async function refreshForeignPayout(
  { env, deps, company }: RefreshContext,
  payoutId: string,
  evidence: Evidence,
): Promise<RefreshOutcome> {
  const { account } = evidence;
  const provider = await deps.providers(env).ofAccount(company, account);
  if (provider === null) return "unknown";
  const about = { provider: provider.name, companyId: company.id };
  const answer = await callProvider(provider.findPayout(payoutId), about);
  if (answer.kind === "unknown") return "unknown";
  if (answer.kind === "paid") {
    // Without an amount there is no finding yet: the PSP's list of payouts will show it.
    if (answer.amount === undefined) return "nothing";
    const { amount, ...outcome } = answer;
    // The id as in the list of payouts, so that both report the same finding.
    const id = payoutId.replaceAll("-", "");
    const finding = unknownPayout(account, { id, payoutId: null, amount, outcome });
    await recordFinding(env, company.id, finding);
  }
  const reported = reportedPayout(evidence);
  if (reported === null) return "nothing";
  return outcomeOfVerdict({ company }, verdictOnPayout(answer, reported), payoutId);
}

async function refreshWithdraw(
  context: RefreshContext,
  withdrawId: number,
  evidence: Evidence,
): Promise<RefreshOutcome> {
  const { env, company } = context;
  const withdraw = await callCompany(env, company.id, (account) =>
    account.findWithdraw(withdrawId),
  );
  return withdraw === null ? "unknown" : syncWithdraw(context, withdraw, evidence);
}

async function syncWithdraw(
  context: RefreshContext,
  withdraw: WithdrawRecord,
  evidence: Evidence,
): Promise<RefreshOutcome> {
  const { env, deps, company } = context;
  const provider = await providerOfPayout(deps.providers(env), company, withdraw);
  if (provider === null) return "unknown";
  const answer = await syncPayout(env, provider, company, withdraw, deps.clock.now());
  if (answer.kind === "unknown") return "unknown";
  const reported = reportedPayout(evidence);
  if (reported !== null)
    return outcomeOfVerdict(context, verdictOnPayout(answer, reported), withdraw.payoutId);
  return answer.kind === "processing" || answer.kind === "not_found" ? "nothing" : "booked";
}

/** Wakes a refund's operation, which queries the provider until it has a final answer. */
async function refreshOperation(
  { env, deps, company }: RefreshContext,
  operationId: string,
): Promise<RefreshOutcome> {
  const found = await callCompany(env, company.id, (account) => account.findOperation(operationId));
  if (found === null) return "nothing";
  await processOperation(env, deps, company.id, found.id);
  return "booked";
}

async function refreshPayment(
  context: RefreshContext,
  paymentId: string,
  evidence: Evidence,
): Promise<RefreshOutcome> {
  const { env, deps, company } = context;
  const { account } = evidence;
  const provider = await deps.providers(env).ofAccount(company, account, TRANSFER_METHOD);
  if (provider === null) return "unknown";
  const report: PaymentReport = await callProvider(provider.findPayment(paymentId), {
    provider: provider.name,
    companyId: company.id,
  });
  if (report.kind === "unknown") return "unknown";
  if (report.kind === "not_found") return "nothing";
  const { payment } = report;
  if (!(await bookPayment(context, provider, payment))) return "nothing";
  await recordUnreadable(env, company.id, provider.account, report.unreadable);
  const reported = reportedPayment(evidence);
  if (reported === null) return "booked";
  return outcomeOfVerdict(
    context,
    verdictOnPayment({ ...payment, payments: [payment] }, reported),
    paymentId,
  );
}

/** Asks what a notice is about, and then about each charge of the company that it names. */
async function refreshNotice(
  context: RefreshContext,
  token: string,
  evidence: Evidence,
): Promise<RefreshOutcome> {
  const { env, deps, company } = context;
  const reader = await deps.providers(env).callbackReader(company, evidence.account);
  if (reader === null) return "unknown";
  const notice = await withTimeout(reader.readNotice(token), PROVIDER_TIMEOUT_MS);
  if (notice.kind !== "known") return notice.kind === "unknown" ? "unknown" : "nothing";
  const outcomes = new Set<RefreshOutcome>();
  for (const { chargeId, isOpen } of notice.charges) {
    const charge = transactionOfCharge(chargeId);
    if (charge?.companyId !== company.id) continue;
    const outcome = await refreshCharge(context, charge.id, evidence);
    // Both say that nothing has happened: another notice comes once something has.
    outcomes.add(isOpen && outcome === "nothing" ? "booked" : outcome);
  }
  if (outcomes.has("unknown")) return "unknown";
  return outcomes.has("nothing") || outcomes.size === 0 ? "nothing" : "booked";
}

function reportedPayment(evidence: Evidence): ReportedPayment | null {
  return evidence.report?.kind === "payment" ? evidence.report : null;
}

function reportedPayout(evidence: Evidence): ReportedPayout | null {
  return evidence.report?.kind === "payout" ? evidence.report : null;
}

/** The provider's response is booked even if it contradicts the callback. */
function outcomeOfVerdict(
  { company }: Pick<RefreshContext, "company">,
  verdict: Verdict,
  about: string,
): RefreshOutcome {
  if (verdict === "not_yet") return "nothing";
  if (verdict === "contradicted") {
    log("warn", "callback_contradicted", { companyId: company.id, about });
    return verdict;
  }
  return "booked";
}

/**
 * Books a payment that its provider reports: with its charge, with a transaction of its own if it is a static
 * code's, else to suspense. Returns false and books nothing if the charge, the code or the key is another
 * company's; true also where operators decide whose it is.
 */
export async function bookPayment(
  context: RefreshContext,
  provider: Provider,
  reported: ListedPayment,
): Promise<boolean> {
  const { env, company } = context;
  const listed = await asBoletoPix(env, company, provider, reported);
  const { chargeId, txid: _txid, pixKey, disputes, refunds, ...payment } = listed;
  const charge = chargeId === null ? null : transactionOfCharge(chargeId);
  const row =
    charge === null
      ? await transactionOfStaticCode(context, provider, listed)
      : await findTransaction(env, charge.companyId, charge.id);
  if (row === "other_company") return false;
  if (row === null) {
    // Another company may own the key; a charge of ours would have outweighed it.
    if (isOtherPixKey(pixKey ?? "", provider.pixKey ?? "")) return false;
    if (!(await claimWithoutCharge(context, provider, listed))) return true;
    const listedWith = { disputes, refunds };
    await bookToSuspense(context, { ...payment, account: provider.account }, listedWith);
    for (const dispute of disputes) {
      await recordDispute(env, { companyId: company.id, terms: null }, dispute);
    }
    for (const refund of refunds) await recordRefund(env, company.id, refund);
    return true;
  }
  // Another account has the charge of a boleto's Pix, and may have that of an attempt that was left for it.
  const attempt = charge?.attempt ?? row.attempt;
  const isElsewhere = listed !== reported || attempt !== row.attempt;
  if (row.companyId !== company.id || (row.provider !== provider.name && !isElsewhere))
    return false;
  const { account } = provider;
  const paid = { payments: [payment], disputes, refunds, account, attempt };
  const charged = { status: "open" as const, ...paid };
  await applyCharge(context, provider, row, charged);
  return true;
}

async function bookToSuspense(
  context: RefreshContext,
  { payer, ...payment }: ProviderPayment & { account: string },
  listedWith: Pick<ListedPayment, "disputes" | "refunds">,
): Promise<void> {
  const { paymentId } = payment;
  const { id: companyId } = context.company;
  const { paidBy } = whoPaid({ paymentId, payer }, NO_CUSTOMER);
  const command: BookUnexpected = {
    companyId,
    paymentMethod: TRANSFER_METHOD,
    payment: { ...payment, paidBy },
    ...rulesOf(context, payment, listedWith),
  };
  const answer = await callCompany(context.env, companyId, (account) =>
    account.bookUnexpectedPayment(command),
  );
  if (answer.kind === "contradiction")
    log("error", "payment_contradicted", { companyId, paymentId });
  if (answer.followUp !== undefined) await followUp(context, answer.followUp);
}
