import { Events } from "./events.ts";
import { Http, type CallOptions, type CentavoOptions } from "./http.ts";
import { Codes, Disputes, Links, Reports, Transactions, Withdraws } from "./resources.ts";
import type { Schemas } from "./types.ts";
import * as webhooks from "./webhooks.ts";

const CURRENCY = "BRL";

/**
 * A company's side of a Centavo service, for servers: the key is a secret. Every call that makes or moves something has
 * an idempotency key, is repeated with it while the service does not answer, and throws a `CentavoError` in the end.
 */
export class Centavo {
  readonly transactions: Transactions;
  readonly withdraws: Withdraws;
  readonly events: Events;
  readonly reports: Reports;
  readonly links: Links;
  readonly codes: Codes;
  readonly disputes: Disputes;
  readonly webhooks = webhooks;
  readonly #http: Http;

  constructor(options: CentavoOptions) {
    const http = new Http(options);
    this.#http = http;
    this.transactions = new Transactions(http);
    this.withdraws = new Withdraws(http);
    this.events = new Events(http);
    this.reports = new Reports(http);
    this.links = new Links(http);
    this.codes = new Codes(http);
    this.disputes = new Disputes(http);
  }

  /** The balance in centavos. */
  async balance(options?: CallOptions): Promise<Schemas["OwnBalance"]["data"]> {
    const query = { currency: CURRENCY };
    return (await this.#http.call("get", "/api/v1/balance", { query }, options)).data;
  }

  /** Whose credentials these are. */
  async me(options?: CallOptions): Promise<Schemas["Me"]["data"]> {
    return (await this.#http.call("get", "/api/v1/me", {}, options)).data;
  }

  /** Compares a list of your own with the company's transactions. */
  reconcile(
    body: Schemas["ReconcileLines"],
    options?: CallOptions,
  ): Promise<Schemas["ReconcileResult"]> {
    return this.#http.call("post", "/api/v1/reconcile", { body }, options);
  }
}
