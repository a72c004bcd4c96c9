import type { Freeze, FreezeCause, FreezeChange } from "../domain/access/freeze.ts";
import type { ChargeHistory } from "../domain/charges/timeline.ts";
import type { ChargeState } from "../domain/charges/transaction.ts";
import type * as Lease from "../domain/events/delivery-lease.ts";
import type { RequestedExit } from "../domain/exits/exit-limits.ts";
import type { AnchoredHead, SignedAnchor } from "../domain/ledger/anchor.ts";
import type { ForecastDay } from "../domain/ledger/release.ts";
import type { StatementLine, StatementQuery } from "../domain/ledger/statement.ts";
import type { Contradiction } from "../domain/reconciliation/contradiction.ts";
import type { LedgerPosition } from "../domain/reconciliation/ledger-position.ts";
import type { RowsByTable } from "../domain/shared/inspection.ts";
import type { AllowedPixKey } from "../domain/withdraws/allowed-pix-key.ts";
import type { WithdrawRecord } from "../domain/withdraws/withdraw.ts";
import type { ClientAnswer, DeadlineCall, TracedCall } from "./deadline-calls.ts";
import type * as Rpc from "./rpc-types.ts";

/** The calls that Workers make to a company's object. Each is idempotent. */
export interface CompanyRpc {
  /** Runs one of the calls below for a client, unless it waited too long for the object. */
  callWithDeadline(call: DeadlineCall): Promise<ClientAnswer>;

  /** Runs any of the calls below under a trace. */
  callWithTrace(call: TracedCall): Promise<unknown>;

  // Charges

  settlePayment(command: Rpc.SettlePayment): Promise<Rpc.SettlePaymentAnswer>;
  suspendPayment(command: Rpc.SuspendPayment): Promise<Rpc.SettlePaymentAnswer>;
  /** Returns or credits an unexpected payment, for the merchant or by its rule. */
  decidePayment(command: Rpc.DecidePayment): Promise<Rpc.DecidePaymentAnswer>;
  /** Whether a card may be sent to an acquirer. Counted in memory only; writes nothing. */
  admitCardAttempt(attempt: Rpc.AdmitCardAttempt): Promise<Rpc.AdmitCardAttemptAnswer>;
  transitionCharge(command: Rpc.TransitionCharge): Promise<Rpc.TransitionChargeAnswer>;
  /** A charge's state, which D1's projection may lag behind; null before its first transition. */
  findCharge(transactionId: string): Promise<ChargeState | null>;
  /** A charge's changes with their causes, and its newest `limit` movements. */
  history(transactionId: string, limit: number): Promise<ChargeHistory>;
  findSuspendedPayment(paymentId: string): Promise<Rpc.SuspendedPayment | null>;
  listSuspendedPayments(after: string, limit: number): Promise<Rpc.SuspendedPayment[]>;
  recordDispute(command: Rpc.RecordDispute): Promise<Rpc.RecordDisputeAnswer>;
  findDispute(disputeId: string): Promise<Rpc.DisputeSummary | null>;
  submitEvidence(command: Rpc.SubmitEvidence): Promise<Rpc.SubmitEvidenceAnswer>;

  // Refunds, cancels, captures and returns

  requestRefund(command: Rpc.RequestRefund): Promise<Rpc.RequestOperationAnswer>;
  /** Approves or refuses a refund or return that waits for it. */
  decideExit(command: Rpc.DecideExit): Promise<Rpc.DecideExitAnswer>;
  /** Refunds and returns that wait for an approval, newest first. `before`: a number; null for the newest. */
  listWaitingExits(before: number | null, limit: number): Promise<RequestedExit[]>;
  /** The refund or return with this public id. */
  findExit(operationId: string): Promise<RequestedExit | null>;
  requestCancelOrCapture(command: Rpc.RequestCancelOrCapture): Promise<Rpc.RequestOperationAnswer>;
  claimOperation(companyId: number, id: number): Promise<Rpc.ClaimOperationAnswer>;
  recordOperation(
    companyId: number,
    id: number,
    report: Rpc.OperationReport,
    reply: Rpc.KeyedRequest | null,
  ): Promise<Rpc.RecordOperationAnswer>;
  /** The operation with this id, which providers know. */
  findOperation(operationId: string): Promise<Rpc.FoundOperation | null>;
  recordProviderRefund(command: Rpc.RecordProviderRefund): Promise<Rpc.RecordProviderRefundAnswer>;

