import type { Cents } from "../../domain/money.ts";
import type { ProviderDispute, ProviderPayment } from "../provider.ts";

export type SandboxPayoutStatus = "processing" | "paid" | "failed" | "returned";
export type SandboxRefundStatus = "done" | "refused";

export interface SandboxRefund {
  refundId: string;
  chargeId: string;
  endToEndId: string;
  amount: Cents;
}

/** A charge as the sandbox bank knows it; one it was never told about is open. */
export interface SandboxCharge {
  status: "open" | "failed" | "expired" | "cancelled";
  payments: ProviderPayment[];
  disputes: ProviderDispute[];
}

export interface SandboxPayout {
  status: SandboxPayoutStatus;
  endToEndId: string | null;
}

/** The sandbox bank's memory. */
export interface SandboxBook {
  charge(chargeId: string): Promise<SandboxCharge>;
  /** A payment that came without a charge, or for the charge that is named. */
  findPayment(chargeId: string, endToEndId: string): Promise<ProviderPayment | null>;
  addPayment(chargeId: string, payment: ProviderPayment): Promise<void>;
  /** Ends a charge that is open and unpaid; otherwise it stays as it is. */
  endCharge(chargeId: string, status: "failed" | "expired" | "cancelled"): Promise<void>;
  /** Books a refund unless it is known: refused where the payment has less left. */
  refund(order: SandboxRefund): Promise<SandboxRefundStatus>;
  findRefund(refundId: string): Promise<SandboxRefundStatus | null>;
  /** Asks back all that is left of a payment; nothing happens where nothing is left. */
  addDispute(
    chargeId: string,
    endToEndId: string,
    dispute: Pick<ProviderDispute, "kind" | "status">,
  ): Promise<void>;
  /** Decides a charge's open dispute, if there is one. */
  resolveDispute(chargeId: string, status: "WON" | "LOST"): Promise<void>;
  payout(payoutId: string): Promise<SandboxPayout | null>;
  /** Books a payout unless it is known; answers what stands. */
  openPayout(payoutId: string, payout: SandboxPayout): Promise<SandboxPayout>;
  /** Moves a payout on from `from`; answers what stands, moved or not. */
  movePayout(
    payoutId: string,
    from: SandboxPayoutStatus,
    to: SandboxPayout,
  ): Promise<SandboxPayout | null>;
}

/** Amounts that steer the sandbox (`product.md` section 9): what the receiving bank does with them. */
export function payoutRule(amount: Cents): "paid" | "failed" | "processing" {
  const lastTwoDigits = amount % 100;
  if (lastTwoDigits === 99) return "failed";
  return lastTwoDigits === 98 ? "processing" : "paid";
}
