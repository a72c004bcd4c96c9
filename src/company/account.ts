import { changeArchive } from "../db/archive/change-archive.ts";
import { projectionWriter } from "../db/projection/projection-writer.ts";
import type { Freeze, FreezeCause, FreezeChange } from "../domain/access/freeze.ts";
import type * as Lease from "../domain/events/delivery-lease.ts";
import type { AnchoredHead, SignedAnchor } from "../domain/ledger/anchor.ts";
import type { StatementLine, StatementQuery } from "../domain/ledger/statement.ts";
import { systemClock, type Clock } from "../domain/shared/clock.ts";
import type { WithdrawRecord } from "../domain/withdraws/withdraw.ts";
import type { Env } from "../config.ts";
import { findReceivedPayments } from "./charges/received-payments.ts";
import type { Services } from "./compose.ts";
import * as calls from "./deadline-calls.ts";
import { DeliveryLeases } from "./deliveries/delivery-leases.ts";
import { runAuditStep } from "./ledger/audit-step.ts";
import { ledgerPositionOf } from "./ledger/ledger-position.ts";
import { openCompany, NewerStorage, type OpenCompany } from "./open.ts";
import type { Archive, Notifier, Projection } from "./outbox/ports.ts";
import { queueNotifier } from "./outbox/queue-notifier.ts";
import * as queries from "./queries.ts";
import type * as Rpc from "./rpc-types.ts";
import type { CompanyRpc } from "./rpc.ts";
import { setFallbackAlarm } from "./runtime/background-work.ts";
import type { CommandRunner } from "./runtime/command-runner.ts";
import { StoredObject } from "./storage/stored-object.ts";
import { announceStorageFilling } from "./storage/storage-filling.ts";

/**
 * A company's Durable Object: the calls of `CompanyRpc`, each handed to the folder that holds its rules.
 * It owns ledger, withdraws, charge states and event numbers, calls no provider and never reads D1 to decide.
 */