  /** Payments that arrived, as the ledger knows them. */
  findReceivedPayments(query: Rpc.FindReceivedPayments): Promise<Rpc.ReceivedPayments>;

  // Payment links

  /** Makes or changes a link. */
  writePaymentLink(command: Rpc.WritePaymentLink): Promise<Rpc.WritePaymentLinkAnswer>;
  /** Holds a place of a link for a charge, or keeps it for one that was claimed in D1. */
  takePlace(command: Rpc.TakePlace): Promise<Rpc.PlaceAnswer>;
  /** Begins the time of a limited link's unpaid PIX anew, as often as it may. */
  renewPlace(command: Rpc.RenewPlace): Promise<Rpc.RenewPlaceAnswer>;
  /** Uses a checkout session for a card's token, once, and counts the token's bytes. */
  useCardSession(command: Rpc.UseCardSession): Promise<Rpc.UseCardSessionAnswer>;

  // Withdraws and payouts

  requestWithdraw(command: Rpc.RequestWithdraw): Promise<Rpc.RequestWithdrawAnswer>;
  /** What `requestWithdraw` would answer now. Writes no withdraw. */
  previewWithdraw(command: Rpc.RequestWithdraw): Promise<Rpc.WithdrawPreviewAnswer>;
  /** `key`: the request's idempotency key, if it has one. */
  cancelWithdraw(
    companyId: number,
    id: number,
    key: string | null,
  ): Promise<Rpc.CancelWithdrawAnswer>;
  /** Approves or refuses a withdraw that waits for it. */
  decideWithdraw(command: Rpc.DecideWithdraw): Promise<Rpc.DecideWithdrawAnswer>;
  addAllowedPixKey(command: Rpc.AddAllowedPixKey): Promise<Rpc.AddAllowedPixKeyAnswer>;
  removeAllowedPixKey(companyId: number, id: number): Promise<void>;
  /** The keys after a number, ascending. */
  listAllowedPixKeys(after: number, limit: number): Promise<AllowedPixKey[]>;
  findWithdraw(id: number): Promise<WithdrawRecord | null>;
  listWithdraws(query: Rpc.WithdrawQuery): Promise<Rpc.WithdrawPage>;
  /** The withdraw with this payout id, however old. */
  findPayout(payoutId: string): Promise<WithdrawRecord | null>;
  /** `account`: the company's payout account at its provider; null if it has none. */
  claimPayout(
    companyId: number,
    id: number,
    account: string | null,
  ): Promise<Rpc.ClaimPayoutAnswer>;
  recordPayout(
    companyId: number,
    id: number,
    report: Rpc.PayoutPollResult,
  ): Promise<Rpc.RecordPayoutAnswer>;
  claimRecheck(companyId: number, id: number): Promise<Rpc.ClaimRecheckAnswer>;
  recordRecheck(
    companyId: number,
    id: number,
    outcome: Rpc.RecheckOutcome,
  ): Promise<Rpc.RecordRecheckAnswer>;

  // Contradictions

  /** Opens a contradiction for a finding, once; returns its number. */
  recordFinding(companyId: number, finding: Rpc.Finding): Promise<number>;
  findContradiction(number: number): Promise<Contradiction | null>;

  // Operators

