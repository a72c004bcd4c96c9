import type { Cents } from "../../domain/money.ts";
import type { ProviderPayment } from "../provider.ts";

export type SandboxPayoutStatus = "processing" | "paid" | "failed" | "returned";
export type SandboxChargeStatus = "open" | "failed" | "expired";

export interface SandboxPayout {
  status: SandboxPayoutStatus;
  endToEndId: string | null;
}

/** The sandbox bank's memory. */
export interface SandboxBook {
  payments(chargeId: string): Promise<ProviderPayment[]>;
  addPayment(chargeId: string, payment: ProviderPayment): Promise<void>;
  chargeStatus(chargeId: string): Promise<SandboxChargeStatus>;
  endCharge(chargeId: string, status: "failed" | "expired"): Promise<void>;
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
