import type { MandateEndReason } from "../../domain/subscriptions/debit-codes.ts";
import {
  cancelRefusal,
  debitDayOf,
  instructionRefusal,
} from "../../domain/subscriptions/debit-window.ts";
import type { ToldTerms } from "../../domain/subscriptions/mandate-terms.ts";
import {
  isAttemptOpen,
  type DebitAttempt,
  type PayerAccount,
} from "../../domain/subscriptions/subscription.ts";
import { endOfDay, saoPauloDay, startOfDay } from "../../domain/shared/business-day.ts";
import type { Clock, RandomSource } from "../../domain/shared/clock.ts";
import { encodeBrCode, MERCHANT_CITY } from "../../methods/pix/br-code.ts";
import type {
  ApprovalOutcome,
  DebitDetails,
  DebitListPage,
  DebitOrder,
  DebitOutcome,
  DebitReport,
  MandateCancelOutcome,
  MandateDetails,
  MandateListPage,
  MandateOrder,
  MandateOutcome,
  MandateProvider,
  MandateReport,
} from "../mandate-provider.ts";
import type { ChargeDetails, ProviderPayment } from "../charge.ts";
import { decisionOf, NIGHT_RUN_MS } from "./attempt-decision.ts";
import { MandateIds, NO_BANK } from "./mandate-ids.ts";
import type {
  AttemptOutcome,
  SandboxDebit,
  SandboxMandate,
  SandboxMandateStore,
} from "./mandate-store.ts";

/** RFC 2606: leads nowhere, as a sandbox code must. */
const LOCATION_HOST = "pix.sandbox.example/v2/rec";
/** BACEN's codes of a closed account, and of what ends a mandate. */
const CLOSED = "AC05";
const END_CODES: Partial<Record<MandateEndReason, string>> = {
  PAYER_REFUSED: "AP14",
  PAYER_CANCELLED: "SLDB",
  RECEIVER_CANCELLED: "SLCR",
};
const HOUR_MS = 3_600_000;
/** How long after its due date a debit can be tried again. */
const RETRY_DAYS = 7;
const DAY_MS = 24 * HOUR_MS;

/** What of the bank's other books a debit touches. */
interface Money {
  /** The charge's money and state. */
  charge(chargeId: string): Promise<ChargeDetails>;
  /** Books a payment, once by its id. */
  addPayment(chargeId: string, payment: ProviderPayment): Promise<void>;
  /** The payer pays the charge of his approval. */
  pay(chargeId: string, amount: number): Promise<void>;
}

/**
 * The payer's bank of the sandbox, for automatic debits: it does what it is asked, by the company's clock. A debit is paid on
 * its day, unless a tester has chosen another outcome for its next attempt.
 */
export class SandboxMandates implements MandateProvider {
  readonly idempotentMandates = false;
  readonly #store: SandboxMandateStore;
  readonly #money: Money;
  readonly #clock: Clock;
  readonly #ids: MandateIds;

  constructor(parts: {
    store: SandboxMandateStore;
    money: Money;
    clock: Clock;
    random: RandomSource;
  }) {
    this.#store = parts.store;
    this.#money = parts.money;
    this.#clock = parts.clock;
    this.#ids = new MandateIds(parts.random);
  }

