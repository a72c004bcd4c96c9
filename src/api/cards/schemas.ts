import { z } from "@hono/zod-openapi";
import { isoTimeText, text, TEXT_MAX } from "../../http/fields/fields.ts";
import { AccountProviderName } from "../../http/fields/account-provider.ts";
import { RequesterSchema } from "../../http/fields/requester.ts";
import { rawCardFields } from "../../methods/card/request.ts";
import { CardResponse } from "../../methods/card/response.ts";

export const CardTokenBody = z.object(rawCardFields).openapi("CardTokenRequest", {
  example: {
    number: "4242 4242 4242 4242",
    holderName: "MARIA DA SILVA",
    expirationMonth: 12,
    expirationYear: 2030,
    cvv: "123",
  },
});

export const CardToken = z
  .object({
    token: z.string().openapi({ description: "What `card.token` of a create takes" }),
    card: CardResponse.omit({ authorizationCode: true, savedCardId: true }),
    createdAt: isoTimeText,
  })
  .openapi("CardToken");

export const SavedCardsQuery = z.object({
  customer: text(TEXT_MAX).openapi({
    description: "The `leadId` of the list of transactions: the payer's UUID",
    example: "00000000-0001-8000-8000-000000000001",
  }),
});

export const SavedCardParam = z.object({ id: text(TEXT_MAX) });

export const SavedCard = z
  .object({
    id: z.string().openapi({ description: "What `card.savedCardId` of a create takes" }),
    customer: z.string(),
    account: z.string().openapi({ description: "The company's account that can charge it" }),
    provider: AccountProviderName,
    card: CardResponse.omit({ authorizationCode: true, savedCardId: true, holderName: true }),
    consent: z.object({
      at: isoTimeText,
      textVersion: z.string(),
      by: z.union([RequesterSchema, z.null()]).openapi({
        description:
          "Who told this service of it; null for the payer himself, on the page of a payment link.",
      }),
    }),
    createdAt: isoTimeText,
  })
  .openapi("SavedCard");

export const SavedCards = z.object({ data: z.array(SavedCard) }).openapi("SavedCards");
export const OneSavedCard = z.object({ data: SavedCard }).openapi("OneSavedCard");
