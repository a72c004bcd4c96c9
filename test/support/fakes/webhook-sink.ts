import { SendSlots } from "../../../src/company/deliveries/send-slots.ts";
import type { DeliveryRef, DeliveryTarget } from "../../../src/domain/events/delivery.ts";
import type { Clock } from "../../../src/domain/shared/clock.ts";
import type { Env } from "../../../src/config.ts";
import { deliver, type DeliveryDeps } from "../../../src/webhooks/delivery/deliver.ts";
import { env, type TestCompany } from "./env.ts";
import { deliveriesOf } from "../probes/webhook-rows.ts";

/** The middle of [0, 1): the schedule's waits as they are written. */
const NO_JITTER = 0.5;

export interface Received {
  url: string;
  id: string;
  headers: Record<string, string>;
  rawBody: string;
  body: any;
  init: RequestInit;
}

/** A merchant's server: keeps what it was sent and answers 204 unless told otherwise. */
export class WebhookSink {
  readonly received: Received[] = [];
  /** What the queue was asked to say later. */
  readonly hints: { ref: DeliveryRef; delayMs: number }[] = [];
  answer: (request: Received, init: RequestInit) => Response | Promise<Response> = () =>
    new Response(null, { status: 204 });
  jitter = NO_JITTER;
  /** Long in memory. */
  slots = new SendSlots(0);
  /** What a resolver knows of the target's name. */
  addresses: (host: string) => string[] = () => [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers every request alike. */
  answering(status: number, headers: Record<string, string> = {}): this {
    this.answer = () => new Response(null, { status, headers });
    return this;
  }

  types(): string[] {
    return this.received.map((request) => request.body.type);
  }

  deps(): DeliveryDeps {
    return {
      clock: this.#clock,
      fetch: this.#fetch,
      resolve: async (host) => this.addresses(host),
      jitter: () => this.jitter,
      hintLater: async ({ companyId, companySequence, target }, delayMs) => {
        this.hints.push({ ref: { companyId, companySequence, target }, delayMs });
      },
      slots: {
        take: async (_companyId, request) => this.slots.take(request, this.#clock.now()),
        free: async (_companyId, request, goOn) =>
          this.slots.free(request, goOn, this.#clock.now()),
      },
    };
  }

  /** What the consumer does with the hint of one delivery. */
  deliver(
    company: TestCompany,
    companySequence: number,
    options: { target?: DeliveryTarget; env?: Env } = {},
  ): Promise<void> {
    const ref = { companyId: company.id, companySequence, target: options.target ?? "postback" };
    return deliver(options.env ?? env, ref, this.deps());
  }

  /** Follows one hint for each delivery of the company that is still open. */
  async deliverAll(company: TestCompany): Promise<void> {
    for (const { companySequence, target, dueAt } of await deliveriesOf(company)) {
      if (dueAt !== null) await this.deliver(company, companySequence, { target });
    }
  }

  readonly #fetch = (async (input: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>;
    const rawBody = init.body as string;
    const request: Received = {
      url: input,
      id: headers["webhook-id"] ?? "",
      headers,
      rawBody,
      body: JSON.parse(rawBody),
      init,
    };
    this.received.push(request);
    return this.answer(request, init);
  }) as unknown as typeof fetch;
}
