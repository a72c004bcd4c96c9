import type { CallOptions, Http } from "./http.ts";
import type { Query, Schemas } from "./types.ts";

/** Cards by token: a shop's server never sees a number. */
export class Cards {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** A token for a card's fields, for good; only a sandbox company's server has a card to tokenize. */
  tokenize(
    body: Schemas["CardTokenRequest"],
    options?: CallOptions,
  ): Promise<Schemas["CardToken"]> {
    return this.#http.call("post", "/api/v1/cards/tokens", { body }, options);
  }

  /** The cards that a payer (`customer`: CPF or CNPJ) let the company keep. */
  async saved(
    query: Query<"/api/v1/cards">,
    options?: CallOptions,
  ): Promise<Schemas["SavedCards"]["data"]> {
    return (await this.#http.call("get", "/api/v1/cards", { query }, options)).data;
  }

  /** Deletes a saved card, which can be charged no more. */
  async delete(id: string, options?: CallOptions): Promise<Schemas["OneSavedCard"]["data"]> {
    return (await this.#http.call("delete", "/api/v1/cards/{id}", { params: { id } }, options))
      .data;
  }
}

/** Payments that no charge asked for, and all that came. */
export class Payments {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** A page of payments without a charge: second, late, of another amount. */
  unexpected(
    query: Query<"/api/v1/payments/unexpected"> = {},
    options?: CallOptions,
  ): Promise<Schemas["UnexpectedPayments"]> {
    return this.#http.call("get", "/api/v1/payments/unexpected", { query }, options);
  }

  async get(id: string, options?: CallOptions): Promise<Schemas["UnexpectedPayment"]> {
    const path = "/api/v1/payments/unexpected/{id}";
    return (await this.#http.call("get", path, { params: { id } }, options)).data;
  }

  /** Sends one back to its payer. */
  async return(id: string, options?: CallOptions): Promise<Schemas["UnexpectedPayment"]> {
    const path = "/api/v1/payments/unexpected/{id}/return";
    return (await this.#http.call("post", path, { params: { id }, body: {} }, options)).data;
  }

  /** Takes one into the balance. */
  async credit(
    id: string,
    body: Schemas["CreditPayment"] = {},
    options?: CallOptions,
  ): Promise<Schemas["UnexpectedPayment"]> {
    const path = "/api/v1/payments/unexpected/{id}/credit";
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }

  /** Whether a payment arrived: by its end-to-end id, or by amount and time. */
  received(
    query: Query<"/api/v1/payments/received">,
    options?: CallOptions,
  ): Promise<Schemas["ReceivedPayments"]> {
    return this.#http.call("get", "/api/v1/payments/received", { query }, options);
  }
}

/** Refunds that wait for somebody else. */
export class Refunds {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  waiting(
    query: Omit<Query<"/api/v1/refunds">, "approval"> = {},
    options?: CallOptions,
  ): Promise<Schemas["RequestedRefunds"]> {
    const pending = { ...query, approval: "pending" as const };
    return this.#http.call("get", "/api/v1/refunds", { query: pending }, options);
  }

  async approve(
    id: string,
    body: Schemas["RefundDecision"] = {},
    options?: CallOptions,
  ): Promise<Schemas["RequestedRefundEnvelope"]["data"]> {
    const path = "/api/v1/refunds/{id}/approve";
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }

  async refuse(
    id: string,
    body: Schemas["RefundDecision"] = {},
    options?: CallOptions,
  ): Promise<Schemas["RequestedRefundEnvelope"]["data"]> {
    const path = "/api/v1/refunds/{id}/refuse";
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }
}

/** What moved the balance. */
export class Statement {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** A page of entries, newest first. */
  entries(
    query: Query<"/api/v1/statement/entries"> = {},
    options?: CallOptions,
  ): Promise<Schemas["StatementEntries"]> {
    return this.#http.call("get", "/api/v1/statement/entries", { query }, options);
  }

  /** The entries of a time as CSV. */
  entriesCsv(
    query: Query<"/api/v1/statement/entries"> = {},
    options?: CallOptions,
  ): Promise<string> {
    return this.#http.text("get", "/api/v1/statement/entries", { query }, "text/csv", options);
  }

  /** The money that a day releases. */
  releases(
    query: Query<"/api/v1/releases">,
    options?: CallOptions,
  ): Promise<Schemas["PendingReleases"]> {
    return this.#http.call("get", "/api/v1/releases", { query }, options);
  }
}

/** The company's own limits and rules. */
export class Settings {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  get(options?: CallOptions): Promise<Schemas["CompanySettings"]> {
    return this.#http.call("get", "/api/v1/company/settings", {}, options);
  }

  /** What is stricter holds at once, what is looser later: it stands in `pending`. */
  change(
    body: Schemas["ChangeCompanySettingsInput"],
    options?: CallOptions,
  ): Promise<Schemas["CompanySettings"]> {
    return this.#http.call("put", "/api/v1/company/settings", { body }, options);
  }
}
