import { Controller, Inject, Post, Req, Res } from "@nestjs/common";
import { Logger } from "@vendure/core";
import { WebhookError, webhooks } from "centavo";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { CENTAVO_OPTIONS, LOG, type CentavoPluginOptions } from "./options.ts";
import { SettlementService } from "./settlement.service.ts";

export const WEBHOOK_ROUTE = "centavo/webhook";
/** Many times what an event takes. */
const BODY_MAX_BYTES = 1_048_576;

/** A request whose body `keepRawBody` has kept. */
interface RawRequest {
  body: unknown;
  headers: IncomingHttpHeaders;
}

/** Answers 2xx only once the order is where the event says; anything else is sent again, and is in the list of events. */
@Controller()
export class WebhookController {
  constructor(
    @Inject(CENTAVO_OPTIONS) private options: CentavoPluginOptions,
    @Inject(SettlementService) private settlement: SettlementService,
  ) {}

  @Post(WEBHOOK_ROUTE)
  async receive(@Req() request: RawRequest, @Res() response: ServerResponse): Promise<void> {
    response.statusCode = await this.#statusOf(request);
    response.end();
  }

  async #statusOf({ body, headers }: RawRequest): Promise<number> {
    if (!Buffer.isBuffer(body)) return 400;
    try {
      const raw = new Uint8Array(body);
      const event = await webhooks.verify(raw, headers, this.options.webhookSecret);
      await this.settlement.handle(event);
      return 204;
    } catch (error) {
      Logger.error(`Webhook ${String(headers["webhook-id"])}: ${String(error)}`, LOG);
      return error instanceof WebhookError ? 400 : 503;
    }
  }
}

/** Keeps the raw body in the place of a parsed one: the signature is over its bytes. */
export function keepRawBody(
  request: IncomingMessage & { body?: Buffer },
  response: ServerResponse,
  next: () => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_MAX_BYTES) chunks.push(chunk);
  });
  request.on("end", () => {
    if (bytes > BODY_MAX_BYTES) {
      response.statusCode = 413;
      response.end();
      return;
    }
    request.body = Buffer.concat(chunks);
    next();
  });
}
