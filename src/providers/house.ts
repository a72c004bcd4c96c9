import type { CardIdentity } from "../domain/charges/payment-details.ts";
import type {
  BindCharge,
  ExtendOutcome,
  PayoutLookup,
  PayoutOutcome,
  ProviderBalance,
} from "./provider.ts";

/** Of a charge that only this account is ever asked for. */
export const isBound: BindCharge = async () => true;

/** What accounts at houses of boletos and cards have alike: they have no PIX, pay nothing out and tell no balance. */
export abstract class House {
  readonly pixKey = null;
  readonly pspClient = null;
  readonly mandates = null;
  readonly paymentMethods = ["BOLETO", "CREDIT_CARD"] as const;
  readonly refundMethods = ["CREDIT_CARD"] as const;
  readonly idempotentPayouts = false;

  /** Another due date is another line, so the payer's code could not stay. */
  async extendCharge(): Promise<ExtendOutcome> {
    return { kind: "refused" };
  }

  /** A token hides its card. */
  async cardOfToken(): Promise<CardIdentity | null> {
    return null;
  }

  async sendPayout(): Promise<PayoutOutcome> {
    return { kind: "unknown" };
  }

  async findPayout(): Promise<PayoutLookup> {
    return { kind: "unknown" };
  }

  async balance(): Promise<ProviderBalance> {
    return { kind: "unsupported" };
  }
}
