import type { AnchoredHead, SignedAnchor } from "../domain/ledger/anchor.ts";
import type { Contradiction } from "../domain/reconciliation/contradiction.ts";
import type { RowsByTable } from "../domain/shared/inspection.ts";
import type { PageWindow } from "../domain/shared/page.ts";
import type { ForecastDay } from "../domain/ledger/release.ts";
import type {
  DeliveryLeaseRelease,
  DeliveryLeaseResult,
  DeliveryLeaseRequest,
} from "../domain/events/delivery-lease.ts";
import type { LedgerPosition } from "../domain/reconciliation/ledger-position.ts";
import type { StatementLine, StatementQuery } from "../domain/ledger/statement.ts";
import type { ChargeHistory } from "../domain/charges/timeline.ts";
import type { ChargeState } from "../domain/charges/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraws/withdraw.ts";
import type { AnnounceAnchorAnswer } from "./ledger/anchor-store.ts";
import type { AuditStep, AuditPass } from "./ledger/audit.ts";
import type { DeadlineCall, ClientAnswer } from "./deadline-calls.ts";
import type { Finding } from "./contradictions/contradiction-store.ts";
import type { InspectQuery } from "./storage/inspect.ts";
import type { RecordRecheckAnswer } from "./contradictions/recheck-store.ts";
import type {
  AnnounceTestEvent,
  BalancesAnswer,
  CancelWithdrawAnswer,
  ClaimOperationAnswer,
  ClaimPayoutAnswer,
  ClaimRecheckAnswer,
  SnapshotQuery,
  VersionedCommand,
  DecideContradiction,
  DecideContradictionAnswer,
  ResolveOperationAnswer,
  ResolvePayoutAnswer,
  KeyedRequest,
  DisputeSummary,
  DisconnectProviderAnswer,
  TransitionCharge,
  TransitionChargeAnswer,
  OperationReport,
  Snapshot,
  PayoutPollResult,
  PayoutReport,
  RecheckOutcome,
  RecordDispute,
  RecordDisputeAnswer,
  RecordOperationAnswer,
  RecordPayoutAnswer,
  RecordProviderRefund,
  RecordProviderRefundAnswer,
  RequestCancelOrCapture,
  RequestOperationAnswer,
  RequestRefund,
  RequestReturn,
  RequestWithdraw,
  RequestWithdrawAnswer,
  SettlePayment,
  SettlePaymentAnswer,
  SuspendPayment,
  SuspendedPayment,
  WithdrawPage,
  WithdrawPreviewAnswer,
} from "./rpc-types.ts";

