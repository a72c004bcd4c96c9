import type { CallOptions, Http } from "./http.ts";
import type { Schemas, Transaction, Withdraw } from "./types.ts";

/** Calls that one move of the clock makes at most. */
const CLOCK_CALLS_MAX = 100;

/** Plays the payers and banks of a sandbox company; a live company is refused. Amounts in centavos. */
export class Sandbox {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Pays a charge: what it asks for, or `amount`. */
  pay(id: string, body: Schemas["SandboxPay"] = {}, options?: CallOptions): Promise<Transaction> {
    return this.#charge("/api/v1/sandbox/transactions/{id}/pay", id, body, options);
  }

  fail(id: string, options?: CallOptions): Promise<Transaction> {
    return this.#charge("/api/v1/sandbox/transactions/{id}/fail", id, {}, options);
  }

  expire(id: string, options?: CallOptions): Promise<Transaction> {
    return this.#charge("/api/v1/sandbox/transactions/{id}/expire", id, {}, options);
  }

  /** The payer's bank disputes a PIX. */
  dispute(
    id: string,
    body: Schemas["SandboxDispute"] = {},
    options?: CallOptions,
  ): Promise<Transaction> {
    return this.#charge("/api/v1/sandbox/transactions/{id}/dispute", id, body, options);
  }

  resolveDispute(
    id: string,
    body: Schemas["SandboxResolveDispute"],
    options?: CallOptions,
  ): Promise<Transaction> {
    return this.#charge("/api/v1/sandbox/transactions/{id}/dispute/resolve", id, body, options);
  }

  /** The card's bank takes a payment back. */
  chargeBack(id: string, options?: CallOptions): Promise<Transaction> {
    return this.#charge("/api/v1/sandbox/transactions/{id}/chargeback", id, {}, options);
  }

  reverseChargeback(id: string, options?: CallOptions): Promise<Transaction> {
    return this.#charge("/api/v1/sandbox/transactions/{id}/chargeback/reverse", id, {}, options);
  }