  /** Books what two operators decided, once for each proposal. */
  decideByOperators(command: Rpc.DecideByOperators): Promise<Rpc.DecideByOperatorsAnswer>;
  /** Whether a proposal of operators had its effect. */
  hasDecided(proposalId: string): Promise<boolean>;
  /** The company's freeze; null if it is not frozen. */
  findFreeze(): Promise<Freeze | null>;
  /** While frozen, no caller gets a withdraw, refund, return or credit, and accepted ones are not sent. Announces a change. */
  setFrozen(companyId: number, change: FreezeChange, cause: FreezeCause): Promise<void>;

  // Ledger

  balances(at?: number | null): Promise<Rpc.BalancesAnswer>;
  /** Credits to be released, by day. */
  forecast(): Promise<ForecastDay[]>;
  statement(query: StatementQuery): Promise<StatementLine[]>;
  ledgerPosition(): Promise<LedgerPosition>;
  /** The newest movement's number and hash, which anchors store; zeros before the first. */
  ledgerHead(): Promise<Omit<AnchoredHead, "day">>;
  announceAnchor(companyId: number, head: SignedAnchor): Promise<Rpc.AnnounceAnchorAnswer>;
  /**
   * Runs one bounded step of the audit. Wrong balances freeze the company; its charges
   * continue, because money that was received must be booked.
   */
  auditLedger(
    companyId: number,
    pass: Rpc.AuditPass,
    fromStart: boolean,
    anchors?: AnchoredHead[],
  ): Promise<Rpc.AuditStep>;
  isFrozen(): Promise<boolean>;

  // Webhooks

  /** Returns the test event's `companySequence`. */
  /** Announces settings that were loosened and wait, once. */
  announceSettingsChange(command: Rpc.AnnounceSettingsChange): Promise<void>;
  announceTestEvent(command: Rpc.AnnounceTestEvent): Promise<number>;
  acquireDeliveryLease(request: Lease.DeliveryLeaseRequest): Promise<Lease.DeliveryLeaseResult>;
  releaseDeliveryLease(
    request: Lease.DeliveryLeaseRequest,
    shouldContinue: boolean,
  ): Promise<Lease.DeliveryLeaseRelease>;

  // The object itself

  /** Counts a request's bytes against the company's quotas; null if they are within them. */
  takeQuota(command: Rpc.TakeQuota): Promise<Rpc.QuotaRefusal | null>;
  snapshot(query: Rpc.SnapshotQuery): Promise<Rpc.Snapshot>;
  inspect(query: Rpc.InspectQuery): Promise<RowsByTable>;
  /** Removes the data of payers that the object has of these charges. Returns their unexpected payments' ids. */
  erasePayers(companyId: number, transactionIds: string[]): Promise<string[]>;
  /**
   * Raises the object's numbers above those that D1 has, after a restore, and renumbers events that were not
   * written because D1 had another one under their number, then announces the restore's freeze. Tells the service again
   * since when the archive lacks changes of the company. Returns how many.
   */
  raiseNumbers(companyId: number, floors: Rpc.NumberFloors): Promise<number>;
  /** Keeps a change that D1 has and the archive has not taken, until it does. */
  keepUnarchived(companyId: number, change: Rpc.ArchivedChange): Promise<void>;
  /** Restarts the object as it was at a time; returns the bookmark that undoes this, null where it is refused. */
  restoreToTime(timeMs: number): Promise<string | null>;
  /** Sends operators an event. The caller calls once each time the object crosses the limit. */
  announceStorageFilling(companyId: number, bytes: number): Promise<void>;
  /** Rejects commands authenticated by credentials older than `version` from now on. */
  invalidateCredentials(version: number): Promise<void>;
  retireCredentials(command: Rpc.RetireCredentials): Promise<Rpc.RetireCredentialsAnswer>;
  /**
   * Does all that is due, even if the alarm was lost, and archives at most 1,000 charges and entries that were kept for
   * the archive. The cron calls it. Returns how many are left of these.
   */
  runNow(): Promise<number>;
}
