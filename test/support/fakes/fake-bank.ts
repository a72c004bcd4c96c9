import { encodeBoleto } from "../../../src/methods/boleto/boleto-code.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "../../../src/domain/charges/charge-status.ts";
import type { PayerField } from "../../../src/domain/charges/payer-fields.ts";
import type { HouseTokenisation } from "../../../src/domain/psp/card-tokenisation.ts";
import type { FieldErrors } from "../../../src/domain/shared/problem.ts";
import type { PayoutOrder } from "../../../src/domain/withdraws/withdraw.ts";
import type { BoletoOrder, DueDateOutcome, DueDates } from "../../../src/providers/due-dates.ts";
import type {
  CancelOutcome,
  CaptureOutcome,
  CardDeletion,
  ChargeOutcome,
  ExtendOutcome,
  PaymentReport,
  PayoutLookup,
  PayoutOutcome,
  Provider,
  ListPage,
  ProviderBalance,
  RefundLookup,
  RefundOrder,
  RefundOutcome,
} from "../../../src/providers/provider.ts";
import type {
  ChargeOrder,
  ChargeReport,
  ProviderDispute,
  ProviderPayment,
} from "../../../src/providers/charge.ts";
import { providerRegistry, type ProviderRegistry } from "../../../src/providers/registry.ts";
import { env } from "../builders/companies/env.ts";

/**
 * A bank in memory that records every call. It accepts each request unless told otherwise, and
 * stores it under our id, as a real bank does.
 */
export class FakeBank implements Provider {
  readonly name = "PixApi";
  readonly account: string = "first";
  readonly lists = ["payments"] as const;
  readonly paymentMethods = PAYMENT_METHODS;
  readonly pixKey = "123e4567-e12b-12d3-a456-426655440000";
  readonly pspClient = null;
  idempotentPayouts = true;
  idempotentRefunds = true;
  refundMethods: readonly PaymentMethod[] = PAYMENT_METHODS;
  /** How payers make tokens at it. */
  cardTokenisation: HouseTokenisation | null = null;
  /** Whether it keeps cards. */
  savesCards = true;
  readonly mandates = null;
  /** What it asks of each payer. */
  required: PayerField[] = [];
  /** What it says of each order. */
  faultsOfOrders: FieldErrors = {};

  /** Ids of created charges in order, repeats included. */
  readonly createdCharges: string[] = [];
  /** Ids of charge lookups. */
  readonly chargeLookups: string[] = [];
  /** Ids of sent payouts, repeats included. */
  readonly sentPayouts: string[] = [];
  /** Ids of payout lookups. */
  readonly payoutLookups: string[] = [];
  /** The state of each known payout. */
  readonly payouts = new Map<string, PayoutOutcome>();
  /** Sent refunds, repeats included. */
  readonly sentRefunds: RefundOrder[] = [];
  /** Ids of refund lookups. */
  readonly refundLookups: string[] = [];
  /** The state of each known refund. */
  readonly refunds = new Map<string, RefundOutcome>();
  /** Ids of cancel requests, repeats included. */
  readonly cancelled: string[] = [];
  /** Ids of extended charges, repeats included. */
  readonly extended: string[] = [];
  /** Orders for other due dates, repeats included. */
  readonly dueDateChanges: BoletoOrder[] = [];
  /** Saved cards to delete, repeats included. */
  readonly deletedCards: { savedCard: string; kept: string[] }[] = [];
  /** Capture requests, repeats included. */
  readonly captured: { chargeId: string; amount: number }[] = [];

  /** The payments in its list. */
  listed: ListPage = { kind: "known", records: [], unreadable: [], hasMore: false };

  onDeleteCard: () => Promise<CardDeletion> = async () => ({ kind: "deleted" });
  /** Overrides the bank's response. */
  onCreate: (order: ChargeOrder) => Promise<ChargeOutcome> = async (order) =>
    order.paymentMethod === "BOLETO"
      ? { kind: "registered", boleto: boletoOf(order) }
      : {
          kind: "registered",
          pix: {
            qrcode: `code of ${order.chargeId}`,
            url: null,
            expirationDate: order.paymentMethod === "CREDIT_CARD" ? 0 : order.expiresAt,
          },
        };
  charge: ChargeReport = { kind: "known", status: "open", payments: [], disputes: [], refunds: [] };
  onCancel: (chargeId: string) => Promise<CancelOutcome> = async () => ({ kind: "cancelled" });
  onExtend: (chargeId: string, expiresAt: number) => Promise<ExtendOutcome> = async (_id, at) => ({
    kind: "extended",
    expiresAt: at,
  });
  onDueDate: (order: BoletoOrder) => Promise<DueDateOutcome> = async (order) => ({
    kind: "changed",
    boleto: boletoOf(order),
  });
  onCapture: (chargeId: string, amount: number) => Promise<CaptureOutcome> = async () => ({
    kind: "captured",
  });
  onRefund: (order: RefundOrder) => Promise<RefundOutcome> = async () => ({ kind: "done" });
  onFindRefund: (order: RefundOrder) => Promise<RefundLookup> = async (order) =>
    this.refunds.get(order.refundId) ?? { kind: "not_found" };
  onSendPayout: (order: PayoutOrder) => Promise<PayoutOutcome> = async () => ({
    kind: "paid",
    endToEndId: "E0000000020261120000000000001",
  });
  onFindPayout: (payoutId: string) => Promise<PayoutLookup> = async (payoutId) =>
    this.payouts.get(payoutId) ?? { kind: "not_found" };