  async createMandate(order: MandateOrder): Promise<MandateOutcome> {
    const { subscriptionId: contract, schedule, amount, journey, allowsRetries } = order;
    const nowMs = this.#clock.now();
    const retries = allowsRetries ? "R" : "N";
    await this.#store.addMandate({
      mandateId: `R${retries}${this.#ids.after(nowMs)}`,
      contract,
      status: "created",
      terms: { ...schedule, amount, journey, allowsRetries },
      firstChargeId: order.firstChargeId,
      requestId: null,
      endReason: null,
      createdAt: nowMs,
    });
    const made = await this.#store.findMandate({ contract });
    return made === null
      ? { kind: "unknown" }
      : { kind: "created", mandate: this.#detailsOf(made) };
  }

  async findMandate(mandateId: string): Promise<MandateReport> {
    return this.#reportOf(await this.#store.findMandate({ mandateId }));
  }

  async findMandateByContract({
    subscriptionId,
  }: Pick<MandateOrder, "subscriptionId">): Promise<MandateReport> {
    return this.#reportOf(await this.#store.findMandate({ contract: subscriptionId }));
  }

  async cancelMandate(mandateId: string): Promise<MandateCancelOutcome> {
    return this.#end(mandateId, "RECEIVER_CANCELLED");
  }

  async requestApproval(
    mandateId: string,
    { account }: { account: PayerAccount },
  ): Promise<ApprovalOutcome> {
    const mandate = await this.#store.findMandate({ mandateId });
    if (mandate?.status !== "created")
      return { kind: "refused", message: "The mandate waits for no approval (sandbox)." };
    const requestId = mandate.requestId ?? `SC${this.#ids.after(this.#clock.now())}`;
    const terms = { ...mandate.terms, payerIspb: account.ispb };
    await this.#store.changeMandate(mandateId, { requestId, terms });
    return { kind: "requested", requestId };
  }

  async scheduleDebit(order: DebitOrder): Promise<DebitOutcome> {
    const { chargeId, mandateId, dueDate, amount } = order;
    if ((await this.#store.findDebit(chargeId)) === null) {
      const refusal = await this.#refusalOf(order);
      if (refusal !== null) return { kind: "refused", message: refusal };
      await this.#store.addDebit({
        chargeId,
        mandateId,
        dueDate,
        amount,
        status: "active",
        attempts: [this.#attempt(debitDayOf(dueDate, null), "due")],
        nextOutcome: null,
        version: 1,
      });
    }
    return accepted(await this.findDebit(chargeId));
  }

  async #refusalOf({ mandateId, dueDate }: DebitOrder): Promise<string | null> {
    const mandate = await this.#store.findMandate({ mandateId });
    if (mandate?.status !== "approved") return "The mandate is not approved (sandbox).";
    const others = await this.#store.debitsOf(mandateId);
    if (others.some((debit) => debit.dueDate === dueDate && mayBePaid(debit)))
      return "The cycle has a debit (sandbox).";
    return instructionRefusal(dueDate, null, this.#clock.now())?.detail ?? null;
  }

  async retryDebit(chargeId: string, day: string): Promise<DebitOutcome> {
    const debit = await this.#current(chargeId);
    if (debit === null) return { kind: "refused", message: "There is no such debit (sandbox)." };
    const isKnown = debit.attempts.some((attempt) => attempt.day === day);
    if (!isKnown) {
      const isPossible =
        debit.status === "active" &&
        !debit.attempts.some(isAttemptOpen) &&
        day > saoPauloDay(this.#clock.now());
      if (!isPossible) return { kind: "refused", message: "It cannot be tried then (sandbox)." };
      const attempts = [...debit.attempts, this.#attempt(day, "retry")];
      await this.#store.changeDebit(debit, { attempts });
    }
    return accepted(await this.findDebit(chargeId));
  }

  async cancelDebit(chargeId: string): Promise<MandateCancelOutcome> {
    const debit = await this.#current(chargeId);
    if (debit?.status === "cancelled") return { kind: "cancelled" };
    if (debit?.status !== "active" || cancelRefusal(debit.dueDate, this.#clock.now()) !== null)
      return { kind: "refused", message: "It cannot be cancelled any more (sandbox)." };
    await this.#cancel(debit);
    return { kind: "cancelled" };
  }

  async findDebit(chargeId: string): Promise<DebitReport> {
    const debit = await this.#current(chargeId);
    if (debit === null) return { kind: "not_found" };
    const { mandateId, dueDate, amount, attempts } = debit;
    const charge = await this.#money.charge(chargeId);
    const status = debit.status === "active" && this.#isExpired(debit) ? "expired" : debit.status;
    const end = await this.#endOf({ status, mandateId });
    const details: DebitDetails = {
      chargeId,
      mandateId,
      status,
      dueDate,
      amount,
      attempts,
      end,
      charge,
    };
    return { kind: "known", debit: details };
  }

  /** As a PSP tells it: the bank rejects what the closed account was to pay; the rest was cancelled, or ended with its mandate. */
  async #endOf({
    status,
    mandateId,
  }: Pick<DebitDetails, "status" | "mandateId">): Promise<DebitDetails["end"]> {
    if (status === "rejected")
      return { kind: status, by: "payer_bank", providerCode: CLOSED, message: null };
    if (status !== "cancelled") return null;
    const mandate = await this.#store.findMandate({ mandateId });
    return mandate?.status === "cancelled"
      ? { kind: status, by: "receiver_bank", providerCode: "CCLD", message: null }
      : { kind: status, by: "receiver", providerCode: "SLCR", message: null };
  }

  /** Each simulated event is read back at once, so no list is needed. */
  async listMandates(): Promise<MandateListPage> {
    return { kind: "unknown" };
  }

  async listDebits(): Promise<DebitListPage> {
    return { kind: "unknown" };
  }

  /** The payer approves, and pays with it what his code asks for. False where he cannot. */
  async approve(mandateId: string, firstPayment: number | null): Promise<boolean> {
    const mandate = await this.#store.findMandate({ mandateId });
    if (mandate === null || (mandate.status !== "created" && mandate.status !== "approved"))
      return false;
    if (mandate.status === "approved") return true;
    if (mandate.firstChargeId !== null && firstPayment !== null)
      await this.#money.pay(mandate.firstChargeId, firstPayment);
    await this.#store.changeMandate(mandateId, { status: "approved" });
    return true;
  }

  /** The payer refuses. False where nobody asks him any more. */
  async reject(mandateId: string): Promise<boolean> {
    const mandate = await this.#store.findMandate({ mandateId });
    if (mandate === null || (mandate.status !== "created" && mandate.status !== "rejected"))
      return false;
    const change = { status: "rejected", endReason: "PAYER_REFUSED" } as const;
    await this.#store.changeMandate(mandateId, change);
    return true;
  }

  /** The payer ends the mandate in his bank's app, and with it what is not debited yet. False where it does not last. */
  async payerCancels(mandateId: string): Promise<boolean> {
    return (await this.#end(mandateId, "PAYER_CANCELLED")).kind === "cancelled";
  }

  /** What becomes of the next attempt. False where none comes. */
  async decideAttempt(chargeId: string, outcome: AttemptOutcome): Promise<boolean> {
    const debit = await this.#current(chargeId);
    if (debit?.status !== "active") return false;
    const changed = await this.#store.changeDebit(debit, { nextOutcome: outcome });
    return changed.nextOutcome === outcome;
  }

  async #end(
    mandateId: string,
    endReason: "RECEIVER_CANCELLED" | "PAYER_CANCELLED",
  ): Promise<MandateCancelOutcome> {
    const mandate = await this.#store.findMandate({ mandateId });
    if (mandate?.status === "cancelled") return { kind: "cancelled" };
    if (mandate === null || mandate.status === "rejected")
      return { kind: "refused", message: "The mandate does not last (sandbox)." };
    await this.#store.changeMandate(mandateId, { status: "cancelled", endReason });
    for (const debit of await this.#store.debitsOf(mandateId)) {
      const current = await this.#current(debit.chargeId);
      if (current?.status === "active" && !this.#hasBegun(current)) await this.#cancel(current);
    }
    return { kind: "cancelled" };
  }

  /** Whether the day of an open attempt has come. */
  #hasBegun({ attempts }: SandboxDebit): boolean {
    const today = saoPauloDay(this.#clock.now());
    return attempts.some((attempt) => isAttemptOpen(attempt) && attempt.day <= today);
  }

  async #cancel(debit: SandboxDebit): Promise<void> {
    const attempts = debit.attempts.map((attempt) =>
      isAttemptOpen(attempt) ? { ...attempt, status: "cancelled" as const } : attempt,
    );
    await this.#store.changeDebit(debit, { status: "cancelled", attempts });
  }

  /** A debit after all that its day has done to it by now. */
  async #current(chargeId: string): Promise<SandboxDebit | null> {
    const debit = await this.#store.findDebit(chargeId);
    const open = debit?.attempts.findLast(isAttemptOpen);
    if (debit?.status !== "active" || open === undefined) return debit;
    const decided = decisionOf(open, debit.nextOutcome ?? "paid", this.#clock.now());
    if (decided === null) return debit;
    // The money first: its id is the attempt's, so that it comes once.
    if (decided.status === "paid") await this.#pay(debit, open);
    const attempts = debit.attempts.map((attempt) =>
      attempt === open ? { ...attempt, ...decided } : attempt,
    );
    const isClosed = decided.reason?.providerCode === CLOSED;
    const status = decided.status === "paid" ? "paid" : isClosed ? "rejected" : "active";
    return this.#store.changeDebit(debit, { status, attempts, nextOutcome: null });
  }

  async #pay({ chargeId, amount }: SandboxDebit, { day, endToEndId }: DebitAttempt): Promise<void> {
    const paidAt = startOfDay(day) + NIGHT_RUN_MS;
    const paymentId = endToEndId ?? this.#ids.endToEndId(paidAt);
    const payment = { paymentId, method: "PIX" as const, amount, paidAt };
    await this.#money.addPayment(chargeId, { ...payment, payer: "customer" });
  }

  #attempt(day: string, kind: DebitAttempt["kind"]): DebitAttempt {
    const endToEndId = this.#ids.endToEndId(startOfDay(day) + NIGHT_RUN_MS);
    return { day, kind, status: "scheduled", reason: null, endToEndId };
  }

  /** Whether no attempt can come any more; the day alone tells it, as at a PSP. */
  #isExpired({ dueDate, attempts }: SandboxDebit): boolean {
    const end = endOfDay(debitDayOf(dueDate, null)) + RETRY_DAYS * DAY_MS;
    return !attempts.some(isAttemptOpen) && this.#clock.now() > end;
  }

  #reportOf(mandate: SandboxMandate | null): MandateReport {
    return mandate === null
      ? { kind: "not_found" }
      : { kind: "known", mandate: this.#detailsOf(mandate) };
  }

  #detailsOf(mandate: SandboxMandate): MandateDetails {
    const { mandateId, contract, status, terms, requestId, endReason } = mandate;
    const isOver = terms.endDate !== null && saoPauloDay(this.#clock.now()) > terms.endDate;
    const isAnswered = status === "approved" || (status === "cancelled" && requestId !== null);
    return {
      mandateId,
      subscriptionId: contract,
      status: status === "approved" && isOver ? "expired" : status,
      journey: status === "approved" ? terms.journey : null,
      allowsRetries: terms.allowsRetries,
      payer: status === "approved" ? { ispb: terms.payerIspb ?? NO_BANK, city: null } : null,
      code: terms.journey === "REQUEST" ? null : codeOf(mandateId),
      request:
        requestId === null
          ? null
          : {
              id: requestId,
              status: isAnswered ? "accepted" : status === "rejected" ? "rejected" : "open",
            },
      terms: termsOf(mandate),
      end:
        endReason === null
          ? null
          : {
              by: endReason === "RECEIVER_CANCELLED" ? "receiver" : "payer",
              reason: endReason,
              providerCode: END_CODES[endReason] ?? null,
              message: null,
            },
    };
  }
}

function termsOf({ terms: { amount, firstDueDate, endDate, period } }: SandboxMandate): ToldTerms {
  const [fixed, minimum] = amount.kind === "fixed" ? [amount.amount, null] : [null, amount.minimum];
  return { firstDueDate, endDate, period, amount: fixed, minimum };
}

function mayBePaid({ status }: SandboxDebit): boolean {
  return status === "active" || status === "paid";
}

function codeOf(mandateId: string): string {
  const target = { location: `${LOCATION_HOST}/${mandateId}` };
  return encodeBrCode({ target, merchantName: "Sandbox", merchantCity: MERCHANT_CITY });
}

function accepted(report: DebitReport): DebitOutcome {
  return report.kind === "known" ? { kind: "accepted", debit: report.debit } : { kind: "unknown" };
}
