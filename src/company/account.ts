import { DurableObject } from "cloudflare:workers";
import { projectionWriter } from "../db/projection/projection-writer.ts";
import type { AnchoredHead, SignedAnchor } from "../domain/ledger/anchor.ts";
import { systemClock, type Clock } from "../domain/shared/clock.ts";
import type { Contradiction } from "../domain/reconciliation/contradiction.ts";
import type { PageWindow } from "../domain/shared/page.ts";
import type { ForecastDay } from "../domain/ledger/release.ts";
import type { RowsByTable } from "../domain/shared/inspection.ts";
import type { LedgerPosition } from "../domain/reconciliation/ledger-position.ts";
import type { StatementLine, StatementQuery } from "../domain/ledger/statement.ts";
import type {
  DeliveryLeaseRelease,
  DeliveryLeaseResult,
  DeliveryLeaseRequest,
} from "../domain/events/delivery-lease.ts";
import type { ChargeHistory } from "../domain/charges/timeline.ts";
import type { ChargeState } from "../domain/charges/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraws/withdraw.ts";
import type { Env } from "../config.ts";
import type { AnnounceAnchorAnswer } from "./ledger/anchor-store.ts";
import type { AuditStep, AuditPass } from "./ledger/audit.ts";
import { CLIENT_DEADLINE_MS, type DeadlineCall, type ClientAnswer } from "./deadline-calls.ts";
import type * as Rpc from "./rpc-types.ts";
import type { CompanyRpc } from "./rpc.ts";
import type { Finding } from "./contradictions/contradiction-store.ts";
import { runAuditStep } from "./releases/due-releases.ts";
import { queueNotifier } from "./outbox/queue-notifier.ts";
import { inspect, type InspectQuery } from "./storage/inspect.ts";
import {
  balancesOf,
  chargeStateOf,
  historyOf,
  hasOpenWork,
  snapshotOf,
} from "./outbox/snapshot.ts";
import { openCompany, NewerStorage, type OpenCompany } from "./open.ts";
import { bindCompanyId, announceStorageFilling, type Services } from "./compose.ts";
import type { Notifier, Projection } from "./outbox/ports.ts";
import { DeliveryLeases } from "./deliveries/delivery-leases.ts";
import { GroupCommit } from "./runtime/group-commit.ts";
import { ledgerPositionOf } from "./ledger/ledger-position.ts";
import { setFallbackAlarm, type BackgroundWork } from "./runtime/background-work.ts";

/**
 * One company's money: ledger, withdraws, charge states, event numbers. It decides; it never calls a
 * provider or reads D1 to decide. This class is contents and composition root; the rules are in flows.
 */
export class CompanyAccount extends DurableObject<Env> implements CompanyRpc {
  /** Replaceable, so that tests can turn the clock and cut the way to D1 and the queues. */
  clock: Clock = systemClock;
  /** By which Workers say when they asked: a company's time may be turned, the platform's not. */
  platformClock: Clock = systemClock;
  projection: Projection;
  notifier: Notifier;

