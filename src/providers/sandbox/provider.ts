import type { CardIdentity, RegisteredPix } from "../../domain/charges/payment-details.ts";
import { encodeBrCode, MERCHANT_CITY } from "../../methods/pix/br-code.ts";
import { payableUntil } from "../../methods/pix/expiry.ts";
import type { RawCard } from "../../methods/card/card.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { Clock, RandomSource } from "../../domain/shared/clock.ts";
import type { ReportedPayer } from "../../domain/charges/payer-match.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { SANDBOX_ACCOUNT, type PayoutOrder } from "../../domain/withdraws/withdraw.ts";
import type { DueDates } from "../due-dates.ts";
import type { MandateProvider } from "../mandate-provider.ts";
import type {
  CancelOutcome,
  CaptureOutcome,
  CardDeletion,
  ChargeOutcome,
  ExtendOutcome,
  ListPage,
  PaymentReport,
  PayoutLookup,
  PayoutOutcome,
  Provider,
  ProviderBalance,
  RefundLookup,
  RefundOrder,
  RefundOutcome,
} from "../provider.ts";
import type { ChargeOrder, ChargeReport, ProviderDispute, ProviderPayment } from "../charge.ts";
import { SandboxDisputeDesk } from "./dispute-desk.ts";
import { cardReport, SandboxAcquirer } from "./acquirer.ts";
import { brCodeOf, LOCATION_HOST, SandboxDueDates, toBoleto } from "./boletos.ts";
import type { SandboxMandateStore } from "./mandate-store.ts";
import type { SandboxMandates } from "./mandates.ts";
import { payersBankOf } from "./payers-bank.ts";
import {
  simulatedPayoutStatus,
  type SandboxStore,
  type SandboxPayout,
  type SandboxPayoutStatus,
  type SandboxRefundStatus,
  type SandboxToken,
} from "./store.ts";

/** An ISPB that no bank has, so that a sandbox id is never taken for a real one. */
const SANDBOX_ISPB = "00000000";
/** A random key (EVP) that no bank has given. */
const SANDBOX_PIX_KEY = "00000000-0000-4000-8000-000000000000";
const E2E_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const E2E_RANDOM_LENGTH = 11;
const SLIP_ID_PREFIX = "B";
/** The charge id of payments without a charge. */
const NO_CHARGE = "none";
/** A payment without a charge whose amount ends so cannot be returned, so that merchants can try that. */
const NOT_RETURNABLE = 99;
const ACCOUNT_CLOSED = "The payer's account is closed (sandbox).";
const EXCEEDS_UNREFUNDED = "The refund exceeds the unrefunded amount of the payment (sandbox).";

/** What a simulated bank is made of; `paymentMethod`: the method of the charges that are queried. */
export interface SandboxParts {
  store: SandboxStore;
  clock: Clock;
  random: RandomSource;
  paymentMethod?: PaymentMethod | undefined;
  /** Where it keeps mandates and debits; left out where nobody asks for any. */
  mandateStore?: SandboxMandateStore;
}

/**
 * A simulated bank: it registers any charge, and pays, refuses or holds payouts by their amount
 * (`simulatedPayoutStatus`). The routes under /sandbox simulate the payer and the receiving bank.
 */
export class SandboxProvider implements Provider {
  readonly name = "Sandbox";
  readonly account = SANDBOX_ACCOUNT;
  readonly pixKey = SANDBOX_PIX_KEY;
  readonly pspClient = null;
  readonly cardTokenisation = { kind: "sandbox" } as const;
  readonly savesCards = true;
  readonly lists = [] as const;
  readonly paymentMethods = PAYMENT_METHODS;
  readonly idempotentPayouts = true;
  readonly idempotentRefunds = true;
  readonly refundMethods = PAYMENT_METHODS;
  readonly payersBank: SandboxMandates | null;
  readonly disputeDesk: SandboxDisputeDesk;
  readonly #store: SandboxStore;
  readonly #clock: Clock;
  readonly #random: RandomSource;
  readonly #acquirer: SandboxAcquirer;
  readonly #paymentMethod: PaymentMethod | null;

