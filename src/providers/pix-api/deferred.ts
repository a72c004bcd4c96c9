import type { PayoutOrder } from "../../domain/withdraw.ts";
import type { ChargeOrder, Provider, RefundOrder } from "../provider.ts";
import type { ClientParts } from "./client.ts";
import type { PixApiProvider } from "./provider.ts";

/**
 * The PSP of a live company. Its code is loaded with the first call, which a Worker that only serves
 * sandbox companies, or only reads, never makes.
 */
export class DeferredPixApi implements Provider {
  readonly name = "PixApi";
  readonly paymentMethods = ["PIX"] as const;
  readonly idempotentPayouts = true;
  readonly idempotentRefunds = true;
  readonly #parts: ClientParts;
  #loaded: Promise<PixApiProvider> | null = null;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  async createCharge(order: ChargeOrder) {
    return (await this.#provider()).createCharge(order);
  }

  async findCharge(chargeId: string) {
    return (await this.#provider()).findCharge(chargeId);
  }

  async findPayment(paymentId: string) {
    return (await this.#provider()).findPayment(paymentId);
  }

  async cancelCharge(chargeId: string) {
    return (await this.#provider()).cancelCharge(chargeId);
  }

  async captureCharge() {
    return (await this.#provider()).captureCharge();
  }

  async sendRefund(order: RefundOrder) {
    return (await this.#provider()).sendRefund(order);
  }

  async findRefund(order: RefundOrder) {
    return (await this.#provider()).findRefund(order);
  }

  async sendPayout(order: PayoutOrder) {
    return (await this.#provider()).sendPayout(order);
  }

  async findPayout(payoutId: string) {
    return (await this.#provider()).findPayout(payoutId);
  }

  async recentPayments(window: { from: number; to: number }, page: number) {
    return (await this.#provider()).recentPayments(window, page);
  }

  async registerWebhook(url: string) {
    return (await this.#provider()).registerWebhook(url);
  }

  #provider(): Promise<PixApiProvider> {
    this.#loaded ??= import("./provider.ts").then(
      ({ PixApiProvider: Loaded }) => new Loaded(this.#parts),
    );
    return this.#loaded;
  }
}