  /** Null where the tables are of newer code: then nothing is read or written. */
  readonly #opened: OpenCompany | null;
  readonly #groupCommit = new GroupCommit(() => this.ctx.storage.sync());
  readonly #deliveryLeases = new DeliveryLeases(this.clock.now());

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.projection = projectionWriter(env);
    this.notifier = queueNotifier(env);
    this.#opened = openCompany({
      storage: ctx.storage,
      clock: () => this.clock,
      projection: () => this.projection,
      notifier: () => this.notifier,
      waitUntil: (work) => ctx.waitUntil(work),
    });
  }

  get #open(): OpenCompany {
    if (this.#opened === null) throw new NewerStorage();
    return this.#opened;
  }

  get #services(): Services {
    return this.#open.services;
  }

  get #backgroundWork(): BackgroundWork {
    return this.#open.backgroundWork;
  }

  async callWithDeadline({ call, parameters, calledAt }: DeadlineCall): Promise<ClientAnswer> {
    if (this.platformClock.now() - calledAt > CLIENT_DEADLINE_MS) return { kind: "overloaded" };
    const method = this[call] as (...values: unknown[]) => Promise<unknown>;
    return { kind: "done", answer: await method.apply(this, parameters) };
  }

  // Charges

  async settlePayment(command: Rpc.SettlePayment): Promise<Rpc.SettlePaymentAnswer> {
    return this.#commitAndDrain(command, (now) => this.#services.charges.settle(command, now));
  }

  async suspendPayment(command: Rpc.SuspendPayment): Promise<Rpc.SettlePaymentAnswer> {
    return this.#commit(command.companyId, (now) => this.#services.charges.suspend(command, now));
  }

  async transitionCharge(command: Rpc.TransitionCharge): Promise<Rpc.TransitionChargeAnswer> {
    return this.#commitAndDrain(command, (now) => this.#services.charges.transition(command, now));
  }

  async findCharge(transactionId: string): Promise<ChargeState | null> {
    return chargeStateOf(this.#services, transactionId);
  }

  async recordDispute(command: Rpc.RecordDispute): Promise<Rpc.RecordDisputeAnswer> {
    return this.#commitAndDrain(command, (now) => this.#services.disputes.record(command, now));
  }

  async findDispute(disputeId: string): Promise<Rpc.DisputeSummary | null> {
    return this.#services.disputes.find(disputeId);
  }

  async recordProviderRefund(
    command: Rpc.RecordProviderRefund,
  ): Promise<Rpc.RecordProviderRefundAnswer> {
    return this.#commitAndDrain(command, (now) =>
      this.#services.externalRefunds.record(command, now),
    );
  }

  // Refunds, cancels, captures and returns

  async requestRefund(command: Rpc.RequestRefund): Promise<Rpc.RequestOperationAnswer> {
    return this.#commitIfCurrent(command, (now) =>
      this.#services.operations.requestRefund(command, now),
    );
  }

  async requestCancelOrCapture(
    command: Rpc.RequestCancelOrCapture,
  ): Promise<Rpc.RequestOperationAnswer> {
    return this.#commitIfCurrent(command, (now) =>
      this.#services.operations.requestCancelOrCapture(command, now),
    );
  }

  async requestReturn(command: Rpc.RequestReturn): Promise<Rpc.RequestOperationAnswer> {
    return this.#commitIfCurrent(command, (now) =>
      this.#services.operations.requestReturn(command, now),
    );
  }

  async claimOperation(companyId: number, id: number): Promise<Rpc.ClaimOperationAnswer> {
    return this.#commit(companyId, (now) => this.#services.operations.claim(id, now));
  }

  async recordOperation(
    companyId: number,
    id: number,
    report: Rpc.OperationReport,
    reply: Rpc.KeyedRequest | null,
  ): Promise<Rpc.RecordOperationAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#services.operations.record(id, report, reply, now),
    );
  }

  async findOperation(operationId: string): Promise<number | null> {
    return this.#services.stores.operations.findByOperationId(operationId)?.id ?? null;
  }

  async resolvePayoutManually(
    companyId: number,
    id: number,
    report: Rpc.PayoutReport,
  ): Promise<Rpc.ResolvePayoutAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#services.payouts.resolveManually(id, report, now),
    );
  }

  async resolveOperationManually(
    companyId: number,
    id: number,
    report: Rpc.OperationReport,
  ): Promise<Rpc.ResolveOperationAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#services.operations.resolveManually(id, report, now),
    );
  }

  async findSuspendedPayment(paymentId: string): Promise<Rpc.SuspendedPayment | null> {
    return this.#services.suspense.find(paymentId);
  }

  async listSuspendedPayments(after: string, limit: number): Promise<Rpc.SuspendedPayment[]> {
    return this.#services.suspense.list(after, limit);
  }

  // What only a person can end

  async recordFinding(companyId: number, finding: Finding): Promise<number> {
    const { contradictions } = this.#services.stores;
    return this.#commitAndDrain({ companyId }, (now) => contradictions.open(finding, now).number);
  }

  async findContradiction(number: number): Promise<Contradiction | null> {
    return this.#services.stores.contradictions.find(number);
  }

  async decideContradiction(
    command: Rpc.DecideContradiction,
  ): Promise<Rpc.DecideContradictionAnswer> {
    const answer = this.#commitIfCurrent(command, (now) =>
      this.#services.decisions.decide(command, now),
    );
    await this.#backgroundWork.drainWithTimeout();
    return answer;
  }

  // Withdraws: read here by their owner, so a caller need not wait for the copy in D1.

  async requestWithdraw(command: Rpc.RequestWithdraw): Promise<Rpc.RequestWithdrawAnswer> {
    const answer = await this.#groupCommit.run(() =>
      this.#commitIfCurrent(command, (now) => this.#services.withdraws.request(command, now)),
    );
    if (answer.kind === "accepted" && !command.sandbox) {
      this.ctx.waitUntil(this.#backgroundWork.payoutNotifier.notifyAccepted(answer.withdraw.id));
    }
    return answer;
  }

  async previewWithdraw(command: Rpc.RequestWithdraw): Promise<Rpc.WithdrawPreviewAnswer> {
    this.#open.dueReleases.run();
    const conflict = this.#services.credentials.check(command);
    if (conflict !== null) return conflict;
    return {
      kind: "preview",
      preview: this.#services.withdraws.preview(command, this.clock.now()),
    };
  }

  async cancelWithdraw(
    companyId: number,
    id: number,
    key: string | null,
  ): Promise<Rpc.CancelWithdrawAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#services.withdraws.cancel(id, key, now),
    );
  }

  async findWithdraw(id: number): Promise<WithdrawRecord | null> {
    return this.#services.stores.withdraws.find(id);
  }

  async findPayout(payoutId: string): Promise<WithdrawRecord | null> {
    return this.#services.stores.withdraws.findByPayoutId(payoutId);
  }

  async listWithdraws(page: PageWindow): Promise<Rpc.WithdrawPage> {
    return this.#services.stores.withdraws.page(page);
  }

  async claimPayout(
    companyId: number,
    id: number,
    account: string | null,
  ): Promise<Rpc.ClaimPayoutAnswer> {
    const answer = this.#commit(companyId, (now) =>
      this.#services.withdraws.claim(id, account, now),
    );
    if (answer.kind === "send") this.ctx.waitUntil(this.#backgroundWork.drain());
    return answer;
  }

  async recordPayout(
    companyId: number,
    id: number,
    report: Rpc.PayoutPollResult,
  ): Promise<Rpc.RecordPayoutAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#services.payouts.record(id, report, now),
    );
  }

  async claimRecheck(companyId: number, id: number): Promise<Rpc.ClaimRecheckAnswer> {
    return this.#commit(companyId, (now) => this.#services.stores.rechecks.claim(id, now));
  }

  async recordRecheck(companyId: number, id: number, outcome: Rpc.RecheckOutcome) {
    return this.#commit(companyId, (now) =>
      this.#services.stores.rechecks.record(id, outcome, now),
    );
  }

  // Balance and upkeep

  async balances(): Promise<Rpc.BalancesAnswer> {
    this.#open.dueReleases.run();
    return balancesOf(this.#services);
  }

  async ledgerHead(): Promise<Omit<AnchoredHead, "day">> {
    return this.#services.stores.ledger.newestHead();
  }

  async announceAnchor(companyId: number, head: SignedAnchor): Promise<AnnounceAnchorAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#services.stores.anchors.recordAndAnnounce(head, now),
    );
  }

  async ledgerPosition(): Promise<LedgerPosition> {
    return ledgerPositionOf(this.#services, this.ctx.storage.sql);
  }

  async forecast(): Promise<ForecastDay[]> {
    this.#open.dueReleases.run();
    return this.#services.stores.releases.forecast();
  }

  async statement(query: StatementQuery): Promise<StatementLine[]> {
    this.#open.dueReleases.run();
    return this.#services.stores.ledger.statement(query);
  }

  async isFrozen(): Promise<boolean> {
    return this.#services.releases.balances().frozen;
  }

  async setFrozen(companyId: number, frozen: boolean): Promise<void> {
    this.#commit(companyId, () => this.#services.stores.meta.set("frozen", frozen ? 1 : 0));
  }

  async auditLedger(
    companyId: number,
    pass: AuditPass,
    fromStart: boolean,
    anchors: AnchoredHead[] = [],
  ): Promise<AuditStep> {
    // No credits are released before: whatever keeps them from it is for the audit to find.
    return this.#backgroundWork.commit((now) => {
      bindCompanyId(this.#services.stores.meta, companyId);
      return runAuditStep(this.#services, { walk: pass, fromStart, anchors }, now);
    });
  }

  async announceStorageFilling(companyId: number, bytes: number): Promise<void> {
    await this.#commitAndDrain({ companyId }, (now) =>
      announceStorageFilling(this.#services.stores, bytes, now),
    );
  }

  async snapshot(query: Rpc.SnapshotQuery): Promise<Rpc.Snapshot> {
    return snapshotOf(this.#services, query);
  }

  async inspect(query: InspectQuery): Promise<RowsByTable> {
    return inspect(this.ctx.storage.sql, query);
  }

  async disconnectProvider(command: Rpc.VersionedCommand): Promise<Rpc.DisconnectProviderAnswer> {
    // No credits are released before: D1 would be owed them, and that is something open.
    return this.#backgroundWork.commit(() => {
      bindCompanyId(this.#services.stores.meta, command.companyId);
      return this.#services.credentials.disconnectProvider(command, hasOpenWork(this.#services));
    });
  }

  async history(transactionId: string, limit: number): Promise<ChargeHistory> {
    this.#open.dueReleases.run();
    return historyOf(this.#services, transactionId, limit);
  }

  // Webhooks

  async announceTestEvent(command: Rpc.AnnounceTestEvent): Promise<number> {
    return this.#commitAndDrain(command, (now) =>
      this.#services.webhookTests.announce(command, now),
    );
  }

  async acquireDeliveryLease(request: DeliveryLeaseRequest): Promise<DeliveryLeaseResult> {
    return this.#deliveryLeases.acquire(request, this.clock.now());
  }

  async releaseDeliveryLease(
    request: DeliveryLeaseRequest,
    shouldContinue: boolean,
  ): Promise<DeliveryLeaseRelease> {
    return this.#deliveryLeases.release(request, shouldContinue, this.clock.now());
  }

  async invalidateCredentials(version: number): Promise<void> {
    this.#services.credentials.advance(version);
  }

  /** The cron's knock: whatever is overdue is done, whether or not the alarm still lives. */
  async runNow(): Promise<void> {
    await this.#backgroundWork.runNow(() => this.#open.dueReleases.run());
  }

  /** Never throws: the platform gives an alarm that keeps throwing up. */
  override async alarm(): Promise<void> {
    if (this.#opened === null) return setFallbackAlarm(this.ctx.storage, this.clock.now());
    this.#backgroundWork.alarmFired();
    await this.#backgroundWork.runNow(() => this.#open.dueReleases.run());
  }

  /** A commit of what was asked for with the present credentials. */
  #commitIfCurrent<Answer>(
    command: Rpc.VersionedCommand,
    change: (nowMs: number) => Answer,
  ): Answer | Rpc.VersionConflict {
    return this.#commit(
      command.companyId,
      (now) => this.#services.credentials.check(command) ?? change(now),
    );
  }

  /** Its caller then reads its own write, where D1 takes it in time. */
  async #commitAndDrain<Answer>(
    { companyId }: { companyId: number },
    change: (nowMs: number) => Answer,
  ): Promise<Answer> {
    const answer = this.#commit(companyId, change);
    await this.#backgroundWork.drainWithTimeout();
    return answer;
  }

  #commit<Answer>(companyId: number, change: (nowMs: number) => Answer): Answer {
    this.#open.dueReleases.run();
    return this.#backgroundWork.commit((now) => {
      bindCompanyId(this.#services.stores.meta, companyId);
      return change(now);
    });
  }
}
