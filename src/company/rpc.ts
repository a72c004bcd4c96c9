import type { AnchoredHead, SignedHead } from "../domain/ledger/anchor.ts";
import type { Contradiction } from "../domain/reconciliation/contradiction.ts";
import type { Rows } from "../domain/shared/inspection.ts";
import type { PageWindow } from "../domain/shared/page.ts";
import type { ForecastDay } from "../domain/ledger/release.ts";
import type { FreedSlot, SlotAnswer, SlotRequest } from "../domain/events/send-slot.ts";
import type { LedgerStanding } from "../domain/reconciliation/standing.ts";
import type { StatementLine, StatementQuery } from "../domain/ledger/statement.ts";
import type { ChargeHistory } from "../domain/charges/timeline.ts";
import type { ChargeState } from "../domain/charges/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraws/withdraw.ts";
import type { AnnounceAnchorAnswer } from "./ledger/anchor-store.ts";
import type { AuditStep, AuditWalk } from "./ledger/audit.ts";
import type { Asked, ClientAnswer } from "./client-calls.ts";
import type { Finding } from "./contradictions/contradiction-store.ts";
import type { InspectQuery } from "./storage/inspect.ts";
import type { RecordRecheckAnswer } from "./contradictions/recheck-store.ts";
import type {
  AnnounceTest,
  BalancesAnswer,
  CancelWithdrawAnswer,
  ClaimOperationAnswer,
  ClaimPayoutAnswer,
  ClaimRecheckAnswer,
  CopyQuery,
  Credentialed,
  DecideContradiction,
  DecideContradictionAnswer,
  DecideOperationAnswer,
  DecidePayoutAnswer,
  KeyedRequest,
  KnownDispute,
  LeaveProviderAnswer,
  MoveCharge,
  MoveChargeAnswer,
  OperationReport,
  Originals,
  PayoutNews,
  PayoutReport,
  RecheckOutcome,
  RecordDispute,
  RecordDisputeAnswer,
  RecordOperationAnswer,
  RecordPayoutAnswer,
  RecordProviderRefund,
  RecordProviderRefundAnswer,
  RequestMove,
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
} from "./commands.ts";

/** A company's object as its callers see it. Every call may be repeated without further effect. */
export interface CompanyRpc {
  /** One of the calls below that a client began, unless the object is too far behind. */
  askedByClient(asked: Asked): Promise<ClientAnswer>;
  settlePayment(command: SettlePayment): Promise<SettlePaymentAnswer>;
  suspendPayment(command: SuspendPayment): Promise<SettlePaymentAnswer>;
  moveCharge(command: MoveCharge): Promise<MoveChargeAnswer>;
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
  recordPayout(companyId: number, id: number, news: PayoutNews): Promise<RecordPayoutAnswer>;
  claimRecheck(companyId: number, id: number): Promise<ClaimRecheckAnswer>;
  recordRecheck(
    companyId: number,
    id: number,
    outcome: RecheckOutcome,
  ): Promise<RecordRecheckAnswer>;
  requestRefund(command: RequestRefund): Promise<RequestOperationAnswer>;
  requestMove(command: RequestMove): Promise<RequestOperationAnswer>;
  requestReturn(command: RequestReturn): Promise<RequestOperationAnswer>;
  claimOperation(companyId: number, id: number): Promise<ClaimOperationAnswer>;
  recordOperation(
    companyId: number,
    id: number,
    report: OperationReport,
    reply: KeyedRequest | null,
  ): Promise<RecordOperationAnswer>;
  recordDispute(command: RecordDispute): Promise<RecordDisputeAnswer>;
  findDispute(disputeId: string): Promise<KnownDispute | null>;
  recordProviderRefund(command: RecordProviderRefund): Promise<RecordProviderRefundAnswer>;
  /** The number of the operation that a provider knows by this id. */
  findOperation(operationId: string): Promise<number | null>;
  /** Writes down what was found elsewhere, once; answers its number. */
  recordFinding(companyId: number, finding: Finding): Promise<number>;
  decidePayout(companyId: number, id: number, report: PayoutReport): Promise<DecidePayoutAnswer>;
  decideOperation(
    companyId: number,
    id: number,
    report: OperationReport,
  ): Promise<DecideOperationAnswer>;
  /** Writes down what was found elsewhere, once; answers its number. */
  recordFinding(companyId: number, finding: Finding): Promise<number>;
  contradiction(number: number): Promise<Contradiction | null>;
  decideContradiction(command: DecideContradiction): Promise<DecideContradictionAnswer>;
  suspendedPayment(paymentId: string): Promise<SuspendedPayment | null>;
  suspendedPayments(after: string, limit: number): Promise<SuspendedPayment[]>;
  isFrozen(): Promise<boolean>;
  /** A frozen company's withdraws are refused, and those accepted are not sent until it thaws. */
  setFrozen(companyId: number, frozen: boolean): Promise<void>;
  standing(): Promise<LedgerStanding>;
  balances(): Promise<BalancesAnswer>;
  forecast(): Promise<ForecastDay[]>;
  statement(query: StatementQuery): Promise<StatementLine[]>;
  /** Operators are told that the object fills: once for each time that it comes to be so. */
  announceFilling(companyId: number, bytes: number): Promise<void>;
  /** The newest movement, 0 and zeros before the first, and its hash: what is anchored. */
  ledgerHead(): Promise<Omit<AnchoredHead, "day">>;
  announceAnchor(companyId: number, head: SignedHead): Promise<AnnounceAnchorAnswer>;
  /**
   * One bounded step of the audit. A ledger that does not add up freezes the company's withdraws:
   * its charges go on, for money that comes is money.
   */
  auditLedger(
    companyId: number,
    walk: AuditWalk,
    fromStart: boolean,
    anchors?: AnchoredHead[],
  ): Promise<AuditStep>;
  leaveProvider(command: Credentialed): Promise<LeaveProviderAnswer>;
  history(transactionId: string, limit: number): Promise<ChargeHistory>;
  originals(query: CopyQuery): Promise<Originals>;
  inspect(query: InspectQuery): Promise<Rows>;
  announceTest(command: AnnounceTest): Promise<number>;
  takeSendSlot(request: SlotRequest): Promise<SlotAnswer>;
  freeSendSlot(request: SlotRequest, goOn: boolean): Promise<FreedSlot>;
  tellCredentialsVersion(version: number): Promise<void>;
  tick(): Promise<void>;
}
