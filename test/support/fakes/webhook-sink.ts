import { DeliveryLeases } from "../../../src/company/deliveries/delivery-leases.ts";
import type { DeliveryRef, DeliveryTarget } from "../../../src/domain/events/delivery.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import type { Env } from "../../../src/config.ts";
import { deliver, type DeliveryDeps } from "../../../src/webhooks/delivery/deliver.ts";
import { env, type TestCompany } from "../builders/companies/env.ts";
import { deliveriesOf } from "../probes/webhooks/webhook-rows.ts";

/** The middle of [0, 1): waits without jitter. */
const NO_JITTER = 0.5;

export interface ReceivedWebhook {
  url: string;
  id: string;
  headers: Record<string, string>;
  rawBody: string;
  body: any;
  init: RequestInit;
}

/** A merchant's server that records its requests and responds 204 unless told otherwise. */
export class WebhookSink {
  readonly received: ReceivedWebhook[] = [];
  /** The wake-up messages with their delay. */
  readonly wakeUps: { ref: DeliveryRef; delayMs: number }[] = [];
  respond: (request: ReceivedWebhook, init: RequestInit) => Response | Promise<Response> = () =>
    new Response(null, { status: 204 });
  jitter = NO_JITTER;
  /** The object has been in memory for long. */
  leases = new DeliveryLeases(0);
  /** The resolved addresses of the target. */
  addresses: (host: string) => string[] = () => ["1.1.1.1"];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Responds to every request with this status. */
  respondWith(status: number, headers: Record<string, string> = {}): this {
    this.respond = () => new Response(null, { status, headers });
    return this;
  }

  types(): string[] {
    return this.received.map((request) => request.body.type);
  }

  deps(): DeliveryDeps {
    return {
      platformClock: this.#clock,
      fetch: this.#fetch,
      resolve: async (host) => this.addresses(host),
      jitter: () => this.jitter,
      enqueueWakeUp: async ({ companyId, companySequence, target }, delayMs) => {
        this.wakeUps.push({ ref: { companyId, companySequence, target }, delayMs });
      },
      leases: {
        acquire: async (_companyId, request) => this.leases.acquire(request, this.#clock.now()),
        release: async (_companyId, request, goOn) =>
          this.leases.release(request, goOn, this.#clock.now()),
      },
    };
  }

  /** Delivers one event as the queue consumer does. */
  deliver(
    company: TestCompany,
    companySequence: number,
    options: { target?: DeliveryTarget; env?: Env } = {},
  ): Promise<void> {
    const ref = { companyId: company.id, companySequence, target: options.target ?? "postback" };
    return deliver(options.env ?? env, ref, this.deps());
  }

  /** Delivers every open delivery of the company. */
  async deliverAll(company: TestCompany, from: Env = env): Promise<void> {
    for (const { companySequence, target, dueAt } of await deliveriesOf(company)) {
      if (dueAt !== null) await this.deliver(company, companySequence, { target, env: from });
    }
  }

  readonly #fetch = (async (input: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>;
    const rawBody = init.body as string;
    const request: ReceivedWebhook = {
      url: input,
      id: headers["webhook-id"] ?? "",
      headers,
      rawBody,
      body: JSON.parse(rawBody),
      init,
    };
    this.received.push(request);
    return this.respond(request, init);
  }) as unknown as typeof fetch;
}
