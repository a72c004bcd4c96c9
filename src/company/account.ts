import { DurableObject } from "cloudflare:workers";
import { recordsOf } from "../db/records.ts";
import type { Balances, LedgerHead } from "../domain/balance.ts";
import { systemClock, systemRandom, type Clock } from "../domain/clock.ts";
import { CURRENCY } from "../domain/money.ts";
import { pageRange, type PageWindow } from "../domain/page.ts";
import type { ForecastDay } from "../domain/release.ts";
import type { StatementLine, StatementQuery } from "../domain/statement.ts";
import type { WithdrawRecord } from "../domain/withdraw.ts";
import type { Env } from "../env.ts";
import { assert } from "../lib/assert.ts";
import { errorFields, log } from "../lib/log.ts";
import { Audit, type AuditStep } from "./audit.ts";
import { ChargeFlow } from "./charge-flow.ts";
import { ChargeMoves } from "./charge-moves.ts";
import { ChargeStore } from "./charge-store.ts";
import type {
  CancelWithdrawAnswer,
  ClaimOperationAnswer,
  ClaimPayoutAnswer,
  CompanyRpc,
  CopyQuery,
  KeyedRequest,
  MoveCharge,
  MoveChargeAnswer,
  OperationReport,
  Originals,
  PayoutReport,
  RecordDispute,
  RecordDisputeAnswer,
  RecordOperationAnswer,
  RecordPayoutAnswer,
  RequestCancel,
  RequestOperationAnswer,
  RequestRefund,
  RequestReturn,
  RequestWithdraw,
  RequestWithdrawAnswer,
  SelfCheck,
  SettlePayment,
  SettlePaymentAnswer,
  SuspendedPayment,
  WithdrawPage,
  WithdrawPreview,
} from "./commands.ts";
import { DisputeFlow } from "./dispute-flow.ts";
import { DisputeStore } from "./dispute-store.ts";
import { Funds } from "./funds.ts";
import { queueHints } from "./hints.ts";
import { IdempotencyStore } from "./idempotency-store.ts";
import { LedgerStore } from "./ledger-store.ts";
import { MetaStore } from "./meta-store.ts";
import { migrateCompany } from "./migrations.ts";
import { OperationFlow } from "./operation-flow.ts";
import { OperationStore } from "./operation-store.ts";
import { OutboxStore } from "./outbox-store.ts";
import type { Hints, Records } from "./records.ts";
import { ReleaseFlow } from "./release-flow.ts";
import { ReleaseStore } from "./release-store.ts";
import { selfCheck } from "./self-check.ts";
import { Upkeep } from "./upkeep.ts";
import { toRecord, WithdrawFlow } from "./withdraw-flow.ts";
import { WithdrawStore } from "./withdraw-store.ts";

/** Commits of one call that release credits, 100 each: what is beyond waits for the alarm. */
const RELEASE_COMMITS_MAX = 100;
/** Violations that mean that the balances themselves cannot be trusted. */
const MONEY_INVARIANTS = /^I[123] /;

/**
 * One company's money: ledger, withdraws, charge states, event numbers. It decides; it never calls
 * a provider and never reads D1 to decide. This class is the table of contents and the composition
 * root; the rules stand in the flows.
 */
export class CompanyAccount extends DurableObject<Env> implements CompanyRpc {
  /** Replaceable, so that tests can turn the clock and cut the way to D1 and the queues. */
  clock: Clock = systemClock;
  records: Records;
  hints: Hints;

  readonly #sql: SqlStorage;
  readonly #meta: MetaStore;
  readonly #ledger: LedgerStore;
  readonly #chargeStore: ChargeStore;
  readonly #operationStore: OperationStore;
  readonly #disputeStore: DisputeStore;
  readonly #releaseStore: ReleaseStore;
  readonly #withdrawStore: WithdrawStore;
  readonly #charges: ChargeFlow;
  readonly #operations: OperationFlow;
  readonly #disputes: DisputeFlow;
  readonly #releases: ReleaseFlow;
  readonly #withdraws: WithdrawFlow;
  readonly #upkeep: Upkeep;
  readonly #audit: Audit;
  readonly #moves: ChargeMoves;
  readonly #outbox: OutboxStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateCompany(ctx.storage);
    const { sql } = ctx.storage;
    this.#sql = sql;
    this.records = recordsOf(env);
    this.hints = queueHints(env);

