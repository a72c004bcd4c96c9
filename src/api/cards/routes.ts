import type { Api } from "../../http/api.ts";
import { every } from "hono/combine";
import { createMiddleware } from "hono/factory";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { withoutSeparators } from "../../methods/card/card.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { requireScope, sandboxOnly, sandboxRequired } from "../../http/auth/auth.ts";
import { jsonBody } from "../../http/body.ts";
import { senderOf } from "../../http/client-address.ts";
import { depsOfCompany, type AppEnv } from "../../http/context.ts";
import { jsonResponse, SECURITY } from "../../http/openapi/openapi.ts";
import { enforceRateLimit } from "../../http/rate-limits/enforce.ts";
import { deleteSavedCard, findSavedCard, listSavedCards } from "../../db/saved-cards.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { audited } from "../../http/audit.ts";
import { takeQuota, takeReservedQuota } from "../settings/take-quota.ts";
import { addFieldErrors } from "../../http/validation.ts";
import { rawCardErrors } from "../../methods/card/request.ts";
import {
  CardToken,
  CardTokenBody,
  OneSavedCard,
  SavedCardParam,
  SavedCards,
  SavedCardsQuery,
} from "./schemas.ts";
import { SAVED_CARDS_MAX, savedCardView } from "./saved.ts";
import { openCardSession, SESSION_HEADER, toPageToken, useCardSession } from "./session.ts";
import { routesOf } from "../../http/openapi/route.ts";

const route = routesOf("Cards");

/** Admits an application, or a payer's page under a checkout session. Sandbox companies only. */
const admitTokenMaker = createMiddleware<AppEnv>(async (c, next) => {
  const text = c.req.header(SESSION_HEADER);
  if (text === undefined) return admitApplication(c, next);
  await enforceRateLimit(c, "cardSessions", senderOf(c));
  const session = await openCardSession(c.env, text, c.get("deps").platformClock.now());
  if (session.company.mode !== "sandbox") throw sandboxRequired();
  c.set("cardSession", session);
  await next();
});
const admitApplication = every(requireScope("transactions:write"), sandboxOnly);

/** Adds breaches of the card networks' rules to the faults of the schema. */
const checkCardFields = createMiddleware<AppEnv>(async (c, next) => {
  const company = c.get("cardSession")?.company ?? c.get("caller").company;
  const today = saoPauloDay(depsOfCompany(c.get("deps"), company).clock.now());
  addFieldErrors(c, rawCardErrors(await c.req.json(), [], today));
  await next();
});

const createToken = route.post("/api/v1/cards/tokens", {
  operationId: "createCardToken",
  summary: "Make a token of a card",
  description:
    "Of sandbox companies only; a live company's cards become tokens at its acquirer. A token may be charged any number of times. Neither number nor CVV is kept. The page of a payment link calls it without credentials, under the one-use session that it was made with; such a token can be charged on that page only.",
  guard: admitTokenMaker,
  security: [...SECURITY, { CheckoutSession: [] }],
  body: jsonBody(CardTokenBody),
  checks: [checkCardFields],
  answers: { 201: jsonResponse("The token", CardToken) },
  problems: ["QUOTA_EXCEEDED"],
});

const list = route.get("/api/v1/cards", {
  operationId: "listSavedCards",
  summary: "List a payer's saved cards",
  description: `The newest first, at most ${SAVED_CARDS_MAX}. Each came from a create with \`card.saveCard\`.`,
  guard: requireScope("transactions:read"),
  query: SavedCardsQuery,
  answers: { 200: jsonResponse("All of them", SavedCards) },
  problems: ["VALIDATION_FAILED"],
});

const remove = route.delete("/api/v1/cards/{id}", {
  operationId: "deleteSavedCard",
  summary: "Delete a saved card",
  description:
    "It can be charged no more, and the house that kept it deletes it within minutes. What was charged stays.",
  guard: requireScope("transactions:write"),
  params: SavedCardParam,
  answers: { 200: jsonResponse("The card as it was", OneSavedCard) },
  problems: ["NOT_FOUND", "QUOTA_EXCEEDED"],
});

export { list as listCards, remove as deleteCard };

export function cardRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { company } = c.get("caller");
    const { customer } = c.req.valid("query");
    const rows = await listSavedCards(c.env, company.id, customer, SAVED_CARDS_MAX);
    return c.json({ data: rows.map((row) => savedCardView(company, row)) }, 200);
  });

  app.openapi(remove, async (c) => {
    const { id: companyId } = c.get("caller").company;
    const row = await findSavedCard(c.env, companyId, c.req.valid("param").id);
    if (row === null) throw new Problem({ code: "NOT_FOUND", detail: "No such saved card." });
    await takeReservedQuota(c);
    const action = { companyId, action: "card.delete", target: `card:${row.id}` };
    const now = c.get("deps").platformClock.now();
    await audited(c, action, () => deleteSavedCard(c.env, companyId, row.id, now));
    return c.json({ data: savedCardView(c.get("caller").company, row) }, 200);
  });

  app.openapi(createToken, async (c) => {
    const raw = c.req.valid("json");
    const session = c.get("cardSession");
    if (session === undefined) await takeQuota(c, SMALL_WRITE_BYTES);
    else await useCardSession(c.env, session, c.get("deps").platformClock.now());
    const company = session?.company ?? c.get("caller").company;
    const bank = c.get("deps").providers(c.env).sandbox(company);
    const { token, card, createdAt } = await bank.tokenize({
      ...raw,
      number: withoutSeparators(raw.number),
    });
    const { brand, lastDigits } = card;
    const shown =
      session === undefined
        ? token
        : await toPageToken(c.env, session, { token, brand, lastDigits });
    return c.json({ token: shown, card, createdAt: isoTime(createdAt) }, 201);
  });
}
