import type { Cents } from "../shared/money.ts";

/** A declined attempt with a card, as its brand counts it. */
export interface CardDecline {
  /** Epoch milliseconds. */
  at: number;
  amount: Cents;
  /** As `card-validator` names it. */
  brand: string;
  /** The brand's own code; null where the acquirer gave none. */
  code: string | null;
  /** Mastercard's advice (MAC); null without one. */
  advice: string | null;
}
