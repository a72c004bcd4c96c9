import type { Clock } from "../../domain/shared/clock.ts";
import { hasFault, heldUntil, type SandboxFault } from "../../domain/time/sandbox-fault.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { PayoutOrder } from "../../domain/withdraws/withdraw.ts";
import type { DueDates } from "../due-dates.ts";
import type { MandateProvider } from "../mandate-provider.ts";
import type {
  CancelOutcome,
  CaptureOutcome,
  ChargeOutcome,
  ExtendOutcome,
  PaymentReport,
  PayoutLookup,
  PayoutOutcome,
  RefundLookup,
  RefundOrder,
  RefundOutcome,
} from "../provider.ts";
import type { ChargeOrder, ChargeReport, ProviderPayment } from "../charge.ts";
import { SandboxProvider, type SandboxParts } from "./provider.ts";

const TIME_HEX_DIGITS = 12;
const UNKNOWN = { kind: "unknown" } as const;
const PROCESSING = { kind: "processing" } as const;

/**
 * The sandbox's bank with the faults of a company. Whatever it is asked for it does, once: only its answers and reports
 * are missing, late or doubled.
 */
export class FaultyBank extends SandboxProvider {
  readonly #faults: readonly SandboxFault[];
  readonly #clock: Clock;

  constructor({ faults, ...parts }: SandboxParts & { faults: readonly SandboxFault[] }) {
    super(parts);
    this.#faults = faults;
    this.#clock = parts.clock;
  }

  /** It does what it is told, but while it is silent nobody hears of it. */
  override get mandates(): MandateProvider | null {
    const bank = super.mandates;
    return bank === null || !this.#isSilent() ? bank : silenced(bank);
  }

  override async createCharge(order: ChargeOrder): Promise<ChargeOutcome> {
    const outcome = await super.createCharge(order);
    return this.#isUnanswered(timeOf(order.chargeId)) ? UNKNOWN : outcome;
  }

  override async findCharge(chargeId: string): Promise<ChargeReport> {
    if (this.#isUnanswered(timeOf(chargeId))) return UNKNOWN;
    const report = await super.findCharge(chargeId);
    if (report.kind !== "known") return report;
    const payments = this.#reported(report.payments.filter((payment) => !this.#isLate(payment)));
    return { ...report, payments, disputes: this.#reported(report.disputes) };
  }

  override async findPayment(paymentId: string): Promise<PaymentReport> {
    if (this.#isSilent()) return UNKNOWN;
    const report = await super.findPayment(paymentId);
    if (report.kind !== "known") return report;
    if (this.#isLate(report.payment)) return { kind: "not_found" };
    const disputes = this.#reported(report.payment.disputes);
    return { ...report, payment: { ...report.payment, disputes } };
  }

  override async cancelCharge(chargeId: string): Promise<CancelOutcome> {
    return this.#unlessSilent(await super.cancelCharge(chargeId));
  }

  override async extendCharge(chargeId: string, expiresAt: number): Promise<ExtendOutcome> {
    return this.#unlessSilent(await super.extendCharge(chargeId, expiresAt));
  }

  override get dueDates(): DueDates {
    const bank = super.dueDates;
    return {
      find: async (order) => this.#unlessSilent(await bank.find(order)),
      change: async (order) => this.#unlessSilent(await bank.change(order)),
    };
  }

  override async captureCharge(chargeId: string, amount: Cents): Promise<CaptureOutcome> {
    return this.#unlessSilent(await super.captureCharge(chargeId, amount));
  }

  override async sendRefund(order: RefundOrder): Promise<RefundOutcome> {
    const outcome = await super.sendRefund(order);
    return this.#answer(outcome, await this.refundOrderedAt(order.refundId));
  }

  override async findRefund(order: RefundOrder): Promise<RefundLookup> {
    const outcome = await super.findRefund(order);
    return this.#answer(outcome, await this.refundOrderedAt(order.refundId));
  }

  override async sendPayout(order: PayoutOrder): Promise<PayoutOutcome> {
    const outcome = await super.sendPayout(order);
    return this.#answer(outcome, await this.payoutOrderedAt(order.payoutId));
  }

  override async findPayout(payoutId: string): Promise<PayoutLookup> {
    const outcome = await super.findPayout(payoutId);
    return this.#answer(outcome, await this.payoutOrderedAt(payoutId));
  }

  #isSilent(): boolean {
    return hasFault(this.#faults, "bank_silent", this.#clock.now());
  }

  #isSlow(orderedAt: number): boolean {
    return heldUntil(this.#faults, "bank_slow", orderedAt) > this.#clock.now();
  }

  /** Nobody waits for the answer of a slow bank. */
  #isUnanswered(orderedAt: number): boolean {
    return this.#isSilent() || this.#isSlow(orderedAt);
  }

  /** A card's payment is the answer to its order, and no report. */
  #isLate({ method, paidAt }: ProviderPayment): boolean {
    const now = this.#clock.now();
    return method !== "CREDIT_CARD" && heldUntil(this.#faults, "bank_late", paidAt) > now;
  }

  #unlessSilent<Outcome>(outcome: Outcome): Outcome | typeof UNKNOWN {
    return this.#isSilent() ? UNKNOWN : outcome;
  }

  /** `orderedAt`: null for an order that it has not. */
  #answer<Outcome>(outcome: Outcome, orderedAt: number | null) {
    if (this.#isSilent()) return UNKNOWN;
    return orderedAt !== null && this.#isSlow(orderedAt) ? PROCESSING : outcome;
  }

  #reported<Record>(records: Record[]): Record[] {
    const isDoubled = hasFault(this.#faults, "bank_doubled", this.#clock.now());
    return isDoubled ? [...records, ...records] : records;
  }
}

async function unheard(call: Promise<unknown>): Promise<typeof UNKNOWN> {
  await call;
  return UNKNOWN;
}

/** A bank that does all it is asked, and answers nothing. */
function silenced(bank: MandateProvider): MandateProvider {
  return {
    idempotentMandates: bank.idempotentMandates,
    createMandate: (order) => unheard(bank.createMandate(order)),
    findMandate: (id) => unheard(bank.findMandate(id)),
    findMandateByContract: (order, since) => unheard(bank.findMandateByContract(order, since)),
    cancelMandate: (id) => unheard(bank.cancelMandate(id)),
    requestApproval: (id, request) => unheard(bank.requestApproval(id, request)),
    scheduleDebit: (order) => unheard(bank.scheduleDebit(order)),
    retryDebit: (id, day) => unheard(bank.retryDebit(id, day)),
    cancelDebit: (id) => unheard(bank.cancelDebit(id)),
    findDebit: (id) => unheard(bank.findDebit(id)),
    listMandates: (window, page) => unheard(bank.listMandates(window, page)),
    listDebits: (window, page) => unheard(bank.listDebits(window, page)),
  };
}

/** When a charge was ordered: its id says it (`domain/shared/ids.ts`). */
function timeOf(chargeId: string): number {
  return Number.parseInt(chargeId.replaceAll("-", "").slice(0, TIME_HEX_DIGITS), 16);
}