    const meta = (this.#meta = new MetaStore(sql));
    const ledger = (this.#ledger = new LedgerStore(sql));
    const charges = (this.#chargeStore = new ChargeStore(sql));
    const operations = (this.#operationStore = new OperationStore(sql));
    const disputes = (this.#disputeStore = new DisputeStore(sql));
    const releases = (this.#releaseStore = new ReleaseStore(sql));
    const withdraws = (this.#withdrawStore = new WithdrawStore(sql, () => this.#companyId()));
    const outbox = (this.#outbox = new OutboxStore(sql));
    const keys = new IdempotencyStore(sql);

    const moves = (this.#moves = new ChargeMoves({ charges, operations, disputes, meta, outbox }));
    const funds = new Funds({ ledger, releases });
    this.#releases = new ReleaseFlow({ releases, ledger, meta, outbox });
    this.#charges = new ChargeFlow({ charges, moves, ledger, releases });
    this.#operations = new OperationFlow({ operations, charges, moves, funds, ledger, keys });
    this.#disputes = new DisputeFlow({
      charges,
      disputes,
      moves,
      funds,
      releases: this.#releases,
    });
    this.#withdraws = new WithdrawFlow({
      withdraws,
      ledger,
      meta,
      outbox,
      keys,
      random: systemRandom,
    });
    this.#audit = new Audit({ sql, ledger, withdraws, operations, disputes });
    this.#upkeep = new Upkeep({
      storage: ctx.storage,
      clock: () => this.clock,
      records: () => this.records,
      hints: () => this.hints,
      companyId: () => meta.get("company_id"),
      outbox,
      payouts: withdraws.owed,
      operations: operations.owed,
      releases,
    });
  }

  // Charges

  async settlePayment(command: SettlePayment): Promise<SettlePaymentAnswer> {
    const answer = this.#commit(command.companyId, (now) => this.#charges.settle(command, now));
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async endCharge(command: MoveCharge): Promise<MoveChargeAnswer> {
    const answer = this.#commit(command.companyId, (now) => this.#charges.end(command, now));
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async recordDispute(command: RecordDispute): Promise<RecordDisputeAnswer> {
    const answer = this.#commit(command.companyId, (now) => this.#disputes.record(command, now));
    const { companyId, report } = command;
    if (answer.kind === "contradiction" || answer.kind === "not_allowed") {
      log("error", "dispute_contradiction", { companyId, disputeId: report.id, ...answer });
    }
    await this.#upkeep.drainBriefly();
    return answer;
  }

  // Refunds, cancels and returns

  async requestRefund(command: RequestRefund): Promise<RequestOperationAnswer> {
    return this.#commit(command.companyId, (now) => this.#operations.requestRefund(command, now));
  }

  async requestCancel(command: RequestCancel): Promise<RequestOperationAnswer> {
    return this.#commit(command.companyId, (now) => this.#operations.requestCancel(command, now));
  }

  async requestReturn(command: RequestReturn): Promise<RequestOperationAnswer> {
    return this.#commit(command.companyId, (now) => this.#operations.requestReturn(command, now));
  }

  async claimOperation(companyId: number, id: number): Promise<ClaimOperationAnswer> {
    return this.#commit(companyId, (now) => this.#operations.claim(id, now));
  }

  async recordOperation(
    companyId: number,
    id: number,
    report: OperationReport,
    reply: KeyedRequest | null,
  ): Promise<RecordOperationAnswer> {
    const answer = this.#commit(companyId, (now) =>
      this.#operations.record(id, report, reply, now),
    );
    if (answer.kind === "contradiction") {
      log("error", "operation_contradiction", { companyId, operation: id, report: report.kind });
    }
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async suspendedPayment(endToEndId: string): Promise<SuspendedPayment | null> {
    return this.#operations.suspendedPayment(endToEndId);
  }

  async suspendedPayments(after: string, limit: number): Promise<SuspendedPayment[]> {
    return this.#operations.suspendedPayments(after, limit);
  }

  // Withdraws: read here by their owner, so a caller need not wait for the copy in D1.

  async requestWithdraw(command: RequestWithdraw): Promise<RequestWithdrawAnswer> {
    const answer = this.#commit(command.companyId, (now) => this.#withdraws.request(command, now));
    if (answer.kind === "accepted") this.ctx.waitUntil(this.#upkeep.drain());
    return answer;
  }

  async previewWithdraw(command: RequestWithdraw): Promise<WithdrawPreview> {
    this.#releaseDue();
    return this.#withdraws.preview(command, this.clock.now());
  }

  async cancelWithdraw(
    companyId: number,
    id: number,
    key: string | null,
  ): Promise<CancelWithdrawAnswer> {
    const answer = this.#commit(companyId, (now) => this.#withdraws.cancel(id, key, now));
    await this.#upkeep.drainBriefly();
    return answer;
  }

  async findWithdraw(id: number): Promise<WithdrawRecord | null> {
    return this.#withdrawStore.find(id);
  }

  async listWithdraws(page: PageWindow): Promise<WithdrawPage> {
    const totalItems = this.#withdrawStore.count();
    const { first, last } = pageRange(page, totalItems);
    const items = this.#withdrawStore.range(first, last);
    return { items: page.newestFirst ? items.toReversed() : items, totalItems };
  }

  async claimPayout(companyId: number, id: number): Promise<ClaimPayoutAnswer> {
    const answer = this.#commit(companyId, (now) => this.#withdraws.claim(id, now));
    if (answer.kind === "send") this.ctx.waitUntil(this.#upkeep.drain());
    return answer;
  }

  async recordPayout(
    companyId: number,
    id: number,
    report: PayoutReport,
  ): Promise<RecordPayoutAnswer> {
    const answer = this.#commit(companyId, (now) => this.#withdraws.record(id, report, now));
    if (answer.kind === "contradiction") {
      log("error", "payout_contradiction", { companyId, withdrawId: id, report: report.kind });
    }
    await this.#upkeep.drainBriefly();
    return answer;
  }

  // Balance and upkeep

  async balances(currency: string): Promise<{ balances: Balances; head: LedgerHead }> {
    this.#releaseDue();
    return { balances: this.#releases.balances(currency), head: this.#ledger.head() };
  }

  async forecast(): Promise<ForecastDay[]> {
    this.#releaseDue();
    return this.#releaseStore.forecast();
  }

  async statement(query: StatementQuery): Promise<StatementLine[]> {
    this.#releaseDue();
    return this.#ledger.statement(query);
  }

  async isFrozen(): Promise<boolean> {
    return this.#releases.balances(CURRENCY).frozen;
  }

  /** A frozen company's withdraws are refused, and those accepted are not sent until it thaws. */
  async setFrozen(companyId: number, frozen: boolean): Promise<void> {
    this.#commit(companyId, (now) => {
      this.#meta.set("frozen", frozen ? 1 : 0);
      if (!frozen) this.#withdrawStore.releaseHeld(now);
    });
  }

  async selfCheck(): Promise<SelfCheck> {
    return {
      violations: selfCheck({
        sql: this.#sql,
        ledger: this.#ledger,
        withdraws: this.#withdrawStore,
        operations: this.#operationStore,
        disputes: this.#disputeStore,
        meta: this.#meta,
      }),
    };
  }

  /**
   * One bounded step of the audit. A ledger that does not add up freezes the company's withdraws:
   * its charges go on, for money that comes is money.
   */
  async auditLedger(companyId: number, fromStart: boolean): Promise<AuditStep> {
    const step = this.#commit(companyId, () => {
      const found = this.#audit.step(fromStart);
      const broken = found.violations.some((violation) => MONEY_INVARIANTS.test(violation));
      if (broken) this.#meta.set("frozen", 1);
      return found;
    });
    if (step.violations.length > 0) {
      log("error", "ledger_violated", { companyId, violations: step.violations.join("; ") });
    }
    return step;
  }

  async originals(query: CopyQuery): Promise<Originals> {
    const byId = "transactionIds" in query;
    const charges = byId
      ? query.transactionIds.flatMap((id) => this.#chargeStore.known(id) ?? [])
      : this.#chargeStore.after(query.afterTransaction, query.limit);
    const withdraws = byId
      ? query.withdrawIds.flatMap((id) => this.#withdrawStore.find(id) ?? [])
      : this.#withdrawStore.range(query.afterWithdraw + 1, query.afterWithdraw + query.limit);
    return {
      charges: charges.map((charge) => ({
        transactionId: charge.transactionId,
        state: this.#moves.stateOf(charge),
      })),
      withdraws: withdraws.map(toRecord),
      companySequence: this.#meta.get("company_sequence") ?? 0,
      undrained: this.#outbox.nextDueAt() !== null,
    };
  }

  /** The cron's knock: whatever is overdue is done, whether or not the alarm still lives. */
  async tick(): Promise<void> {
    this.#releaseDue();
    await this.#upkeep.knock();
  }

  /** Never throws: the platform gives an alarm that keeps throwing up. */
  override async alarm(): Promise<void> {
    this.#upkeep.alarmFired();
    try {
      this.#releaseDue();
    } catch (error) {
      log("error", "release_failed", { ...errorFields(error), companyId: this.#companyId() });
    }
    await this.#upkeep.knock();
  }

  #commit<Answer>(companyId: number, change: (nowMs: number) => Answer): Answer {
    this.#releaseDue();
    return this.#upkeep.commit((now) => {
      this.#adopt(companyId);
      return change(now);
    });
  }

  /** Whoever decides about money or shows it does so with all credits whose time has come. */
  #releaseDue(): void {
    for (let commits = 0; commits < RELEASE_COMMITS_MAX; commits++) {
      const dueAt = this.#releaseStore.nextDueAt();
      if (dueAt === null || dueAt > this.clock.now()) return;
      this.#upkeep.commit((now) => this.#releases.run(now));
      this.ctx.waitUntil(this.#upkeep.drain());
    }
  }

  #adopt(companyId: number): void {
    const known = this.#meta.get("company_id");
    if (known === null) this.#meta.set("company_id", companyId);
    assert(known === null || known === companyId, "an object serves one company");
  }

  #companyId(): number {
    const companyId = this.#meta.get("company_id");
    assert(companyId !== null, "the object has been told its company");
    return companyId;
  }
}
