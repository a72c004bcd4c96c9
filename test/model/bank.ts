import type { PayoutOrder } from "../../src/domain/withdraw.ts";
import type {
  ChargeReport,
  PayoutLookup,
  PayoutOutcome,
  RefundLookup,
  RefundOrder,
  RefundOutcome,
} from "../../src/providers/provider.ts";
import { FakeBank } from "../support/fake-bank.ts";
import type { BankAnswer, Script } from "./reference/operations.ts";
import type { Charge } from "./reference/state.ts";
import type { PayoutAnswer } from "./reference/withdraws.ts";

const PAYOUT_END_TO_END_ID = "E0000000020340115000000000000";

/** A bank that says what a command's script says, were it the opposite of what it said before. */
export class ScriptedBank extends FakeBank {
  /** How often each payout and each refund or return went out, by the id it was given. */
  readonly times = new Map<string, number>();
  /** What it says of each charge, by the charge's id. */
  readonly charges = new Map<string, Charge>();

  override async findCharge(chargeId: string): Promise<ChargeReport> {
    const charge = this.charges.get(chargeId);
    if (charge === undefined) return { kind: "not_found" };
    const { status, payments, disputes } = charge.bank;
    return { kind: "known", status, payments, disputes };
  }

  /** What it answers to refunds, cancels and returns from now on. */
  playOperations(script: Script<BankAnswer>): void {
    this.idempotentRefunds = script.idempotent;
    this.onRefund = async () => refundOutcome(script.answer);
    this.onAskRefund = async (): Promise<RefundLookup> =>
      script.lookup === "not_found" ? { kind: "not_found" } : refundOutcome(script.lookup);
    this.onCancel = async (chargeId) => {
      this.#count(`cancel ${chargeId}`);
      if (script.answer === "done") return { kind: "cancelled" };
      if (script.answer === "failed") return { kind: "refused", reason: "not as it is" };
      return { kind: "unknown" };
    };
  }

  /** What it answers to payouts from now on. */
  playPayouts(script: Script<PayoutAnswer>): void {
    this.idempotentPayouts = script.idempotent;
    this.onSend = async () => payoutOutcome(script.answer);
    this.onAsk = async (): Promise<PayoutLookup> =>
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
    this.times.set(id, (this.times.get(id) ?? 0) + 1);
  }
}

/** A payout's report in the provider's words. */
export function payoutOutcome(answer: PayoutAnswer): PayoutOutcome {
  if (answer === "failed") return { kind: "failed", reason: "the account is closed" };
  if (answer === "paid" || answer === "returned") {
    return { kind: answer, endToEndId: PAYOUT_END_TO_END_ID };
  }
  return { kind: answer };
}

function refundOutcome(answer: BankAnswer): RefundOutcome {
  return answer === "failed" ? { kind: answer, reason: "the account is closed" } : { kind: answer };
}
