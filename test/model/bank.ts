import { encodeBoleto } from "../../src/methods/boleto/boleto-code.ts";
import type { CardReport } from "../../src/domain/charges/payment-details.ts";
import type { PayoutOrder } from "../../src/domain/withdraws/withdraw.ts";
import type {
  ChargeOutcome,
  PaymentReport,
  PayoutLookup,
  PayoutOutcome,
  RefundLookup,
  RefundOrder,
  RefundOutcome,
} from "../../src/providers/provider.ts";
import type { ChargeOrder, ChargeReport, ChargeDetails } from "../../src/providers/charge.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import type { CreateBankState } from "./reference/creates.ts";
import type { BankResult, Script } from "./reference/operations.ts";
import type { Charge, DisputeReport } from "./reference/state.ts";
import type { PayoutResult } from "./reference/withdraws.ts";

const PAYOUT_END_TO_END_ID = "E0000000020340115000000000000";

/** A bank that follows each command's script, even if it contradicts earlier results. */
export class ScriptedBank extends FakeBank {
  /** How often each payout, refund and return was sent, by its id. */
  readonly sendCounts = new Map<string, number>();
  /** The bank's report of each charge, by its id. */
  readonly charges = new Map<string, Charge>();
  /** The bank's charge before the present request takes effect. */
  previousState: { charge: Charge; bank: Charge["bank"] } | null = null;

  override async findCharge(chargeId: string): Promise<ChargeReport> {
    const charge = this.charges.get(chargeId);
    if (charge === undefined) return { kind: "not_found" };
    const bank = this.previousState?.charge === charge ? this.previousState.bank : charge.bank;
    if (!bank.known) return { kind: "not_found" };
    return { kind: "known", ...knownCharge(chargeId, charge.method, bank) };
  }

  /** Only the payments of static codes are known by themselves; of others it says nothing. */
  override async findPayment(paymentId: string): Promise<PaymentReport> {
    for (const { isOfPayment, bank } of this.charges.values()) {
      const [payment] = isOfPayment ? bank.payments : [];
      if (payment?.id !== paymentId) continue;
      const { amount, paidAt } = payment;
      const money = { paymentId, method: "PIX" as const, amount, paidAt, chargeId: null };
      const { disputes } = bank;
      return {
        kind: "known",
        payment: { ...money, disputes: disputes.map(toProviderDispute), refunds: [] },
      };
    }
    return { kind: "unknown" };
  }

  /** Sets the result of creating `charge`, as the model expects it. */
  scriptCreate(bank: CreateBankState, charge: Charge | undefined): void {
    this.onCreate = async (order): Promise<ChargeOutcome> => {
      const isCard = order.paymentMethod === "CREDIT_CARD";
      if (bank === "silent" || bank === "lost") return { kind: "unknown" };
      if (bank === "refused") return { kind: "refused", message: "not this one" };
      if (!isCard) return registeredOutcome(order, bank === "odd");
      if (charge === undefined) throw new Error("nobody asked for this card");
      const known = knownCharge(order.chargeId, charge.method, charge.bank);
      return { kind: "decided", charge: known };
    };
  }

  /** Sets the result of refunds, cancels and returns. */
  scriptOperations(script: Script<BankResult>): void {
    this.idempotentRefunds = script.idempotent;
    this.onRefund = async () => refundOutcome(script.result);
    this.onFindRefund = async (): Promise<RefundLookup> =>
      script.lookup === "not_found" ? { kind: "not_found" } : refundOutcome(script.lookup);
    this.onCapture = async (chargeId) => {
      this.previousState = null;
      this.#count(`capture ${chargeId}`);
      if (script.result === "unknown") return { kind: "unknown" };
      if (script.result === "failed") return { kind: "refused", reason: "not as it is" };
      return { kind: "captured" };
    };
    this.onCancel = async (chargeId) => {
      this.#count(`cancel ${chargeId}`);
      if (script.result === "done") return { kind: "cancelled" };
      if (script.result === "failed") return { kind: "refused", reason: "not as it is" };
      return { kind: "unknown" };
    };
  }

  /** Sets the result of payouts. */
  scriptPayouts(script: Script<PayoutResult>): void {
    this.idempotentPayouts = script.idempotent;
    this.onSendPayout = async () => payoutOutcome(script.result);
    this.onFindPayout = async (): Promise<PayoutLookup> =>
      script.lookup === "not_found" ? { kind: "not_found" } : payoutOutcome(script.lookup);
  }

  override async sendPayout(order: PayoutOrder): Promise<PayoutOutcome> {
    this.#count(order.payoutId);
    return super.sendPayout(order);
  }

  override async sendRefund(order: RefundOrder): Promise<RefundOutcome> {
    this.#count(order.refundId);
    return super.sendRefund(order);
  }

  #count(id: string): void {
    this.sendCounts.set(id, (this.sendCounts.get(id) ?? 0) + 1);
  }
}

/** A payout's result in the provider's types. */
export function payoutOutcome(answer: PayoutResult): PayoutOutcome {
  if (answer === "failed") return { kind: "failed", reason: "the account is closed" };
  if (answer === "paid" || answer === "returned") {
    return { kind: answer, endToEndId: PAYOUT_END_TO_END_ID };
  }
  return { kind: answer };
}

function refundOutcome(answer: BankResult): RefundOutcome {
  return answer === "failed" ? { kind: answer, reason: "the account is closed" } : { kind: answer };
}

function knownCharge(
  chargeId: string,
  method: Charge["method"],
  { status, payments, disputes }: Charge["bank"],
): ChargeDetails {
  const money = payments.map(({ id, ...payment }) => ({ paymentId: id, method, ...payment }));
  const known = {
    status,
    payments: money,
    disputes: disputes.map(toProviderDispute),
    refunds: [],
  };
  return method === "CREDIT_CARD" ? { ...known, card: cardReport(chargeId, known) } : known;
}

/** A bank's report in the product's form, which leaves out what is not said. */
export function toProviderDispute({ deadline, ...report }: DisputeReport) {
  return deadline === null ? report : { ...report, deadline };
}

/** A new card sale has the acquirer's number, and a code unless it is rejected. */
function cardReport(chargeId: string, { status, payments }: ChargeDetails): CardReport {
  const decided = status === "authorized" || payments.length > 0;
  const refusal = { code: "DO_NOT_HONOR", message: "The bank says no.", retryable: true };
  return {
    card: { ...CARD, authorizationCode: decided ? chargeId.slice(-6) : null },
    nsu: chargeId.slice(-12),
    refusedReason: status === "refused" ? refusal : null,
  };
}

const CARD = {
  brand: "visa",
  firstDigits: "424242",
  lastDigits: "4242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2050,
};

/** `unfit`: with another amount than the order's. */
function registeredOutcome(order: ChargeOrder, mismatched: boolean): ChargeOutcome {
  const { chargeId, amount } = order;
  if (order.paymentMethod !== "BOLETO") {
    const expirationDate = "expiresAt" in order ? order.expiresAt : 0;
    return {
      kind: "registered",
      pix: { qrcode: `code of ${chargeId}`, url: null, expirationDate },
    };
  }
  const { dueDate } = order.boleto;
  const wrong = mismatched ? (amount > 1 ? -1 : 1) : 0;
  const freeField = "1".repeat(25);
  const code = encodeBoleto({ bank: "237", amount: amount + wrong, dueDate, freeField });
  return { kind: "registered", boleto: { ...code, ourNumber: "111", qrcode: null } };
}
