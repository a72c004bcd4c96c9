import { DurableObject } from "cloudflare:workers";
import { recordsOf } from "../db/projection/records.ts";
import type { AnchoredHead, SignedHead } from "../domain/ledger/anchor.ts";
import { systemClock, type Clock } from "../domain/shared/clock.ts";
import type { Contradiction } from "../domain/reconciliation/contradiction.ts";
import type { PageWindow } from "../domain/shared/page.ts";
import type { ForecastDay } from "../domain/ledger/release.ts";
import type { Rows } from "../domain/shared/inspection.ts";
import type { LedgerStanding } from "../domain/reconciliation/standing.ts";
import type { StatementLine, StatementQuery } from "../domain/ledger/statement.ts";
import type { FreedSlot, SlotAnswer, SlotRequest } from "../domain/events/send-slot.ts";
import type { ChargeHistory } from "../domain/charges/timeline.ts";
import type { ChargeState } from "../domain/charges/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraws/withdraw.ts";
import type { Env } from "../config.ts";
import type { AnnounceAnchorAnswer } from "./ledger/anchor-store.ts";
import type { AuditStep, AuditWalk } from "./ledger/audit.ts";
import { CLIENT_WAIT_MAX_MS, type Asked, type ClientAnswer } from "./client-calls.ts";
import type * as Rpc from "./commands.ts";
import type { CompanyRpc } from "./rpc.ts";
import type { Finding } from "./contradictions/contradiction-store.ts";
import { auditStep } from "./releases/due-releases.ts";
import { queueHints } from "./outbox/hints.ts";
import { inspect, type InspectQuery } from "./storage/inspect.ts";
import {
  balancesOf,
  chargeStateOf,
  historyOf,
  isAnythingOpen,
  originalsOf,
} from "./outbox/originals.ts";
import { openCompany, StorageNewer, type OpenCompany } from "./open.ts";
import { adopt, announceFilling, type Parts } from "./compose.ts";
import type { Hints, Records } from "./outbox/records.ts";
import { SendSlots } from "./deliveries/send-slots.ts";
import { SharedCommit } from "./runtime/shared-commit.ts";
import { standingOf } from "./ledger/standing.ts";
import { alarmLater, type Upkeep } from "./runtime/upkeep.ts";

/**
 * One company's money: ledger, withdraws, charge states, event numbers. It decides; it never calls a
 * provider or reads D1 to decide. This class is contents and composition root; the rules are in flows.
 */
export class CompanyAccount extends DurableObject<Env> implements CompanyRpc {
  /** Replaceable, so that tests can turn the clock and cut the way to D1 and the queues. */
  clock: Clock = systemClock;
  /** By which Workers say when they asked: a company's time may be turned, the platform's not. */
  platformClock: Clock = systemClock;
  records: Records;
  hints: Hints;

