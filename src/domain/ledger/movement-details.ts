import type { CorrectionDetails } from "../reconciliation/contradiction.ts";
import type { Cents } from "../shared/money.ts";
import type { PixKeyType } from "../shared/pix-key.ts";
import type { ReleasePart } from "./release.ts";

/** What an accepted withdraw pays, and to whom. Centavos. */
export interface PayoutDetails {
  payoutId: string;
  amount: Cents;
  fee: Cents;
  pixKey: string;
  pixKeyType: PixKeyType;
  creditorDocument: string;
}

/** What a payment credited, and when its parts are released. Centavos, epoch milliseconds. */
interface PaymentDetails {
  paymentId: string;
  paidAmount: Cents;
  fee: Cents;
  releases: ReleasePart[];
}

/**
 * What of a movement decides money later and is no posting. Its hash is part of the movement's, so that
 * the rows which are acted upon can be compared with it.
 */
export type MovementDetails =
  | PayoutDetails
  | PaymentDetails
  | CorrectionDetails
  /** Parts of a credit that were set aside or given back before their time. */
  | { taken: ReleasePart[] }
  /** Parts that wait for their day again. */
  | { putBack: ReleasePart[] }
  /** Parts whose day has come. */
  | { released: ReleasePart[] };

/** The parts of a credit that a movement began to wait for, and those it no longer waits for. */
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

/** What withdraw and movement must agree on before money is sent. */
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

/** The part of a withdraw that its first movement carries. */
export function payoutDetailsOf(withdraw: PayoutDetails): PayoutDetails {
  const { payoutId, amount, fee, pixKey, pixKeyType, creditorDocument } = withdraw;
  return { payoutId, amount, fee, pixKey, pixKeyType, creditorDocument };
}
