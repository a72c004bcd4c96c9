import type { CallOptions, Http } from "./http.ts";
import type { Query, Schemas } from "./types.ts";
import { verify } from "./webhooks.ts";

const ENDPOINT = "/api/v1/webhooks/endpoints/{id}";

/** Verifies webhooks, and tells the gateway where to send them. */
export class Webhooks {
  readonly verify = verify;
  readonly endpoints: Endpoints;
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
    this.endpoints = new Endpoints(http);
  }

  /** Sends a test event to the company's addresses and says what they answered. */
  test(
    body: Schemas["TestWebhookInput"] = {},
    options?: CallOptions,
  ): Promise<Schemas["EventDetail"]> {
    return this.#http.call("post", "/api/v1/webhooks/test", { body }, options);
  }

  /** Why a webhook that a handler got does not verify. */
  diagnose(
    body: Schemas["ReceivedWebhook"],
    options?: CallOptions,
  ): Promise<Schemas["WebhookDiagnosis"]> {
    return this.#http.call("post", "/api/v1/webhooks/verify", { body }, options);
  }

  /** A page of what was sent, newest first. */
  deliveries(
    query: Query<"/api/v1/webhooks/deliveries"> = {},
    options?: CallOptions,
  ): Promise<Schemas["Deliveries"]> {
    return this.#http.call("get", "/api/v1/webhooks/deliveries", { query }, options);
  }

  /** Sends one delivery again. */
  resend(id: string, options?: CallOptions): Promise<Schemas["Delivery"]> {
    const path = "/api/v1/webhooks/deliveries/{id}/resend";
    return this.#http.call("post", path, { params: { id } }, options);
  }

  /** Sends again what went wrong in a time. */
  resendAll(
    body: Schemas["ResendWebhooksInput"],
    options?: CallOptions,
  ): Promise<Schemas["Deliveries"]> {
    return this.#http.call("post", "/api/v1/webhooks/deliveries/resend", { body }, options);
  }
}

/** The addresses that get the company's events, each with its types and its secret. */
class Endpoints {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  list(
    query: Query<"/api/v1/webhooks/endpoints"> = {},
    options?: CallOptions,
  ): Promise<Schemas["WebhookEndpoints"]> {
    return this.#http.call("get", "/api/v1/webhooks/endpoints", { query }, options);
  }

  /** The answer shows the `secret`, which `verify` takes: no later one does. */
  async create(
    body: Schemas["CreateWebhookEndpointInput"],
    options?: CallOptions,
  ): Promise<Schemas["MadeWebhookEndpointEnvelope"]["data"]> {
    return (await this.#http.call("post", "/api/v1/webhooks/endpoints", { body }, options)).data;
  }

  async change(
    id: string,
    body: Schemas["ChangeWebhookEndpointInput"],
    options?: CallOptions,
  ): Promise<Schemas["WebhookEndpointEnvelope"]["data"]> {
    return (await this.#http.call("patch", ENDPOINT, { params: { id }, body }, options)).data;
  }

  async delete(
    id: string,
    options?: CallOptions,
  ): Promise<Schemas["WebhookEndpointEnvelope"]["data"]> {
    return (await this.#http.call("delete", ENDPOINT, { params: { id } }, options)).data;
  }

  /** A new secret, shown once; the old one signs too for `overlapHours`. */
  async rotateSecret(
    id: string,
    body: Schemas["RotateWebhookSecretInput"] = {},
    options?: CallOptions,
  ): Promise<Schemas["RotatedWebhookEndpointEnvelope"]["data"]> {
    const path = "/api/v1/webhooks/endpoints/{id}/rotate-secret";
    return (await this.#http.call("post", path, { params: { id }, body }, options)).data;
  }
}
