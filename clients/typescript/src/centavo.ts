import { Events } from "./events.ts";
import { Http, type CallOptions, type CentavoOptions } from "./http.ts";
import { Cards, Payments, Refunds, Settings, Statement } from "./company.ts";
import { Codes, Disputes, Links, Reports, Transactions, Withdraws } from "./resources.ts";
import { Subscriptions } from "./subscriptions.ts";
import type { Schemas } from "./types.ts";
import { Sandbox } from "./sandbox.ts";
import { Webhooks } from "./webhook-endpoints.ts";

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
  readonly subscriptions: Subscriptions;
  readonly codes: Codes;
  readonly disputes: Disputes;
  readonly cards: Cards;
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly statement: Statement;
  readonly settings: Settings;
  readonly webhooks: Webhooks;
  /** What only a sandbox company can do: play its payers and banks. */
  readonly sandbox: Sandbox;
  readonly #http: Http;

  constructor(options: CentavoOptions) {
    const http = new Http(options);
    this.#http = http;
    this.transactions = new Transactions(http);
    this.withdraws = new Withdraws(http);
    this.events = new Events(http);
    this.reports = new Reports(http);
    this.links = new Links(http);
    this.subscriptions = new Subscriptions(http);
    this.codes = new Codes(http);
    this.disputes = new Disputes(http);
    this.cards = new Cards(http);
    this.payments = new Payments(http);
    this.refunds = new Refunds(http);
    this.statement = new Statement(http);
    this.settings = new Settings(http);
    this.webhooks = new Webhooks(http);
    this.sandbox = new Sandbox(http);
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
