import { z } from "@hono/zod-openapi";
import { isoTimeText } from "../../http/fields/fields.ts";
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
    card: CardResponse.omit({ authorizationCode: true }),
    createdAt: isoTimeText,
  })
  .openapi("CardToken");
