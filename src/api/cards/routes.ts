import { createRoute } from "@hono/zod-openapi";
import type { Api } from "../../http/api.ts";
import { createMiddleware } from "hono/factory";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { withoutSeparators } from "../../methods/card/card.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { requireScope, sandboxOnly } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import type { AppEnv } from "../../http/context.ts";
import { STRICT } from "../../http/fields/unknown-fields.ts";
import {
  BODY_PROBLEMS,
  jsonResponse,
  problemResponses,
  SECURITY,
} from "../../http/openapi/openapi.ts";
import { takeQuota } from "../settings/take-quota.ts";
import { addFieldErrors } from "../../http/validation.ts";
import { rawCardErrors } from "../../methods/card/request.ts";
import { CardToken, CardTokenBody } from "./schemas.ts";

/** Adds breaches of the card networks' rules to the faults of the schema. */
const checkCardFields = createMiddleware<AppEnv>(async (c, next) => {
  const today = saoPauloDay(c.get("deps").clock.now());
  addFieldErrors(c, rawCardErrors(await c.req.json(), [], today));
  await next();
});

const createToken = createRoute({
  method: "post",
  path: "/api/v1/cards/tokens",
  operationId: "createCardToken",
  summary: "Make a token of a card",
  description:
    "Of sandbox companies only; a live company's cards become tokens at its acquirer. A token may be charged any number of times. Neither number nor CVV is kept.",
  tags: ["Cards"],
  security: SECURITY,
  middleware: [
    requireScope("transactions:write"),
    sandboxOnly,
    jsonBody(CardTokenBody, { ...STRICT, cardNumberAt: "number" }),
    checkCardFields,
  ] as const,
  request: {
    body: { required: true, content: { "application/json": { schema: CardTokenBody } } },
  },
  responses: {
    201: jsonResponse("The token", CardToken),
    ...problemResponses(...BODY_PROBLEMS, "QUOTA_EXCEEDED"),
  },
});

export function cardRoutes(app: Api): void {
  app.openapi(createToken, async (c) => {
    const raw = c.req.valid("json");
    await takeQuota(c, SMALL_WRITE_BYTES);
    const bank = c.get("deps").providers(c.env).sandbox(c.get("caller").company);
    const { token, card, createdAt } = await bank.tokenize({
      ...raw,
      number: withoutSeparators(raw.number),
    });
    return c.json({ token, card, createdAt: isoTime(createdAt) }, 201);
  });
}