  /** The payer approves a subscription. */
  async approveSubscription(id: string, options?: CallOptions): Promise<Schemas["Subscription"]> {
    const path = "/api/v1/sandbox/subscriptions/{id}/approve";
    return (await this.#http.call("post", path, { params: { id } }, options)).data;
  }

  /** The payer refuses a subscription. */
  async rejectSubscription(id: string, options?: CallOptions): Promise<Schemas["Subscription"]> {
    const path = "/api/v1/sandbox/subscriptions/{id}/reject";
    return (await this.#http.call("post", path, { params: { id } }, options)).data;
  }

  /** The payer cancels a subscription in the bank's app. */
  async payerCancelSubscription(
    id: string,
    options?: CallOptions,
  ): Promise<Schemas["Subscription"]> {
    const path = "/api/v1/sandbox/subscriptions/{id}/payer-cancel";
    return (await this.#http.call("post", path, { params: { id } }, options)).data;
  }

  /** What becomes of the next attempt to debit a charge. */
  async decideAttempt(
    id: string,
    body: Schemas["SandboxAttempt"],
    options?: CallOptions,
  ): Promise<Schemas["SubscriptionCharge"]> {
    const path = "/api/v1/sandbox/transactions/{id}/attempt";
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }

  /** Pays a static code. */
  payCode(
    id: string,
    body: Schemas["SandboxPayStaticCode"] = {},
    options?: CallOptions,
  ): Promise<Transaction> {
    return this.#charge("/api/v1/sandbox/pix/static-codes/{id}/pay", id, body, options);
  }

  /** A PIX that no charge asked for. */
  payWithoutCharge(
    body: Schemas["SandboxPayment"],
    options?: CallOptions,
  ): Promise<Schemas["SandboxPaid"]> {
    return this.#http.call("post", "/api/v1/sandbox/payments", { body }, options);
  }

  payWithdraw(id: number, options?: CallOptions): Promise<Withdraw> {
    return this.#withdraw("/api/v1/sandbox/withdraws/{id}/pay", id, {}, options);
  }

  failWithdraw(id: number, options?: CallOptions): Promise<Withdraw> {
    return this.#withdraw("/api/v1/sandbox/withdraws/{id}/fail", id, {}, options);
  }

  /** The receiving bank sends a withdraw back: all of it, or `amount`. */
  returnWithdraw(
    id: number,
    body: Schemas["SandboxReturn"] = {},
    options?: CallOptions,
  ): Promise<Withdraw> {
    return this.#withdraw("/api/v1/sandbox/withdraws/{id}/return", id, body, options);
  }

  terms(options?: CallOptions): Promise<Schemas["CompanyTerms"]> {
    return this.#http.call("get", "/api/v1/sandbox/settings", {}, options);
  }

  /** Changes what an operator sets for a live company: fees, delays, `frozen`. */
  changeTerms(
    body: Schemas["ChangeCompanyTermsInput"],
    options?: CallOptions,
  ): Promise<Schemas["CompanyTerms"]> {
    return this.#http.call("put", "/api/v1/sandbox/settings", { body }, options);
  }

  /** What goes wrong with webhooks on purpose. */
  webhookChaos(options?: CallOptions): Promise<Schemas["WebhookChaos"]> {
    return this.#http.call("get", "/api/v1/sandbox/webhooks/chaos", {}, options);
  }

  setWebhookChaos(
    body: Schemas["WebhookChaos"],
    options?: CallOptions,
  ): Promise<Schemas["WebhookChaos"]> {
    return this.#http.call("put", "/api/v1/sandbox/webhooks/chaos", { body }, options);
  }

  /** What goes wrong at the company's bank and receiver, by its clock. */
  async faults(options?: CallOptions): Promise<Schemas["SandboxFault"][]> {
    return (await this.#http.call("get", "/api/v1/sandbox/faults", {}, options)).data.items;
  }

  /** Has these faults happen and no others; none ends all. */
  async setFaults(
    items: Schemas["SandboxFaultsInput"]["items"],
    options?: CallOptions,
  ): Promise<Schemas["SandboxFault"][]> {
    const path = "/api/v1/sandbox/faults";
    return (await this.#http.call("put", path, { body: { items } }, options)).data.items;
  }

  /** The company's time, and whether it was moved. */
  async clock(options?: CallOptions): Promise<Schemas["CompanyClock"]["data"]> {
    return (await this.#http.call("get", "/api/v1/sandbox/clock", {}, options)).data;
  }

  /**
   * Moves the company's time forward by an ISO 8601 duration such as `P3D`, and returns all that became due, in order. Goes
   * on for 100 calls; `hasMore` says whether that was not enough: set the time `now` again.
   */
  async advance(duration: string, options?: CallOptions): Promise<Schemas["MovedClock"]["data"]> {
    // Counted from a time, so that a repeated attempt moves nothing twice.
    const { now } = await this.clock(options);
    return this.#moveClock({ advance: duration, from: now }, options);
  }

  /** As `advance`, to a time. */
  setClock(time: string, options?: CallOptions): Promise<Schemas["MovedClock"]["data"]> {
    return this.#moveClock({ set: time }, options);
  }

  async #moveClock(
    to: Schemas["MoveClock"],
    options?: CallOptions,
  ): Promise<Schemas["MovedClock"]["data"]> {
    const ran: Schemas["ClockItem"][] = [];
    let body = to;
    for (let calls = 1; ; calls += 1) {
      const path = "/api/v1/sandbox/clock";
      const { data } = await this.#http.call("post", path, { body }, options);
      ran.push(...data.ran);
      if (!data.hasMore || calls === CLOCK_CALLS_MAX) return { ...data, ran };
      body = { set: data.now };
    }
  }

  async #charge(
    path:
      | `/api/v1/sandbox/transactions/{id}/${"pay" | "fail" | "expire" | "dispute" | "chargeback"}`
      | "/api/v1/sandbox/transactions/{id}/dispute/resolve"
      | "/api/v1/sandbox/transactions/{id}/chargeback/reverse"
      | "/api/v1/sandbox/pix/static-codes/{id}/pay",
    id: string,
    body: object,
    options?: CallOptions,
  ): Promise<Transaction> {
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }

  #withdraw(
    path: `/api/v1/sandbox/withdraws/{id}/${"pay" | "fail" | "return"}`,
    id: number,
    body: object,
    options?: CallOptions,
  ): Promise<Withdraw> {
    return this.#http.call("post", path, { params: { id: String(id) }, body }, options);
  }
}