export class CompanyAccount extends StoredObject implements CompanyRpc {
  /** Tests replace these to control the time and to fail D1 and the queues. */
  clock: Clock = systemClock;
  /** Judges deadlines, which Workers set by the platform's clock; `clock` may be simulated. */
  platformClock: Clock = systemClock;
  projection: Projection = projectionWriter(this.env);
  archive: Archive | null = changeArchive(this.env);
  notifier: Notifier = queueNotifier(this.env);
  /** Null if newer code has migrated the tables: then nothing is read or written. */
  readonly #opened: OpenCompany | null;
  readonly #deliveryLeases = new DeliveryLeases(this.clock.now());

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    StoredObject.prepare(this, ctx.id.name);
    this.#opened = openCompany({
      storage: ctx.storage,
      clock: () => this.clock,
      projection: () => this.projection,
      archive: () => this.archive,
      notifier: () => this.notifier,
      waitUntil: (work) => ctx.waitUntil(work),
    });
  }

  get #open(): OpenCompany {
    if (this.#opened === null) throw new NewerStorage();
    return this.#opened;
  }

  get #runner(): CommandRunner {
    return this.#open.commandRunner;
  }

  get #services(): Services {
    return this.#open.services;
  }

  async callWithDeadline(call: calls.DeadlineCall): Promise<calls.ClientAnswer> {
    return calls.runWithDeadline(this, call, this.platformClock.now());
  }

  async callWithTrace(call: calls.TracedCall): Promise<unknown> {
    return calls.runWithTrace(this, call);
  }

  async settlePayment(command: Rpc.SettlePayment): Promise<Rpc.SettlePaymentAnswer> {
    return this.#runner.commitAndDrain(command, ({ charges }, now) => charges.settle(command, now));
  }

  async suspendPayment(command: Rpc.SuspendPayment): Promise<Rpc.SettlePaymentAnswer> {
    return this.#runner.commitAndDrain(command, (all, now) => all.charges.suspend(command, now));
  }

  async decidePayment(by: Rpc.DecidePayment) {
    const decide = (all: Services, at: number) => all.paymentDecisions.decide(by, at);
    return this.#runner.commitIfCurrentAndDrain(by, decide);
  }

  async transitionCharge(command: Rpc.TransitionCharge): Promise<Rpc.TransitionChargeAnswer> {
    return this.#runner.commitAndDrain(command, (all, now) => all.charges.transition(command, now));
  }

  async admitCardAttempt(attempt: Rpc.AdmitCardAttempt): Promise<Rpc.AdmitCardAttemptAnswer> {
    return this.#services.cardAttempts.admit(attempt, this.clock.now());
  }

  async findCharge(transactionId: string) {
    return queries.chargeStateOf(this.#services, transactionId);
  }

  async history(transactionId: string, limit: number) {
    return this.#runner.read((services) => queries.historyOf(services, transactionId, limit));
  }

  async findReceivedPayments(query: Rpc.FindReceivedPayments) {
    return findReceivedPayments(this.#services, query);
  }

  async findSuspendedPayment(paymentId: string): Promise<Rpc.SuspendedPayment | null> {
    return this.#services.suspense.find(paymentId);
  }

  async listSuspendedPayments(after: string, limit: number): Promise<Rpc.SuspendedPayment[]> {
    return this.#services.suspense.list(after, limit);
  }

  async recordDispute(command: Rpc.RecordDispute): Promise<Rpc.RecordDisputeAnswer> {
    return this.#runner.commitAndDrain(command, (all, now) => all.disputes.record(command, now));
  }

  async findDispute(disputeId: string): Promise<Rpc.DisputeSummary | null> {
    return this.#services.disputes.find(disputeId);
  }

  async submitEvidence(by: Rpc.SubmitEvidence): Promise<Rpc.SubmitEvidenceAnswer> {
    return this.#runner.commitIfCurrentAndDrain(by, (all, now) => all.evidence.submit(by, now));
  }

  async requestRefund(command: Rpc.RequestRefund): Promise<Rpc.RequestOperationAnswer> {
    const request = (all: Services, at: number) => all.operations.requestRefund(command, at);
    const answer = this.#runner.commitIfCurrent(command, request);
    // Nothing else is written soon that would carry it to D1.
    if (answer.kind === "waiting") await this.#open.backgroundWork.drainWithTimeout();
    return answer;
  }

  async decideExit(by: Rpc.DecideExit): Promise<Rpc.DecideExitAnswer> {
    return this.#runner.commitIfCurrentAndDrain(by, (all, at) => all.exitApprovals.decide(by, at));
  }

  async listWaitingExits(before: number | null, limit: number) {
    return this.#services.exitApprovals.list(before, limit);
  }

  async findExit(operationId: string) {
    return this.#services.stores.operations.findExit(operationId);
  }

  async requestCancelOrCapture(by: Rpc.RequestCancelOrCapture) {
    const request = (all: Services, at: number) => all.operations.requestCancelOrCapture(by, at);
    return this.#runner.commitIfCurrent(by, request);
  }

  async claimOperation(companyId: number, id: number): Promise<Rpc.ClaimOperationAnswer> {
    return this.#runner.commit({ companyId }, ({ operations }, now) => operations.claim(id, now));
  }

  async recordOperation(
    companyId: number,
    id: number,
    report: Rpc.OperationReport,
    reply: Rpc.KeyedRequest | null,
  ): Promise<Rpc.RecordOperationAnswer> {
    const record = (all: Services, at: number) => all.operations.record(id, report, reply, at);
    return this.#runner.commitAndDrain({ companyId }, record);
  }

  async findOperation(operationId: string): Promise<Rpc.FoundOperation | null> {
    return this.#services.operators.findOperation(operationId);
  }

  async recordProviderRefund(by: Rpc.RecordProviderRefund) {
    return this.#runner.commitAndDrain(by, (all, at) => all.externalRefunds.record(by, at));
  }

  async writePaymentLink(command: Rpc.WritePaymentLink): Promise<Rpc.WritePaymentLinkAnswer> {
    return this.#runner.commitIfCurrentAndDrain(command, (all, at) => all.links.write(command, at));
  }

  async takePlace(command: Rpc.TakePlace): Promise<Rpc.PlaceAnswer> {
    return this.#runner.commitAndDrain(command, ({ places }, now) => places.take(command, now));
  }

  async renewPlace(command: Rpc.RenewPlace): Promise<Rpc.RenewPlaceAnswer> {
    return this.#runner.commit(command, ({ places }, now) => places.renew(command, now));
  }

  async useCardSession(command: Rpc.UseCardSession): Promise<Rpc.UseCardSessionAnswer> {
    return this.#runner.commit(command, ({ links }, now) => links.useCardSession(command, now));
  }

  async requestWithdraw(command: Rpc.RequestWithdraw): Promise<Rpc.RequestWithdrawAnswer> {
    const request = (all: Services, at: number) => all.withdraws.request(command, at);
    const answer = await this.#runner.commitInGroup(command, request);
    if (answer.kind === "accepted") this.#notifySendable(answer.withdraw, command);
    return answer;
  }

  async previewWithdraw(command: Rpc.RequestWithdraw): Promise<Rpc.WithdrawPreviewAnswer> {
    return this.#runner.read((all) => queries.previewOf(all, command, this.clock.now()));
  }

  async decideWithdraw(command: Rpc.DecideWithdraw): Promise<Rpc.DecideWithdrawAnswer> {
    const decide = (all: Services, at: number) => all.approvals.decide(command, at);
    const answer = await this.#runner.commitIfCurrentAndDrain(command, decide);
    if (answer.kind === "decided") this.#notifySendable(answer.withdraw, command);
    return answer;
  }

  async addAllowedPixKey(command: Rpc.AddAllowedPixKey): Promise<Rpc.AddAllowedPixKeyAnswer> {
    return this.#runner.commitIfCurrent(command, (all, at) => all.allowedKeys.add(command, at));
  }

  async removeAllowedPixKey(companyId: number, id: number): Promise<void> {
    this.#runner.commit({ companyId }, ({ stores }) => stores.allowedKeys.remove(id));
  }

  async listAllowedPixKeys(after: number, limit: number) {
    return this.#services.stores.allowedKeys.list(after, limit);
  }

  async cancelWithdraw(companyId: number, id: number, key: string | null) {
    const cancel = ({ withdraws }: Services, at: number) => withdraws.cancel(id, key, at);
    return this.#runner.commitAndDrain({ companyId }, cancel);
  }

  async findWithdraw(id: number): Promise<WithdrawRecord | null> {
    return this.#services.stores.withdraws.find(id);
  }

  async listWithdraws(query: Rpc.WithdrawQuery): Promise<Rpc.WithdrawPage> {
    return this.#services.stores.withdraws.page(query);
  }

  async findPayout(payoutId: string): Promise<WithdrawRecord | null> {
    return this.#services.stores.withdraws.findByPayoutId(payoutId);
  }

  async claimPayout(companyId: number, id: number, account: string | null) {
    const claim = (all: Services, at: number) => all.withdraws.claim(id, account, at);
    const answer = this.#runner.commit({ companyId }, claim);
    if (answer.kind === "send") this.ctx.waitUntil(this.#open.backgroundWork.drain());
    return answer;
  }

  async recordPayout(companyId: number, id: number, report: Rpc.PayoutPollResult) {
    const record = ({ payouts }: Services, at: number) => payouts.record(id, report, at);
    return this.#runner.commitAndDrain({ companyId }, record);
  }

  async claimRecheck(companyId: number, id: number): Promise<Rpc.ClaimRecheckAnswer> {
    return this.#runner.commit({ companyId }, ({ stores }, now) => stores.rechecks.claim(id, now));
  }

  async recordRecheck(companyId: number, id: number, outcome: Rpc.RecheckOutcome) {
    const record = ({ stores }: Services, at: number) => stores.rechecks.record(id, outcome, at);
    return this.#runner.commit({ companyId }, record);
  }

  async recordFinding(companyId: number, finding: Rpc.Finding): Promise<number> {
    const open = ({ stores }: Services, at: number) => stores.contradictions.open(finding, at);
    return (await this.#runner.commitAndDrain({ companyId }, open)).number;
  }

  async findContradiction(number: number) {
    return this.#services.stores.contradictions.find(number);
  }

  async decideByOperators(by: Rpc.DecideByOperators): Promise<Rpc.DecideByOperatorsAnswer> {
    return this.#runner.commitIfCurrentAndDrain(by, (all, at) => all.operators.decide(by, at));
  }

  async hasDecided(proposalId: string): Promise<boolean> {
    return this.#services.operators.hasDecided(proposalId);
  }

  async balances(at: number | null = null): Promise<Rpc.BalancesAnswer> {
    return this.#runner.read((services) => queries.balancesOf(services, at));
  }

  async forecast() {
    return this.#runner.read(({ stores }) => stores.releases.forecast());
  }

  async statement(query: StatementQuery): Promise<StatementLine[]> {
    return this.#runner.read(({ stores }) => stores.ledger.statement(query));
  }

  async ledgerPosition() {
    return ledgerPositionOf(this.#services, this.ctx.storage.sql);
  }

  async ledgerHead(): Promise<Omit<AnchoredHead, "day">> {
    return this.#services.stores.ledger.newestHead();
  }

  async announceAnchor(companyId: number, head: SignedAnchor): Promise<Rpc.AnnounceAnchorAnswer> {
    const record = (all: Services, at: number) => all.stores.anchors.recordAndAnnounce(head, at);
    return this.#runner.commitAndDrain({ companyId }, record);
  }

  async auditLedger(
    companyId: number,
    pass: Rpc.AuditPass,
    fromStart: boolean,
    anchors: AnchoredHead[] = [],
  ): Promise<Rpc.AuditStep> {
    const by = { pass, fromStart, anchors };
    const step = (services: Services, now: number) => runAuditStep(services, by, now);
    return this.#runner.commitWithoutReleases({ companyId }, step);
  }

  async isFrozen(): Promise<boolean> {
    return this.#services.releases.balances().frozen;
  }

  async findFreeze(): Promise<Freeze | null> {
    return this.#services.freezes.find();
  }

  async setFrozen(companyId: number, change: FreezeChange, cause: FreezeCause): Promise<void> {
    const set = ({ freezes }: Services, at: number) => freezes.set(change, cause, at);
    await this.#runner.commitAndDrain({ companyId }, set);
  }

  async raiseNumbers(companyId: number, floors: Rpc.NumberFloors): Promise<number> {
    await this.#open.backgroundWork.archiving.report(companyId);
    return this.#runner.commitAndDrain({ companyId }, (all, now) => all.raiseNumbers(floors, now));
  }

  async keepUnarchived(companyId: number, change: Rpc.ArchivedChange): Promise<void> {
    const add = ({ stores }: Services, at: number) => stores.unarchived.add(change, at);
    return this.#runner.commitWithoutReleases({ companyId }, add);
  }

  async announceSettingsChange(by: Rpc.AnnounceSettingsChange): Promise<void> {
    return this.#runner.commitAndDrain(by, (all, now) => all.settingsEvents.announce(by, now));
  }

  async announceTestEvent(command: Rpc.AnnounceTestEvent): Promise<number> {
    return this.#runner.commitAndDrain(command, (all, at) => all.testEvents.announce(command, at));
  }

  async acquireDeliveryLease(by: Lease.DeliveryLeaseRequest): Promise<Lease.DeliveryLeaseResult> {
    return this.#deliveryLeases.acquire(by, this.clock.now());
  }

  async releaseDeliveryLease(request: Lease.DeliveryLeaseRequest, shouldContinue: boolean) {
    return this.#deliveryLeases.release(request, shouldContinue, this.clock.now());
  }

  async takeQuota(by: Rpc.TakeQuota): Promise<Rpc.QuotaRefusal | null> {
    return this.#runner.commitWithoutReleases(by, ({ stores }, at) => stores.usage.take(by, at));
  }

  async snapshot(query: Rpc.SnapshotQuery): Promise<Rpc.Snapshot> {
    return queries.snapshotOf(this.#services, query);
  }

  async erasePayers(companyId: number, transactionIds: string[]): Promise<string[]> {
    return this.#runner.commitWithoutReleases({ companyId }, ({ stores }) => {
      stores.outbox.erasePayers(transactionIds);
      return stores.charges.erasePayers(transactionIds);
    });
  }

  async announceStorageFilling(companyId: number, bytes: number): Promise<void> {
    const announce = (all: Services, at: number) => announceStorageFilling(all.stores, bytes, at);
    await this.#runner.commitAndDrain({ companyId }, announce);
  }

  async invalidateCredentials(version: number): Promise<void> {
    this.#services.versionGate.advance(version);
  }

  async retireCredentials(command: Rpc.RetireCredentials): Promise<Rpc.RetireCredentialsAnswer> {
    return this.#runner.commitWithoutReleases(command, (services) =>
      services.versionGate.retire(command, queries.obstaclesOf(services, command.unless)),
    );
  }

  async runNow(): Promise<number> {
    await this.#open.backgroundWork.runNow(this.#open.runDue);
    return this.#services.stores.unarchived.count();
  }

  /** A sandbox withdraw waits for the alarm, so that a merchant can try a cancel. */
  #notifySendable({ id, status, approval }: WithdrawRecord, { sandbox }: { sandbox: boolean }) {
    if (sandbox || status !== "Awaiting" || approval === "pending") return;
    this.ctx.waitUntil(this.#open.backgroundWork.payoutNotifier.notifyAccepted(id));
  }

  /** Never throws: the platform stops retrying an alarm that keeps failing. */
  override async alarm(): Promise<void> {
    if (this.#opened === null) return setFallbackAlarm(this.ctx.storage, this.clock.now());
    this.#open.backgroundWork.alarmFired();
    await this.#open.backgroundWork.runNow(this.#open.runDue);
  }
}
