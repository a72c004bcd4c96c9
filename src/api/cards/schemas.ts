import { z } from "@hono/zod-openapi";
import { isoTimeText } from "../../http/fields.ts";
import { rawCardFields } from "../transactions/method-schemas.ts";

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
    card: z.object({
      brand: z.string().openapi({ example: "visa" }),
      firstDigits: z.string().openapi({ example: "424242" }),
      lastDigits: z.string().openapi({ example: "4242" }),
      holderName: z.string(),
      expirationMonth: z.int(),
      expirationYear: z.int(),
    }),
    createdAt: isoTimeText,
  })
  .openapi("CardToken");
