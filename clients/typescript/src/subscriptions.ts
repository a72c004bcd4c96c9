import type { CallOptions, Http } from "./http.ts";
import type { Schemas } from "./types.ts";

type Subscription = Schemas["Subscription"];
type Charge = Schemas["SubscriptionCharge"];

const CHARGES = "/api/v1/subscriptions/{id}/charges";

/** Automatic debits that payers approve at their banks (Pix Automático). Amounts in centavos. */
export class Subscriptions {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async create(
    body: Schemas["CreateSubscriptionInput"],
    options?: CallOptions,
  ): Promise<Subscription> {
    return (await this.#http.call("post", "/api/v1/subscriptions", { body }, options)).data;
  }

  async get(id: string, options?: CallOptions): Promise<Subscription> {
    const path = "/api/v1/subscriptions/{id}";
    return (await this.#http.call("get", path, { params: { id } }, options)).data;
  }

  list(
    query: { status?: Subscription["status"]; after?: string; limit?: number } = {},
    options?: CallOptions,
  ): Promise<Schemas["Subscriptions"]> {
    return this.#http.call("get", "/api/v1/subscriptions", { query }, options);
  }

  /** What the next cycles are debited, where the payer approved a minimum. */
  async change(
    id: string,
    body: Schemas["ChangeSubscriptionInput"],
    options?: CallOptions,
  ): Promise<Subscription> {
    const path = "/api/v1/subscriptions/{id}";
    return (await this.#http.call("patch", path, { params: { id }, body }, options)).data;
  }

  async cancel(id: string, options?: CallOptions): Promise<Subscription> {
    const path = "/api/v1/subscriptions/{id}/cancel";
    return (await this.#http.call("post", path, { params: { id } }, options)).data;
  }

  async pause(id: string, options?: CallOptions): Promise<Subscription> {
    const path = "/api/v1/subscriptions/{id}/pause";
    return (await this.#http.call("post", path, { params: { id } }, options)).data;
  }

  async resume(id: string, options?: CallOptions): Promise<Subscription> {
    const path = "/api/v1/subscriptions/{id}/resume";
    return (await this.#http.call("post", path, { params: { id } }, options)).data;
  }

  /** The cycles that were opened, newest first, with each attempt. */
  charges(
    id: string,
    query: { after?: string; limit?: number } = {},
    options?: CallOptions,
  ): Promise<Schemas["SubscriptionCharges"]> {
    return this.#http.call("get", CHARGES, { params: { id }, query }, options);
  }

  /** Opens the next cycle before its time, with an amount of its own if it has one. */
  async openCharge(
    id: string,
    body: Schemas["OpenSubscriptionChargeInput"],
    options?: CallOptions,
  ): Promise<Charge> {
    return (await this.#http.call("post", CHARGES, { params: { id }, body }, options)).data;
  }

  /** Tries a failed debit again, on a day that the rules allow. */
  async retryCharge(
    id: string,
    transactionId: string,
    body: Schemas["RetrySubscriptionChargeInput"],
    options?: CallOptions,
  ): Promise<Charge> {
    const path = "/api/v1/subscriptions/{id}/charges/{transactionId}/retry";
    const params = { id, transactionId };
    return (await this.#http.call("post", path, { params, body }, options)).data;
  }

  async cancelCharge(id: string, transactionId: string, options?: CallOptions): Promise<Charge> {
    const path = "/api/v1/subscriptions/{id}/charges/{transactionId}/cancel";
    return (await this.#http.call("post", path, { params: { id, transactionId } }, options)).data;
  }

  /** Makes the PIX by which the payer pays one cycle himself: `byHand` of the answer. */
  async payByHand(id: string, transactionId: string, options?: CallOptions): Promise<Charge> {
    const path = "/api/v1/subscriptions/{id}/charges/{transactionId}/by-hand";
    return (await this.#http.call("post", path, { params: { id, transactionId } }, options)).data;
  }

  /** What failed and what of it was recovered, by month. */
  recovery(
    query: { from?: string; to?: string } = {},
    options?: CallOptions,
  ): Promise<Schemas["SubscriptionRecoveryReport"]> {
    return this.#http.call("get", "/api/v1/reports/subscriptions", { query }, options);
  }

  /** What other days of retries would have recovered, such as `1,3,5`. */
  async backtest(
    query: { retry: string },
    options?: CallOptions,
  ): Promise<Schemas["SubscriptionRetryBacktest"]["data"]> {
    const path = "/api/v1/reports/subscriptions/backtest";
    return (await this.#http.call("get", path, { query }, options)).data;
  }

  /** What will be debited, by day, from today on. */
  upcoming(query: { days?: number } = {}, options?: CallOptions): Promise<Schemas["DebitOutlook"]> {
    return this.#http.call("get", "/api/v1/reports/subscriptions/upcoming", { query }, options);
  }

  /** What the banks of payers did with mandates and debits. */
  banks(
    query: { from?: string; to?: string } = {},
    options?: CallOptions,
  ): Promise<Schemas["PayerBanks"]> {
    return this.#http.call("get", "/api/v1/reports/subscriptions/banks", { query }, options);
  }
}