  /** It took no payment itself: of those that a test made without it, it says nothing. */
  onFindPayment: (paymentId: string) => Promise<PaymentReport> = async () => ({ kind: "unknown" });

  requirements(): readonly PayerField[] {
    return this.required;
  }

  orderFaults(): FieldErrors {
    return this.faultsOfOrders;
  }

  async createCharge(order: ChargeOrder): Promise<ChargeOutcome> {
    this.createdCharges.push(order.chargeId);
    return this.onCreate(order);
  }

  async findCharge(chargeId: string): Promise<ChargeReport> {
    this.chargeLookups.push(chargeId);
    return this.charge;
  }

  async findPayment(paymentId: string): Promise<PaymentReport> {
    return this.onFindPayment(paymentId);
  }

  async cancelCharge(chargeId: string): Promise<CancelOutcome> {
    this.cancelled.push(chargeId);
    return this.onCancel(chargeId);
  }

  async extendCharge(chargeId: string, expiresAt: number): Promise<ExtendOutcome> {
    this.extended.push(chargeId);
    return this.onExtend(chargeId, expiresAt);
  }

  readonly dueDates: DueDates = {
    find: async () => ({ kind: "open" }),
    change: async (order) => {
      this.dueDateChanges.push(order);
      return this.onDueDate(order);
    },
  };

  async cardOfToken(): Promise<null> {
    return null;
  }

  async deleteCard(savedCard: string, kept: string[]): Promise<CardDeletion> {
    this.deletedCards.push({ savedCard, kept });
    return this.onDeleteCard();
  }

  async captureCharge(chargeId: string, amount: number): Promise<CaptureOutcome> {
    this.captured.push({ chargeId, amount });
    return this.onCapture(chargeId, amount);
  }

  async sendRefund(order: RefundOrder): Promise<RefundOutcome> {
    this.sentRefunds.push(order);
    const outcome = await this.onRefund(order);
    if (!this.refunds.has(order.refundId)) this.refunds.set(order.refundId, outcome);
    return outcome;
  }

  async findRefund(order: RefundOrder): Promise<RefundLookup> {
    this.refundLookups.push(order.refundId);
    return this.onFindRefund(order);
  }

  async sendPayout(order: PayoutOrder): Promise<PayoutOutcome> {
    this.sentPayouts.push(order.payoutId);
    const outcome = await this.onSendPayout(order);
    if (!this.payouts.has(order.payoutId)) this.payouts.set(order.payoutId, outcome);
    return outcome;
  }

  async findPayout(payoutId: string): Promise<PayoutLookup> {
    this.payoutLookups.push(payoutId);
    return this.onFindPayout(payoutId);
  }

  async list(): Promise<ListPage> {
    return this.listed;
  }

  async balance(): Promise<ProviderBalance> {
    return { kind: "unsupported" };
  }

  setPayments(...payments: ProviderPayment[]): void {
    this.charge = { kind: "known", status: "open", payments, disputes: [], refunds: [] };
  }

  /** The charge as the bank has it, with its disputes and refunds. */
  setDisputes(payments: ProviderPayment[], ...disputes: ProviderDispute[]): void {
    this.charge = { kind: "known", status: "open", payments, disputes, refunds: [] };
  }

  /** A registry that returns this bank for everything. */
  registry(): ProviderRegistry {
    return {
      ...providerRegistry(env),
      forCharge: () => this,
      routesFor: () => [this],
      accountsFor: () => [this],
      accountFor: (_company, _method, account) => (account === this.account ? this : null),
      forPayout: () => this,
      ofAccount: async () => this,
    };
  }
}

function boletoOf({ amount, boleto }: Extract<ChargeOrder, { paymentMethod: "BOLETO" }>) {
  const freeField = "0".repeat(25);
  return {
    ...encodeBoleto({ bank: "000", amount, dueDate: boleto.dueDate, freeField }),
    ourNumber: "1",
    qrcode: "",
  };
}
