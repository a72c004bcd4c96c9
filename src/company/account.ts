import { DurableObject } from "cloudflare:workers";
import { recordsOf } from "../db/records.ts";
import type { Balances, LedgerHead } from "../domain/balance.ts";
import { systemClock, type Clock } from "../domain/clock.ts";
import { pageRange, type PageWindow } from "../domain/page.ts";
import type { ForecastDay } from "../domain/release.ts";
import type { Rows } from "../domain/inspection.ts";
import type { StatementLine, StatementQuery } from "../domain/statement.ts";
import type { FreedSlot, SlotAnswer, SlotRequest } from "../domain/send-slot.ts";
import type { ChargeHistory } from "../domain/timeline.ts";
import type { ChargeState } from "../domain/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraw.ts";
import type { Env } from "../env.ts";
import { log } from "../lib/log.ts";
import type { AuditStep, AuditWalk } from "./audit.ts";
import { CLIENT_WAIT_MAX_MS, type Asked, type ClientAnswer } from "./client-calls.ts";
import type {
  AnnounceTest,
  CancelWithdrawAnswer,
  ClaimOperationAnswer,
  ClaimPayoutAnswer,
  CompanyRpc,
  CopyQuery,
  Credentialed,
  DecideOperationAnswer,
  DecidePayoutAnswer,
  KeyedRequest,
  LeaveProviderAnswer,
  MoveCharge,
  MoveChargeAnswer,
  OperationReport,
  Originals,
  PayoutReport,
  RecordDispute,
  RecordDisputeAnswer,
  RecordOperationAnswer,
  RecordPayoutAnswer,
  RequestMove,
  RequestOperationAnswer,
  RequestRefund,
  RequestReturn,
  RequestWithdraw,
  RequestWithdrawAnswer,
  SettlePayment,
  SettlePaymentAnswer,
  StaleAnswer,
  SuspendedPayment,
  SuspendPayment,
  WithdrawPage,
  WithdrawPreviewAnswer,
} from "./commands.ts";
import { auditStep, DueReleases } from "./due-releases.ts";
import { queueHints } from "./hints.ts";
import { inspect, type InspectQuery } from "./inspect.ts";
import { migrateCompany } from "./migrations.ts";
import { chargeStateOf, historyOf, isAnythingOpen, originalsOf } from "./originals.ts";
import { adopt, partsOf, type Parts } from "./parts.ts";
import type { Hints, Records } from "./records.ts";
import { SendSlots } from "./send-slots.ts";
import { SharedCommit } from "./shared-commit.ts";
import { Upkeep } from "./upkeep.ts";

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

  readonly #parts: Parts;
  readonly #upkeep: Upkeep;
  readonly #shared = new SharedCommit(() => this.ctx.storage.sync());
  readonly #sendSlots = new SendSlots(this.clock.now());
  readonly #dueReleases: DueReleases;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateCompany(ctx.storage);
    this.records = recordsOf(env);
    this.hints = queueHints(env);
    this.#parts = partsOf(ctx.storage.sql);
    const { meta, ledger, outbox, withdraws, operations } = this.#parts.stores;
    this.#upkeep = new Upkeep({
      storage: ctx.storage,
      clock: () => this.clock,
      records: () => this.records,
      hints: () => this.hints,
      companyId: () => meta.get("company_id"),
      ledger,
      ledgerLength: this.#parts.ledgerLength,
      outbox,
      payouts: () => withdraws.toLookAfter(meta.get("frozen") === 1),
      operations: operations.pending,
      releasesDueAt: () => this.#dueReleases.dueAt(),
    });
    this.#dueReleases = new DueReleases({
      parts: this.#parts,
      upkeep: this.#upkeep,
      clock: () => this.clock,
      waitUntil: (work) => ctx.waitUntil(work),
    });
  }

  async askedByClient({ call, parameters, askedAt }: Asked): Promise<ClientAnswer> {
    if (this.platformClock.now() - askedAt > CLIENT_WAIT_MAX_MS) return { kind: "busy" };
    const serve = this[call] as (...values: unknown[]) => Promise<unknown>;
    return { kind: "done", answer: await serve.apply(this, parameters) };
  }

  // Charges

  async settlePayment(command: SettlePayment): Promise<SettlePaymentAnswer> {
    const answer = this.#commit(command.companyId, (now) =>
      this.#parts.charges.settle(command, now),
    );
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async suspendPayment(command: SuspendPayment): Promise<SettlePaymentAnswer> {
    return this.#commit(command.companyId, (now) => this.#parts.charges.suspend(command, now));
  }

  async moveCharge(command: MoveCharge): Promise<MoveChargeAnswer> {
    const answer = this.#commit(command.companyId, (now) => this.#parts.charges.move(command, now));
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async findCharge(transactionId: string): Promise<ChargeState | null> {
    return chargeStateOf(this.#parts, transactionId);
  }

  async recordDispute(command: RecordDispute): Promise<RecordDisputeAnswer> {
    const answer = this.#commit(command.companyId, (now) =>
      this.#parts.disputes.record(command, now),
    );
    if (answer.kind !== "recorded" && answer.kind !== "already") {
      const { companyId, report } = command;
      log("error", "dispute_contradiction", { companyId, disputeId: report.id, ...answer });
    }
    await this.#upkeep.drainBriefly();
    return answer;
  }

  // Refunds, cancels, captures and returns

  async requestRefund(command: RequestRefund): Promise<RequestOperationAnswer> {
    return this.#asPresent(command, (now) => this.#parts.operations.requestRefund(command, now));
  }

  async requestMove(command: RequestMove): Promise<RequestOperationAnswer> {
    return this.#asPresent(command, (now) => this.#parts.operations.requestMove(command, now));
  }

  async requestReturn(command: RequestReturn): Promise<RequestOperationAnswer> {
    return this.#asPresent(command, (now) => this.#parts.operations.requestReturn(command, now));
  }

  async claimOperation(companyId: number, id: number): Promise<ClaimOperationAnswer> {
    return this.#commit(companyId, (now) => this.#parts.operations.claim(id, now));
  }

  async recordOperation(
    companyId: number,
    id: number,
    report: OperationReport,
    reply: KeyedRequest | null,
  ): Promise<RecordOperationAnswer> {
    const answer = this.#commit(companyId, (now) =>
      this.#parts.operations.record(id, report, reply, now),
    );
    if (answer.kind === "contradiction") {
      log("error", "operation_contradiction", { companyId, operation: id, report: report.kind });
    }
    await this.#upkeep.drainBriefly();
    return answer;
  }

  /** The number of the operation that a provider knows by this id. */
  async findOperation(operationId: string): Promise<number | null> {
    return this.#parts.stores.operations.findByOperationId(operationId)?.id ?? null;
  }

  async decidePayout(
    companyId: number,
    id: number,
    report: PayoutReport,
  ): Promise<DecidePayoutAnswer> {
    const answer = this.#commit(companyId, (now) => this.#parts.withdraws.decide(id, report, now));
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async decideOperation(
    companyId: number,
    id: number,
    report: OperationReport,
  ): Promise<DecideOperationAnswer> {
    const answer = this.#commit(companyId, (now) => this.#parts.operations.decide(id, report, now));
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async suspendedPayment(paymentId: string): Promise<SuspendedPayment | null> {
    return this.#parts.operations.suspendedPayment(paymentId);
  }

  async suspendedPayments(after: string, limit: number): Promise<SuspendedPayment[]> {
    return this.#parts.operations.suspendedPayments(after, limit);
  }

  // Withdraws: read here by their owner, so a caller need not wait for the copy in D1.

  async requestWithdraw(command: RequestWithdraw): Promise<RequestWithdrawAnswer> {
    const answer = await this.#shared.join(() =>
      this.#asPresent(command, (now) => this.#parts.withdraws.request(command, now)),
    );
    if (answer.kind === "accepted" && !command.sandbox) {
      this.ctx.waitUntil(this.#upkeep.payoutHints.accepted(answer.withdraw.id));
    }
    return answer;
  }

  async previewWithdraw(command: RequestWithdraw): Promise<WithdrawPreviewAnswer> {
    this.#dueReleases.run();
    const stale = this.#parts.credentials.refusal(command);
    if (stale !== null) return stale;
    return { kind: "preview", preview: this.#parts.withdraws.preview(command, this.clock.now()) };
  }

  async cancelWithdraw(
    companyId: number,
    id: number,
    key: string | null,
  ): Promise<CancelWithdrawAnswer> {
    const answer = this.#commit(companyId, (now) => this.#parts.withdraws.cancel(id, key, now));
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async findWithdraw(id: number): Promise<WithdrawRecord | null> {
    return this.#parts.stores.withdraws.find(id);
  }

  async findPayout(payoutId: string): Promise<WithdrawRecord | null> {
    return this.#parts.stores.withdraws.ofPayout(payoutId);
  }

  async listWithdraws(page: PageWindow): Promise<WithdrawPage> {
    const totalItems = this.#parts.stores.withdraws.count();
    const { first, last } = pageRange(page, totalItems);
    const items = this.#parts.stores.withdraws.range(first, last);
    return { items: page.newestFirst ? items.toReversed() : items, totalItems };
  }

  async claimPayout(companyId: number, id: number): Promise<ClaimPayoutAnswer> {
    const answer = this.#commit(companyId, (now) => this.#parts.withdraws.claim(id, now));
    if (answer.kind === "send") this.ctx.waitUntil(this.#upkeep.drain());
    return answer;
  }

  async recordPayout(
    companyId: number,
    id: number,
    report: PayoutReport,
  ): Promise<RecordPayoutAnswer> {
    const answer = this.#commit(companyId, (now) => this.#parts.withdraws.record(id, report, now));
    if (answer.kind === "contradiction") {
      log("error", "payout_contradiction", { companyId, withdrawId: id, report: report.kind });
    }
    await this.#upkeep.drainBriefly();
    return answer;
  }

  // Balance and upkeep

  async balances(): Promise<{ balances: Balances; head: LedgerHead }> {
    this.#dueReleases.run();
    return {
      balances: this.#parts.releases.balances(),
      head: this.#parts.stores.ledger.head(),
    };
  }

  async forecast(): Promise<ForecastDay[]> {
    this.#dueReleases.run();
    return this.#parts.stores.releases.forecast();
  }

  async statement(query: StatementQuery): Promise<StatementLine[]> {
    this.#dueReleases.run();
    return this.#parts.stores.ledger.statement(query);
  }

  async isFrozen(): Promise<boolean> {
    return this.#parts.releases.balances().frozen;
  }

  /** A frozen company's withdraws are refused, and those accepted are not sent until it thaws. */
  async setFrozen(companyId: number, frozen: boolean): Promise<void> {
    this.#commit(companyId, () => this.#parts.stores.meta.set("frozen", frozen ? 1 : 0));
  }

  /**
   * One bounded step of the audit. A ledger that does not add up freezes the company's withdraws:
   * its charges go on, for money that comes is money.
   */
  async auditLedger(companyId: number, walk: AuditWalk, fromStart: boolean): Promise<AuditStep> {
    // No credits are released before: whatever keeps them from it is for the audit to find.
    const step = this.#upkeep.commit(() => {
      adopt(this.#parts.stores.meta, companyId);
      return auditStep(this.#parts, walk, fromStart);
    });
    if (step.violations.length > 0) {
      log("error", "ledger_violated", { companyId, violations: step.violations.join("; ") });
    }
    return step;
  }

  async originals(query: CopyQuery): Promise<Originals> {
    return originalsOf(this.#parts, query);
  }

  async inspect(query: InspectQuery): Promise<Rows> {
    return inspect(this.ctx.storage.sql, query);
  }

  async leaveProvider(command: Credentialed): Promise<LeaveProviderAnswer> {
    // No credits are released before: D1 would be owed them, and that is something open.
    return this.#upkeep.commit(() => {
      adopt(this.#parts.stores.meta, command.companyId);
      return this.#parts.credentials.leaveProvider(command, isAnythingOpen(this.#parts));
    });
  }

  async history(transactionId: string, limit: number): Promise<ChargeHistory> {
    this.#dueReleases.run();
    return historyOf(this.#parts, transactionId, limit);
  }

  // Webhooks

  async announceTest(command: AnnounceTest): Promise<number> {
    const companySequence = this.#commit(command.companyId, (now) =>
      this.#parts.webhookTests.announce(command, now),
    );
    await this.#upkeep.drainBriefly();
    return companySequence;
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
    this.#dueReleases.run();
    await this.#upkeep.knock();
  }

  /** Never throws: the platform gives an alarm that keeps throwing up. */
  override async alarm(): Promise<void> {
    this.#upkeep.alarmFired();
    this.#dueReleases.run();
    await this.#upkeep.knock();
  }

  /** A commit of what was asked for with the present credentials. */
  #asPresent<Answer>(
    command: Credentialed,
    change: (nowMs: number) => Answer,
  ): Answer | StaleAnswer {
    return this.#commit(
      command.companyId,
      (now) => this.#parts.credentials.refusal(command) ?? change(now),
    );
  }

  #commit<Answer>(companyId: number, change: (nowMs: number) => Answer): Answer {
    this.#dueReleases.run();
    return this.#upkeep.commit((now) => {
      adopt(this.#parts.stores.meta, companyId);
      return change(now);
    });
  }
}
