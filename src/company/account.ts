import { DurableObject } from "cloudflare:workers";
import { recordsOf } from "../db/records.ts";
import type { Balances } from "../domain/balance.ts";
import { systemClock, systemRandom, type Clock } from "../domain/clock.ts";
import { pageRange, type PageWindow } from "../domain/page.ts";
import type { StatementLine, StatementQuery } from "../domain/statement.ts";
import type { WithdrawRecord } from "../domain/withdraw.ts";
import type { Env } from "../env.ts";
import { assert } from "../lib/assert.ts";
import { errorFields, log } from "../lib/log.ts";
import { withTimeLimit } from "../lib/time-limit.ts";
import { computeNextAlarm } from "./alarm.ts";
import { ChargeFlow } from "./charge-flow.ts";
import { ChargeStore } from "./charge-store.ts";
import type {
  CancelWithdrawAnswer,
  ClaimPayoutAnswer,
  CompanyRpc,
  MoveCharge,
  MoveChargeAnswer,
  PayoutReport,
  RecordPayoutAnswer,
  RequestWithdraw,
  RequestWithdrawAnswer,
  SelfCheck,
  SettlePayment,
  SettlePaymentAnswer,
  WithdrawPage,
  WithdrawPreview,
} from "./commands.ts";
import { drainOutbox } from "./drain.ts";
import { queueHints } from "./hints.ts";
import { LedgerStore } from "./ledger-store.ts";
import { MetaStore } from "./meta-store.ts";
import { migrateCompany } from "./migrations.ts";
import { OutboxStore } from "./outbox-store.ts";
import type { Hints, Records } from "./records.ts";
import { selfCheck } from "./self-check.ts";
import { PAYOUT_HINT_AGAIN_MS, WithdrawFlow } from "./withdraw-flow.ts";
import { WithdrawStore } from "./withdraw-store.ts";

