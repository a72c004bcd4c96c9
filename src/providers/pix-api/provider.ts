import type { Clock } from "../../domain/clock.ts";
import type {
  CancelOutcome,
  CaptureOutcome,
  ChargeOutcome,
  ChargeReport,
  PaymentReport,
  PayoutLookup,
  PayoutOutcome,
  Provider,
  RecentPayments,
  RefundLookup,
  RefundOutcome,
} from "../provider.ts";
import type { PixApiConfig } from "./config.ts";
import type { TokenCache } from "./tokens.ts";

/** What a `PixApiProvider` is made of. */
export interface PixApiParts {
  config: PixApiConfig;
  /** The `fetch` of the config's certificate binding, or the global one where it names none. */
  fetch: (request: Request) => Promise<Response>;
  clock: Clock;
  /** One for the whole isolate. */
  tokens: TokenCache;
  /** Of tests and local development only. */
  allowHttpLoopback?: boolean;
  /** Of one call to the PSP; `CALL_TIMEOUT_MS` where it is not given. */
  timeoutMs?: number;
}

/** A PSP that speaks the central bank's Pix API 2.9.0, and pays out by Efí's `gn/pix`. */
export class PixApiProvider implements Provider {
  readonly name = "PixApi";
  readonly paymentMethods = ["PIX"] as const;
  readonly idempotentPayouts = true;
  readonly idempotentRefunds = true;

  constructor(_parts: PixApiParts) {}

  async createCharge(): Promise<ChargeOutcome> {
    return { kind: "unknown" };
  }

  async findCharge(): Promise<ChargeReport> {
    return { kind: "unknown" };
  }

  async findPayment(): Promise<PaymentReport> {
    return { kind: "unknown" };
  }

  async cancelCharge(): Promise<CancelOutcome> {
    return { kind: "unknown" };
  }

  async captureCharge(): Promise<CaptureOutcome> {
    return { kind: "refused", reason: "A PIX is not captured." };
  }

  async sendRefund(): Promise<RefundOutcome> {
    return { kind: "unknown" };
  }

  async findRefund(): Promise<RefundLookup> {
    return { kind: "unknown" };
  }

  async sendPayout(): Promise<PayoutOutcome> {
    return { kind: "unknown" };
  }

  async findPayout(): Promise<PayoutLookup> {
    return { kind: "unknown" };
  }

  async recentPayments(): Promise<RecentPayments> {
    return { kind: "unknown" };
  }

  /** Tells the PSP where to announce the payments of the key; it appends `/pix` to the URL. */
  async registerWebhook(_url: string): Promise<WebhookOutcome> {
    return { kind: "unknown" };
  }
}

export type WebhookOutcome =
  | { kind: "registered" }
  | { kind: "unknown" }
  | { kind: "refused"; message: string };
