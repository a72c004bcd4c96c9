import type { CorrectionDetails } from "../reconciliation/contradiction.ts";
import type { Cents } from "../shared/money.ts";
import type { ForkOrigin } from "../fork/fork.ts";
import type { PixKeyType } from "../shared/pix-key.ts";
import type { ReleasePart } from "./release.ts";

/** Amount and payee of an accepted withdraw. Centavos. */
export interface PayoutDetails {
  payoutId: string;
  amount: Cents;
  fee: Cents;
  pixKey: string;
  pixKeyType: PixKeyType;
  creditorDocument: string;
}

/** The credit of a payment and when its parts are released. Centavos, epoch milliseconds. */
interface PaymentDetails {
  paymentId: string;
  paidAmount: Cents;
  fee: Cents;
  releases: ReleasePart[];
}

/**
 * Facts of a movement that are not postings but decide money later. The movement's hash covers their hash,
 * so the gateway can check a row against it before it acts.
 */
export type MovementDetails = (
  | PayoutDetails
  | PaymentDetails
  | CorrectionDetails
  /** Parts of a credit that were blocked or refunded before their release day. */
  | { taken: ReleasePart[] }
  /** Parts that wait for their release day again. */
  | { putBack: ReleasePart[] }
  /** Parts that were released on their day. */
  | { released: ReleasePart[] }
) & {
  /** In the first movement of a fork: where its original stood. */
  forkedFrom?: ForkOrigin;
};

/** The parts that a movement added to the pending releases or removed from them. */
export function releasePartChanges(details: MovementDetails): {
  added: ReleasePart[];
  removed: ReleasePart[];
} {
  if ("releases" in details) return { added: details.releases, removed: [] };
  if ("putBack" in details) return { added: details.putBack, removed: [] };
  if ("taken" in details) return { added: [], removed: details.taken };
  if ("released" in details) return { added: [], removed: details.released };
  return { added: [], removed: [] };
}

/** Whether withdraw and movement agree on amount and payee. Checked before money is sent. */
export function isSamePayout(left: PayoutDetails, right: PayoutDetails): boolean {
  return (
    left.payoutId === right.payoutId &&
    left.amount === right.amount &&
    left.fee === right.fee &&
    left.pixKey === right.pixKey &&
    left.pixKeyType === right.pixKeyType &&
    left.creditorDocument === right.creditorDocument
  );
}

/** The details of a withdraw's first movement. */
export function payoutDetailsOf(withdraw: PayoutDetails): PayoutDetails {
  const { payoutId, amount, fee, pixKey, pixKeyType, creditorDocument } = withdraw;
  return { payoutId, amount, fee, pixKey, pixKeyType, creditorDocument };
}
