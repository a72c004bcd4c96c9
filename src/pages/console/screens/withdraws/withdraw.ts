import type { Requester } from "../../../../domain/access/requester.ts";
import type { WithdrawStatus } from "../../../../domain/withdraws/withdraw-status.ts";
import type { Tone } from "../../ui/parts.tsx";

export const WITHDRAWS_PATH = "/console/withdraws";

/** A withdraw as the API shows it, as far as the pages do. `value` and `fee` are reais. */
export interface Withdraw {
  id: number;
  value: number;
  fee: number;
  returnedValue: number;
  pixKey: string;
  pixKeyType: string;
  creditorDocument: string;
  description: string;
  enTransaction: WithdrawStatus;
  failureReason: { code: string; message: string } | null;
  endToEndId: string | null;
  approval: "none" | "pending" | "approved" | "refused";
  approvalExpiresAt: string | null;
  requestedBy: Requester | null;
  decidedBy: Requester | null;
  decisionReason: string | null;
  paidAt: string | null;
  createdAt: string;
}

/** What the API says of a withdraw that it did not make. Reais. */
export interface DryRun {
  accepted: boolean;
  value: number;
  fee: number;
  pixKey: string | null;
  pixKeyType: string | null;
  balanceBefore: number;
  balanceAfter: number;
  approval: "none" | "pending";
  checks: { check: string; passed: boolean; code: string | null; detail: string | null }[];
}

export const TONES: Record<WithdrawStatus, Tone> = {
  Awaiting: "open",
  Processing: "open",
  Paid: "good",
  Failed: "bad",
  Cancelled: "quiet",
  Returned: "bad",
};

/** Reais of the contract as centavos, exactly. */
export function centsOfReais(reais: number): number {
  return Math.round(reais * 100);
}