  /**
   * A charge without a trace is open: a PIX or a boleto leaves none before it is paid or ends; only a card's is not
   * found.
   */
  constructor(parts: SandboxParts) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#random = parts.random;
    this.#paymentMethod = parts.paymentMethod ?? null;
    this.#acquirer = new SandboxAcquirer(parts);
    this.payersBank = payersBankOf(parts, (id, amount) => this.simulatePayment(id, amount));
    this.disputeDesk = new SandboxDisputeDesk((id) => this.#findDispute(id));
  }

  get mandates(): MandateProvider | null {
    return this.payersBank;
  }

  requirements(): readonly never[] {
    return [];
  }

  orderFaults(): Record<string, never> {
    return {};
  }

  /** Of a PIX or a boleto a function of the order alone, so that asking twice gives the same charge. */
  async createCharge(order: ChargeOrder): Promise<ChargeOutcome> {
    switch (order.paymentMethod) {
      case "PIX":
        return { kind: "registered", pix: toPix(order) };
      case "BOLETO":
        return { kind: "registered", boleto: toBoleto(order) };
      case "CREDIT_CARD":
        return this.#acquirer.charge(order);
    }
  }

  /** Refunds are left out: at the sandbox only this service orders any. */
  async findCharge(chargeId: string): Promise<ChargeReport> {
    const charge = await this.#store.charge(chargeId);
    const { card, ...known } = charge;
    const isOfCard = card !== null || this.#paymentMethod === "CREDIT_CARD";
    return isOfCard ? cardReport(charge, chargeId) : { kind: "known", refunds: [], ...known };
  }

  async findPayment(paymentId: string): Promise<PaymentReport> {
    const found = await this.#store.findPayment(paymentId);
    if (found === null) return { kind: "not_found" };
    const { payment, txid, disputes } = found;
    const chargeId = found.chargeId === NO_CHARGE ? null : found.chargeId;
    return { kind: "known", payment: { ...payment, chargeId, txid, disputes, refunds: [] } };
  }

  async cancelCharge(chargeId: string): Promise<CancelOutcome> {
    await this.#store.endCharge(chargeId, "cancelled");
    const { status, payments } = await this.#store.charge(chargeId);
    if (status === "cancelled" && payments.length === 0) return { kind: "cancelled" };
    return { kind: "refused", reason: "The charge was paid or has ended (sandbox)." };
  }

  /** Nothing is stored of an open charge, so that it lasts as long as its row says. */
  async extendCharge(chargeId: string, expiresAt: number): Promise<ExtendOutcome> {
    const { status, payments } = await this.#store.charge(chargeId);
    const isOpen = status === "open" && payments.length === 0;
    return isOpen ? { kind: "extended", expiresAt } : { kind: "refused" };
  }

