import type { Card, ChargedCard, RefusedReason } from "../../domain/charges/payment-details.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { ProviderDispute, ProviderPayment } from "../charge.ts";

export type SandboxPayoutStatus = "processing" | "paid" | "failed" | "returned";
export type SandboxRefundStatus = "done" | "refused";

interface SandboxRefund {
  refundId: string;
  paymentId: string;
  amount: Cents;
  /** Unix milliseconds. */
  orderedAt: number;
  /** Whether it stands instead of the payment's open dispute, whose money it may take. */
  isInstead: boolean;
}

/** A charge as the sandbox bank knows it; an unknown one is open. */
export interface SandboxCharge {
  status: "open" | "failed" | "expired" | "cancelled";
  payments: ProviderPayment[];
  disputes: ProviderDispute[];
  /** Null where no card order reached the acquirer. */
  card: SandboxCard | null;
}

/** `unheard`: the order was lost (simulated), until a simulated payment or end decides the charge. */
export type CardDecision = "approved" | "refused" | "unheard";

/** The sandbox acquirer's decision about a card, one for each charge. */
export interface SandboxCard {
  decision: CardDecision;
  /** The most that may be taken, centavos. */
  amount: Cents;
  /** Its `authorizationCode` counts once the card was approved. */
  card: ChargedCard;
  nsu: string;
  refusedReason: RefusedReason | null;
}

/** A card that was made a token of. */
export interface SandboxToken {
  token: string;
  card: Card;
  /** The acquirer's answer to it (`CardOutcome`). */
  outcome: string;
  createdAt: number;
}

export interface SandboxPayout {
  status: SandboxPayoutStatus;
  endToEndId: string | null;
  /** When it was ordered, or decided without an order (Unix milliseconds). */
  orderedAt: number;
  /** The part of a paid one that has come back so far. */
  returnedAmount: Cents;
}

interface SandboxPayment {
  payment: ProviderPayment;
  chargeId: string;
  txid: string | null;
  disputes: ProviderDispute[];
}

/** The sandbox bank's memory. */
export interface SandboxStore {
  charge(chargeId: string): Promise<SandboxCharge>;
  /** A payment with its disputes, for a charge, a static code (`txid`) or neither. */
  findPayment(paymentId: string): Promise<SandboxPayment | null>;
  addPayment(chargeId: string, payment: ProviderPayment, txid: string | null): Promise<void>;
  /**
   * Ends a charge that is open and unpaid; otherwise it stays as it is. A card fails only where the
   * acquirer had not heard of it, and ends otherwise only where it was authorized.
   */
  endCharge(chargeId: string, status: "failed" | "expired" | "cancelled"): Promise<void>;
  /**
   * Books a decision about a card, and the payment where it is taken at once, unless a decision about
   * that charge is booked already. Answers the charge as it stands then.
   */
  recordCardDecision(
    chargeId: string,
    card: SandboxCard,
    payment: ProviderPayment | null,
  ): Promise<SandboxCharge>;
  /**
   * Takes the money of a card, once, where its decision is one of these, it has not ended and the amount
   * is covered. Answers the charge as it stands then.
   */
  captureCard(
    chargeId: string,
    decisions: readonly CardDecision[],
    payment: ProviderPayment,
  ): Promise<SandboxCharge>;
  addToken(token: SandboxToken): Promise<void>;
  /** Null where the company has no such token. */
  findToken(token: string): Promise<SandboxToken | null>;
  /** Books a refund unless it is known: refused where the payment has less left. */
  recordRefund(order: SandboxRefund): Promise<SandboxRefundStatus>;
  findRefund(refundId: string): Promise<{ status: SandboxRefundStatus; orderedAt: number } | null>;
  /** Asks back all that is left of a payment; nothing happens where nothing is left. */
  addDispute(
    chargeId: string,
    paymentId: string,
    dispute: Pick<ProviderDispute, "kind" | "status" | "reason" | "deadline">,
  ): Promise<void>;
  /** Decides a charge's open dispute, if there is one. */
  resolveDispute(chargeId: string, status: "WON" | "LOST"): Promise<void>;
  /** Gives back the money that chargebacks took of a charge's payment, if any. */
  reverseChargebacks(chargeId: string): Promise<void>;
  payout(payoutId: string): Promise<SandboxPayout | null>;
  /** Books a payout unless it is known; answers the booked one. */
  recordPayout(payoutId: string, payout: SandboxPayout): Promise<SandboxPayout>;
  /** Transitions a payout that is in `from`; answers the payout as it stands then. */
  transitionPayout(
    payoutId: string,
    from: SandboxPayoutStatus,
    to: SandboxPayout,
  ): Promise<SandboxPayout | null>;
}

/** The receiving bank's decision by the last two digits of the amount: 99 fails, 98 stays open. */
export function simulatedPayoutStatus(amount: Cents): "paid" | "failed" | "processing" {
  const lastTwoDigits = amount % 100;
  if (lastTwoDigits === 99) return "failed";
  return lastTwoDigits === 98 ? "processing" : "paid";
}