/** A company's object as its callers see it. Every call may be repeated without further effect. */
export interface CompanyRpc {
  /** One of the calls below that a client began, unless the object is too far behind. */
  callWithDeadline(call: DeadlineCall): Promise<ClientAnswer>;
  settlePayment(command: SettlePayment): Promise<SettlePaymentAnswer>;
  suspendPayment(command: SuspendPayment): Promise<SettlePaymentAnswer>;
  transitionCharge(command: TransitionCharge): Promise<TransitionChargeAnswer>;
  /** All that of a charge can change; null before its first move. D1's copy may be older. */
  findCharge(transactionId: string): Promise<ChargeState | null>;
  requestWithdraw(command: RequestWithdraw): Promise<RequestWithdrawAnswer>;
  previewWithdraw(command: RequestWithdraw): Promise<WithdrawPreviewAnswer>;
  cancelWithdraw(companyId: number, id: number, key: string | null): Promise<CancelWithdrawAnswer>;
  findWithdraw(id: number): Promise<WithdrawRecord | null>;
  /** The withdraw whose payout has this id, whatever its age. */
  findPayout(payoutId: string): Promise<WithdrawRecord | null>;
  listWithdraws(page: PageWindow): Promise<WithdrawPage>;
  /** `account`: the one that sends it now; null where nobody pays out for the company. */
  claimPayout(companyId: number, id: number, account: string | null): Promise<ClaimPayoutAnswer>;
  recordPayout(
    companyId: number,
    id: number,
    report: PayoutPollResult,
  ): Promise<RecordPayoutAnswer>;
  claimRecheck(companyId: number, id: number): Promise<ClaimRecheckAnswer>;
  recordRecheck(
    companyId: number,
    id: number,
    outcome: RecheckOutcome,
  ): Promise<RecordRecheckAnswer>;
  requestRefund(command: RequestRefund): Promise<RequestOperationAnswer>;
  requestCancelOrCapture(command: RequestCancelOrCapture): Promise<RequestOperationAnswer>;
  requestReturn(command: RequestReturn): Promise<RequestOperationAnswer>;
  claimOperation(companyId: number, id: number): Promise<ClaimOperationAnswer>;
  recordOperation(
    companyId: number,
    id: number,
    report: OperationReport,
    reply: KeyedRequest | null,
  ): Promise<RecordOperationAnswer>;
  recordDispute(command: RecordDispute): Promise<RecordDisputeAnswer>;
  findDispute(disputeId: string): Promise<DisputeSummary | null>;
  recordProviderRefund(command: RecordProviderRefund): Promise<RecordProviderRefundAnswer>;
  /** The number of the operation that a provider knows by this id. */
  findOperation(operationId: string): Promise<number | null>;
  /** Writes down what was found elsewhere, once; answers its number. */
  recordFinding(companyId: number, finding: Finding): Promise<number>;
  resolvePayoutManually(
    companyId: number,
    id: number,
    report: PayoutReport,
  ): Promise<ResolvePayoutAnswer>;
  resolveOperationManually(
    companyId: number,
    id: number,
    report: OperationReport,
  ): Promise<ResolveOperationAnswer>;
  /** Writes down what was found elsewhere, once; answers its number. */
  recordFinding(companyId: number, finding: Finding): Promise<number>;
  findContradiction(number: number): Promise<Contradiction | null>;
  decideContradiction(command: DecideContradiction): Promise<DecideContradictionAnswer>;
  findSuspendedPayment(paymentId: string): Promise<SuspendedPayment | null>;
  listSuspendedPayments(after: string, limit: number): Promise<SuspendedPayment[]>;
  isFrozen(): Promise<boolean>;
  /** A frozen company's withdraws are refused, and those accepted are not sent until it thaws. */
  setFrozen(companyId: number, frozen: boolean): Promise<void>;
  ledgerPosition(): Promise<LedgerPosition>;
  balances(): Promise<BalancesAnswer>;
  forecast(): Promise<ForecastDay[]>;
  statement(query: StatementQuery): Promise<StatementLine[]>;
  /** Operators are told that the object fills: once for each time that it comes to be so. */
  announceStorageFilling(companyId: number, bytes: number): Promise<void>;
  /** The newest movement, 0 and zeros before the first, and its hash: what is anchored. */
  ledgerHead(): Promise<Omit<AnchoredHead, "day">>;
  announceAnchor(companyId: number, head: SignedAnchor): Promise<AnnounceAnchorAnswer>;
  /**
   * One bounded step of the audit. A ledger that does not add up freezes the company's withdraws:
   * its charges go on, for money that comes is money.
   */
  auditLedger(
    companyId: number,
    pass: AuditPass,
    fromStart: boolean,
    anchors?: AnchoredHead[],
  ): Promise<AuditStep>;
  disconnectProvider(command: VersionedCommand): Promise<DisconnectProviderAnswer>;
  history(transactionId: string, limit: number): Promise<ChargeHistory>;
  snapshot(query: SnapshotQuery): Promise<Snapshot>;
  inspect(query: InspectQuery): Promise<RowsByTable>;
  announceTestEvent(command: AnnounceTestEvent): Promise<number>;
  acquireDeliveryLease(request: DeliveryLeaseRequest): Promise<DeliveryLeaseResult>;
  releaseDeliveryLease(
    request: DeliveryLeaseRequest,
    shouldContinue: boolean,
  ): Promise<DeliveryLeaseRelease>;
  invalidateCredentials(version: number): Promise<void>;
  runNow(): Promise<void>;
}