/** Payouts hinted in one go; the rest follow at the next alarm. */
const PAYOUT_HINTS_MAX = 100;
/** How long a request waits for D1 to have its change before the alarm takes over. */
const DRAIN_WAIT_MS = 3_000;
/** A step that hangs is given up, so that the next drain can try; it may be repeated. */
const DRAIN_STEP_MAX_MS = 20_000;

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
  readonly #outbox: OutboxStore;
  readonly #withdrawStore: WithdrawStore;
  readonly #charges: ChargeFlow;
  readonly #withdraws: WithdrawFlow;
  /** What the alarm is set to as far as this instance knows; undefined where it does not. */
  #alarmAt: number | null | undefined;
  #draining: Promise<void> | null = null;
  /** A commit came while a drain was under way, which may already have seen the outbox empty. */
  #drainAgain = false;
  /** Alarm and cron try at once; a request leaves a D1 that is down to its backoff. */
  #knocked = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateCompany(ctx.storage);
    const { sql } = ctx.storage;
    this.#sql = sql;
    this.records = recordsOf(env);
    this.hints = queueHints(env);
    this.#meta = new MetaStore(sql);
    this.#ledger = new LedgerStore(sql);
    this.#outbox = new OutboxStore(sql);
    this.#withdrawStore = new WithdrawStore(sql, () => this.#companyId());
    const stores = { ledger: this.#ledger, meta: this.#meta, outbox: this.#outbox };
    this.#charges = new ChargeFlow({ ...stores, charges: new ChargeStore(sql) });
    this.#withdraws = new WithdrawFlow({
      ...stores,
      withdraws: this.#withdrawStore,
      random: systemRandom,
    });
  }

  // Charges

  async settlePayment(command: SettlePayment): Promise<SettlePaymentAnswer> {
    const answer = this.#commit(command.companyId, (now) => this.#charges.settle(command, now));
    await this.#drainBriefly();
    return answer;
  }

  async endCharge(command: MoveCharge): Promise<MoveChargeAnswer> {
    const answer = this.#commit(command.companyId, (now) => this.#charges.end(command, now));
    await this.#drainBriefly();
    return answer;
  }

  // Withdraws: read here by their owner, so a caller need not wait for the copy in D1.

  async requestWithdraw(command: RequestWithdraw): Promise<RequestWithdrawAnswer> {
    const answer = this.#commit(command.companyId, (now) => this.#withdraws.request(command, now));
    if (answer.kind === "accepted") this.ctx.waitUntil(this.#drain());
    return answer;
  }

  async previewWithdraw(command: RequestWithdraw): Promise<WithdrawPreview> {
    return this.#withdraws.preview(command, this.clock.now());
  }

  async cancelWithdraw(
    companyId: number,
    id: number,
    key: string | null,
  ): Promise<CancelWithdrawAnswer> {
    const answer = this.#commit(companyId, (now) => this.#withdraws.cancel(id, key, now));
    await this.#drainBriefly();
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
    if (answer.kind === "send") this.ctx.waitUntil(this.#drain());
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
    await this.#drainBriefly();
    return answer;
  }

  // Balance and upkeep

  async balances(currency: string): Promise<Balances> {
    const { available, awaiting, blocked } = this.#ledger.balances(currency);
    return { available, awaiting, blocked, frozen: this.#meta.get("frozen") === 1 };
  }

  async statement(query: StatementQuery): Promise<StatementLine[]> {
    return this.#ledger.statement(query);
  }

  async selfCheck(): Promise<SelfCheck> {
    return {
      violations: selfCheck({
        sql: this.#sql,
        ledger: this.#ledger,
        withdraws: this.#withdrawStore,
        meta: this.#meta,
      }),
    };
  }

  /** The cron's knock: whatever is overdue is done, whether or not the alarm still lives. */
  async tick(): Promise<void> {
    this.#knocked = true;
    await this.#drain();
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = undefined;
    this.#knocked = true;
    await this.#drain();
  }

  /** One change of money or state: everything `change` writes and the alarm, or nothing. */
  #commit<Answer>(companyId: number, change: (nowMs: number) => Answer): Answer {
    try {
      return this.ctx.storage.transactionSync(() => {
        this.#adopt(companyId);
        const now = this.clock.now();
        const answer = change(now);
        this.#armAlarm(now);
        return answer;
      });
    } catch (error) {
      // The rollback took the alarm along with the rows.
      this.#alarmAt = undefined;
      throw error;
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

  /** Waits for the drain so that the caller reads its own write, but not for a D1 that is away. */
  async #drainBriefly(): Promise<void> {
    await withTimeLimit(this.#drain(), DRAIN_WAIT_MS).catch(() => undefined);
  }

  /** One drain at a time; it never throws, and always leaves an alarm where something is owed. */
  #drain(): Promise<void> {
    this.#drainAgain = true;
    this.#draining ??= this.#drainUntilQuiet().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  async #drainUntilQuiet(): Promise<void> {
    while (this.#drainAgain) {
      this.#drainAgain = false;
      await this.#drainOnce();
    }
  }

  async #drainOnce(): Promise<void> {
    try {
      await this.#drainOutbox();
      await this.#hintPayouts();
    } catch (error) {
      log("error", "drain_failed", {
        ...errorFields(error),
        companyId: this.#meta.get("company_id"),
      });
    } finally {
      this.ctx.storage.transactionSync(() => this.#armAlarm(this.clock.now()));
    }
  }

  async #drainOutbox(): Promise<void> {
    const knocked = this.#knocked;
    this.#knocked = false;
    if (!knocked && this.#outbox.isBackingOff(this.clock.now())) return;
    await drainOutbox({
      oldest: (limit) => this.#outbox.oldest(limit),
      apply: (entries) =>
        withTimeLimit(
          this.records.apply(
            this.#companyId(),
            entries.map((stored) => stored.entry),
            this.clock.now(),
          ),
          DRAIN_STEP_MAX_MS,
        ),
      hint: (deliveryIds) => withTimeLimit(this.hints.deliveries(deliveryIds), DRAIN_STEP_MAX_MS),
      remove: (ids) => this.ctx.storage.transactionSync(() => this.#outbox.remove(ids)),
      postpone: (ids, dueAt) =>
        this.ctx.storage.transactionSync(() => this.#outbox.postpone(ids, dueAt)),
      now: () => this.clock.now(),
      onFailure: (error, entries) =>
        log("warn", "outbox_postponed", {
          ...errorFields(error),
          companyId: this.#companyId(),
          entries: entries.length,
        }),
    });
  }

  async #hintPayouts(): Promise<void> {
    const now = this.clock.now();
    const due = this.#withdrawStore.due(now, PAYOUT_HINTS_MAX);
    if (due.length === 0) return;
    // Deferred first: a hint that fails is given again then, not every second.
    this.ctx.storage.transactionSync(() =>
      this.#withdrawStore.defer(due, now + PAYOUT_HINT_AGAIN_MS),
    );
    await withTimeLimit(this.hints.payouts(this.#companyId(), due), DRAIN_STEP_MAX_MS);
  }

  #armAlarm(nowMs: number): void {
    const next = computeNextAlarm(nowMs, [
      this.#outbox.nextDueAt(),
      this.#withdrawStore.nextDueAt(),
    ]);
    if (next === this.#alarmAt) return;
    this.#alarmAt = next;
    if (next === null) void this.ctx.storage.deleteAlarm();
    else void this.ctx.storage.setAlarm(next);
  }
}