  async cardOfToken(token: string): Promise<CardIdentity | null> {
    return (await this.#store.findToken(token))?.card ?? null;
  }

  /** A saved card is the charge that saved it, which stays. */
  async deleteCard(): Promise<CardDeletion> {
    return { kind: "deleted" };
  }

  get dueDates(): DueDates {
    return new SandboxDueDates((chargeId) => this.#store.charge(chargeId));
  }

  captureCharge(chargeId: string, amount: Cents): Promise<CaptureOutcome> {
    return this.#acquirer.capture(chargeId, amount);
  }

  tokenize(card: RawCard): Promise<SandboxToken> {
    return this.#acquirer.tokenize(card);
  }

  async sendRefund(order: RefundOrder): Promise<RefundOutcome> {
    const { refundId, paymentId, amount, insteadOf } = order;
    if (paymentId === null) return { kind: "failed", reason: EXCEEDS_UNREFUNDED };
    if (order.chargeId === null && amount % 100 === NOT_RETURNABLE)
      return { kind: "failed", reason: ACCOUNT_CLOSED };
    const orderedAt = this.#clock.now();
    const booked = { refundId, paymentId, amount, orderedAt, isInstead: insteadOf !== undefined };
    return refundOutcome(await this.#store.recordRefund(booked));
  }

  async findRefund(order: RefundOrder): Promise<RefundLookup> {
    const refund = await this.#store.findRefund(order.refundId);
    return refund === null ? { kind: "not_found" } : refundOutcome(refund.status);
  }

  async sendPayout(order: PayoutOrder): Promise<PayoutOutcome> {
    const status = simulatedPayoutStatus(order.amount);
    return toOutcome(await this.#store.recordPayout(order.payoutId, this.#payout(status)));
  }

  /** When it was asked for a payout (Unix milliseconds); null if it was not. */
  protected async payoutOrderedAt(payoutId: string): Promise<number | null> {
    return (await this.#store.payout(payoutId))?.orderedAt ?? null;
  }

  /** When it was asked for a refund (Unix milliseconds); null if it was not. */
  protected async refundOrderedAt(refundId: string): Promise<number | null> {
    return (await this.#store.findRefund(refundId))?.orderedAt ?? null;
  }

  async findPayout(payoutId: string): Promise<PayoutLookup> {
    const payout = await this.#store.payout(payoutId);
    return payout === null ? { kind: "not_found" } : toOutcome(payout);
  }

  /** The store has no order by time. Each simulated payment is read back at once, so no list is needed. */
  async list(): Promise<ListPage> {
    return { kind: "unknown" };
  }

  async balance(): Promise<ProviderBalance> {
    return { kind: "unsupported" };
  }

  /**
   * The payer pays, centavos. Each call is a payment of its own, as from a second payer's phone; only
   * a card pays once, and nothing happens where it may not be charged.
   */
  async simulatePayment(
    chargeId: string,
    amount: Cents,
    method: PaymentMethod = "PIX",
    payer?: ReportedPayer,
  ): Promise<void> {
    if (method === "CREDIT_CARD") return this.#acquirer.simulatePayment(chargeId, amount);
    await this.#store.addPayment(chargeId, this.newPayment(amount, method, payer), null);
  }

  /** A payment that comes now, centavos; a transfer is booked by `simulateTransfer`. */
  newPayment(
    amount: Cents,
    method: Exclude<PaymentMethod, "CREDIT_CARD">,
    payer?: ReportedPayer,
  ): ProviderPayment {
    const paymentId = method === "PIX" ? this.#endToEndId() : SLIP_ID_PREFIX + this.#idSuffix();
    const paidAt = this.#clock.now();
    return { paymentId, method, amount, paidAt, ...(payer === undefined ? {} : { payer }) };
  }

  /** A payment to the company's key, without a charge, or by a static code. */
  async simulateTransfer(payment: ProviderPayment, txid: string | null = null): Promise<void> {
    await this.#store.addPayment(NO_CHARGE, payment, txid);
  }

  async endCharge(chargeId: string, status: "failed" | "expired"): Promise<void> {
    await this.#store.endCharge(chargeId, status);
  }

  /**
   * The payer's bank disputes a payment, or takes it back at once: the one that is named, else the
   * first. Nothing happens where the charge has none. Of a PIX it is by default a suspicion of fraud.
   */
  async dispute(
    chargeId: string,
    endToEndId: string | null,
    { kind, ...said }: Pick<ProviderDispute, "kind" | "reason" | "deadline">,
  ): Promise<void> {
    const paymentId = endToEndId ?? (await this.#firstPayment(chargeId));
    if (paymentId === undefined) return;
    const status = kind === "CHARGEBACK" ? "LOST" : "OPEN";
    const usual = endToEndId === null ? "OTHER" : "MED_FRAUD";
    const reason = kind === "CHARGEBACK" ? kind : (said.reason ?? usual);
    await this.#store.addDispute(chargeId, paymentId, { ...said, kind, status, reason });
  }

  async #findDispute(id: string): Promise<ProviderDispute | null> {
    const { disputes } = await this.#store.charge(id.slice(0, id.lastIndexOf(":")));
    return disputes.find((dispute) => dispute.id === id) ?? null;
  }

  async resolveDispute(chargeId: string, outcome: "won" | "lost"): Promise<void> {
    await this.#store.resolveDispute(chargeId, outcome === "won" ? "WON" : "LOST");
  }

  /** The payer's bank gives back the money that it took by chargebacks. */
  async reverseChargebacks(chargeId: string): Promise<void> {
    await this.#store.reverseChargebacks(chargeId);
  }

  /** The receiving bank decides a payout, sent or not yet. Answers its status then. */
  async decidePayout(payoutId: string, decision: "paid" | "failed"): Promise<SandboxPayoutStatus> {
    const decided = this.#payout(decision);
    await this.#store.recordPayout(payoutId, decided);
    const payout = await this.#store.transitionPayout(payoutId, "processing", decided);
    return payout?.status ?? decision;
  }

  /** The receiving bank sends a paid payout back: so much of it in all, or the whole (null). */
  async returnPayout(payoutId: string, amount: Cents | null): Promise<SandboxPayoutStatus | null> {
    const known = await this.#store.payout(payoutId);
    if (known === null) return null;
    const { endToEndId, orderedAt } = known;
    const payout = await this.#store.transitionPayout(
      payoutId,
      "paid",
      amount === null
        ? { status: "returned", endToEndId, orderedAt, returnedAmount: 0 }
        : {
            status: "paid",
            endToEndId,
            orderedAt,
            returnedAmount: Math.max(known.returnedAmount, amount),
          },
    );
    return payout?.status ?? null;
  }

  async #firstPayment(chargeId: string): Promise<string | undefined> {
    return (await this.#store.charge(chargeId)).payments[0]?.paymentId;
  }

  #payout(status: SandboxPayoutStatus): SandboxPayout {
    const endToEndId = status === "paid" ? this.#endToEndId() : null;
    return { status, endToEndId, orderedAt: this.#clock.now(), returnedAmount: 0 };
  }

  /** BACEN: `E`, ISPB, yyyyMMddHHmm in UTC, eleven free characters. */
  #endToEndId(): string {
    return `E${SANDBOX_ISPB}${this.#idSuffix()}`;
  }

  #idSuffix(): string {
    const minute = new Date(this.#clock.now()).toISOString().replaceAll(/[-:T]/g, "").slice(0, 12);
    const free = Array.from(
      this.#random.bytes(E2E_RANDOM_LENGTH),
      (byte) => E2E_ALPHABET[byte % E2E_ALPHABET.length],
    ).join("");
    return minute + free;
  }
}

/** With a due date the code names no amount: what is due changes with the day. */
function toPix(order: Extract<ChargeOrder, { paymentMethod: "PIX" }>): RegisteredPix {
  const due = order.pix?.due;
  if (due === undefined) {
    const qrcode = brCodeOf(order, `${LOCATION_HOST}/${order.chargeId}`);
    return { qrcode, url: null, expirationDate: order.expiresAt };
  }
  const { chargeId, merchantName } = order;
  const target = { location: `${LOCATION_HOST}/cobv/${chargeId}` };
  const qrcode = encodeBrCode({ target, merchantName, merchantCity: MERCHANT_CITY });
  return { qrcode, url: null, expirationDate: payableUntil(due) };
}

function refundOutcome(status: SandboxRefundStatus): RefundOutcome {
  return status === "done" ? { kind: "done" } : { kind: "failed", reason: EXCEEDS_UNREFUNDED };
}

function toOutcome(payout: SandboxPayout): PayoutOutcome {
  switch (payout.status) {
    case "processing":
      return { kind: "processing" };
    case "failed":
      return {
        kind: "failed",
        reason: "Refused by the receiving bank (sandbox).",
        code: "REFUSED_BY_BANK",
      };
    case "paid":
      return {
        kind: "paid",
        endToEndId: payout.endToEndId,
        ...(payout.returnedAmount === 0 ? {} : { returnedAmount: payout.returnedAmount }),
      };
    case "returned":
      return { kind: "returned", endToEndId: payout.endToEndId };
  }
}