  /** Null where the tables are of newer code: then nothing is read or written. */
  readonly #opened: OpenCompany | null;
  readonly #shared = new SharedCommit(() => this.ctx.storage.sync());
  readonly #sendSlots = new SendSlots(this.clock.now());

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.records = recordsOf(env);
    this.hints = queueHints(env);
    this.#opened = openCompany({
      storage: ctx.storage,
      clock: () => this.clock,
      records: () => this.records,
      hints: () => this.hints,
      waitUntil: (work) => ctx.waitUntil(work),
    });
  }

  get #open(): OpenCompany {
    if (this.#opened === null) throw new StorageNewer();
    return this.#opened;
  }

  get #parts(): Parts {
    return this.#open.parts;
  }

  get #upkeep(): Upkeep {
    return this.#open.upkeep;
  }

  async askedByClient({ call, parameters, askedAt }: Asked): Promise<ClientAnswer> {
    if (this.platformClock.now() - askedAt > CLIENT_WAIT_MAX_MS) return { kind: "busy" };
    const serve = this[call] as (...values: unknown[]) => Promise<unknown>;
    return { kind: "done", answer: await serve.apply(this, parameters) };
  }

  // Charges

  async settlePayment(command: Rpc.SettlePayment): Promise<Rpc.SettlePaymentAnswer> {
    return this.#commitAndDrain(command, (now) => this.#parts.charges.settle(command, now));
  }

  async suspendPayment(command: Rpc.SuspendPayment): Promise<Rpc.SettlePaymentAnswer> {
    return this.#commit(command.companyId, (now) => this.#parts.charges.suspend(command, now));
  }

  async moveCharge(command: Rpc.MoveCharge): Promise<Rpc.MoveChargeAnswer> {
    return this.#commitAndDrain(command, (now) => this.#parts.charges.move(command, now));
  }

  async findCharge(transactionId: string): Promise<ChargeState | null> {
    return chargeStateOf(this.#parts, transactionId);
  }

  async recordDispute(command: Rpc.RecordDispute): Promise<Rpc.RecordDisputeAnswer> {
    return this.#commitAndDrain(command, (now) => this.#parts.disputes.record(command, now));
  }

  async findDispute(disputeId: string): Promise<Rpc.KnownDispute | null> {
    return this.#parts.disputes.find(disputeId);
  }

  async recordProviderRefund(
    command: Rpc.RecordProviderRefund,
  ): Promise<Rpc.RecordProviderRefundAnswer> {
    return this.#commitAndDrain(command, (now) => this.#parts.externalRefunds.record(command, now));
  }

  // Refunds, cancels, captures and returns

  async requestRefund(command: Rpc.RequestRefund): Promise<Rpc.RequestOperationAnswer> {
    return this.#asPresent(command, (now) => this.#parts.operations.requestRefund(command, now));
  }

  async requestMove(command: Rpc.RequestMove): Promise<Rpc.RequestOperationAnswer> {
    return this.#asPresent(command, (now) => this.#parts.operations.requestMove(command, now));
  }

  async requestReturn(command: Rpc.RequestReturn): Promise<Rpc.RequestOperationAnswer> {
    return this.#asPresent(command, (now) => this.#parts.operations.requestReturn(command, now));
  }

  async claimOperation(companyId: number, id: number): Promise<Rpc.ClaimOperationAnswer> {
    return this.#commit(companyId, (now) => this.#parts.operations.claim(id, now));
  }

  async recordOperation(
    companyId: number,
    id: number,
    report: Rpc.OperationReport,
    reply: Rpc.KeyedRequest | null,
  ): Promise<Rpc.RecordOperationAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#parts.operations.record(id, report, reply, now),
    );
  }

  async findOperation(operationId: string): Promise<number | null> {
    return this.#parts.stores.operations.findByOperationId(operationId)?.id ?? null;
  }

  async decidePayout(
    companyId: number,
    id: number,
    report: Rpc.PayoutReport,
  ): Promise<Rpc.DecidePayoutAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#parts.payouts.decide(id, report, now),
    );
  }

  async decideOperation(
    companyId: number,
    id: number,
    report: Rpc.OperationReport,
  ): Promise<Rpc.DecideOperationAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#parts.operations.decide(id, report, now),
    );
  }

  async suspendedPayment(paymentId: string): Promise<Rpc.SuspendedPayment | null> {
    return this.#parts.suspense.find(paymentId);
  }

  async suspendedPayments(after: string, limit: number): Promise<Rpc.SuspendedPayment[]> {
    return this.#parts.suspense.list(after, limit);
  }

  // What only a person can end

  async recordFinding(companyId: number, finding: Finding): Promise<number> {
    const { contradictions } = this.#parts.stores;
    return this.#commitAndDrain({ companyId }, (now) => contradictions.open(finding, now).number);
  }

  async contradiction(number: number): Promise<Contradiction | null> {
    return this.#parts.stores.contradictions.find(number);
  }

  async decideContradiction(
    command: Rpc.DecideContradiction,
  ): Promise<Rpc.DecideContradictionAnswer> {
    const answer = this.#asPresent(command, (now) => this.#parts.decisions.decide(command, now));
    await this.#upkeep.drainBriefly();
    return answer;
  }

  // Withdraws: read here by their owner, so a caller need not wait for the copy in D1.

  async requestWithdraw(command: Rpc.RequestWithdraw): Promise<Rpc.RequestWithdrawAnswer> {
    const answer = await this.#shared.join(() =>
      this.#asPresent(command, (now) => this.#parts.withdraws.request(command, now)),
    );
    if (answer.kind === "accepted" && !command.sandbox) {
      this.ctx.waitUntil(this.#upkeep.payoutHints.accepted(answer.withdraw.id));
    }
    return answer;
  }

  async previewWithdraw(command: Rpc.RequestWithdraw): Promise<Rpc.WithdrawPreviewAnswer> {
    this.#open.dueReleases.run();
    const stale = this.#parts.credentials.refusal(command);
    if (stale !== null) return stale;
    return { kind: "preview", preview: this.#parts.withdraws.preview(command, this.clock.now()) };
  }

  async cancelWithdraw(
    companyId: number,
    id: number,
    key: string | null,
  ): Promise<Rpc.CancelWithdrawAnswer> {
    return this.#commitAndDrain({ companyId }, (now) => this.#parts.withdraws.cancel(id, key, now));
  }

  async findWithdraw(id: number): Promise<WithdrawRecord | null> {
    return this.#parts.stores.withdraws.find(id);
  }

  async findPayout(payoutId: string): Promise<WithdrawRecord | null> {
    return this.#parts.stores.withdraws.ofPayout(payoutId);
  }

  async listWithdraws(page: PageWindow): Promise<Rpc.WithdrawPage> {
    return this.#parts.stores.withdraws.page(page);
  }

  async claimPayout(
    companyId: number,
    id: number,
    sender: string | null,
  ): Promise<Rpc.ClaimPayoutAnswer> {
    const answer = this.#commit(companyId, (now) => this.#parts.withdraws.claim(id, sender, now));
    if (answer.kind === "send") this.ctx.waitUntil(this.#upkeep.drain());
    return answer;
  }

  async recordPayout(
    companyId: number,
    id: number,
    report: Rpc.PayoutNews,
  ): Promise<Rpc.RecordPayoutAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#parts.payouts.record(id, report, now),
    );
  }

  async claimRecheck(companyId: number, id: number): Promise<Rpc.ClaimRecheckAnswer> {
    return this.#commit(companyId, (now) => this.#parts.stores.rechecks.claim(id, now));
  }

  async recordRecheck(companyId: number, id: number, outcome: Rpc.RecheckOutcome) {
    return this.#commit(companyId, (now) => this.#parts.stores.rechecks.record(id, outcome, now));
  }

  // Balance and upkeep

  async balances(): Promise<Rpc.BalancesAnswer> {
    this.#open.dueReleases.run();
    return balancesOf(this.#parts);
  }

  async ledgerHead(): Promise<Omit<AnchoredHead, "day">> {
    return this.#parts.stores.ledger.newestHead();
  }

  async announceAnchor(companyId: number, head: SignedHead): Promise<AnnounceAnchorAnswer> {
    return this.#commitAndDrain({ companyId }, (now) =>
      this.#parts.stores.anchors.announce(head, now),
    );
  }

  async standing(): Promise<LedgerStanding> {
    return standingOf(this.#parts, this.ctx.storage.sql);
  }

  async forecast(): Promise<ForecastDay[]> {
    this.#open.dueReleases.run();
    return this.#parts.stores.releases.forecast();
  }

  async statement(query: StatementQuery): Promise<StatementLine[]> {
    this.#open.dueReleases.run();
    return this.#parts.stores.ledger.statement(query);
  }

  async isFrozen(): Promise<boolean> {
    return this.#parts.releases.balances().frozen;
  }

  async setFrozen(companyId: number, frozen: boolean): Promise<void> {
    this.#commit(companyId, () => this.#parts.stores.meta.set("frozen", frozen ? 1 : 0));
  }

  async auditLedger(
    companyId: number,
    walk: AuditWalk,
    fromStart: boolean,
    anchors: AnchoredHead[] = [],
  ): Promise<AuditStep> {
    // No credits are released before: whatever keeps them from it is for the audit to find.
    return this.#upkeep.commit((now) => {
      adopt(this.#parts.stores.meta, companyId);
      return auditStep(this.#parts, { walk, fromStart, anchors }, now);
    });
  }

  async announceFilling(companyId: number, bytes: number): Promise<void> {
    await this.#commitAndDrain({ companyId }, (now) =>
      announceFilling(this.#parts.stores, bytes, now),
    );
  }

  async originals(query: Rpc.CopyQuery): Promise<Rpc.Originals> {
    return originalsOf(this.#parts, query);
  }

  async inspect(query: InspectQuery): Promise<Rows> {
    return inspect(this.ctx.storage.sql, query);
  }

  async leaveProvider(command: Rpc.Credentialed): Promise<Rpc.LeaveProviderAnswer> {
    // No credits are released before: D1 would be owed them, and that is something open.
    return this.#upkeep.commit(() => {
      adopt(this.#parts.stores.meta, command.companyId);
      return this.#parts.credentials.leaveProvider(command, isAnythingOpen(this.#parts));
    });
  }

  async history(transactionId: string, limit: number): Promise<ChargeHistory> {
    this.#open.dueReleases.run();
    return historyOf(this.#parts, transactionId, limit);
  }

  // Webhooks

  async announceTest(command: Rpc.AnnounceTest): Promise<number> {
    return this.#commitAndDrain(command, (now) => this.#parts.webhookTests.announce(command, now));
  }

  async takeSendSlot(request: SlotRequest): Promise<SlotAnswer> {
    return this.#sendSlots.take(request, this.clock.now());
  }

  async freeSendSlot(request: SlotRequest, goOn: boolean): Promise<FreedSlot> {
    return this.#sendSlots.free(request, goOn, this.clock.now());
  }

  async tellCredentialsVersion(version: number): Promise<void> {
    this.#parts.credentials.tell(version);
  }

  /** The cron's knock: whatever is overdue is done, whether or not the alarm still lives. */
  async tick(): Promise<void> {
    await this.#upkeep.rescue(() => this.#open.dueReleases.run());
  }

  /** Never throws: the platform gives an alarm that keeps throwing up. */
  override async alarm(): Promise<void> {
    if (this.#opened === null) return alarmLater(this.ctx.storage, this.clock.now());
    this.#upkeep.alarmFired();
    await this.#upkeep.rescue(() => this.#open.dueReleases.run());
  }

  /** A commit of what was asked for with the present credentials. */
  #asPresent<Answer>(
    command: Rpc.Credentialed,
    change: (nowMs: number) => Answer,
  ): Answer | Rpc.StaleAnswer {
    return this.#commit(
      command.companyId,
      (now) => this.#parts.credentials.refusal(command) ?? change(now),
    );
  }

  /** Its caller then reads its own write, where D1 takes it in time. */
  async #commitAndDrain<Answer>(
    { companyId }: { companyId: number },
    change: (nowMs: number) => Answer,
  ): Promise<Answer> {
    const answer = this.#commit(companyId, change);
    await this.#upkeep.drainBriefly();
    return answer;
  }

  #commit<Answer>(companyId: number, change: (nowMs: number) => Answer): Answer {
    this.#open.dueReleases.run();
    return this.#upkeep.commit((now) => {
      adopt(this.#parts.stores.meta, companyId);
      return change(now);
    });
  }
}
