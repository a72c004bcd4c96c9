import { z } from "@hono/zod-openapi";

const WebhookKey = z
  .object({
    company: z.int().openapi({ description: "The first number in a `webhook-id`: 1 in evt_1_42." }),
    kty: z.literal("OKP"),
    crv: z.literal("Ed25519"),
    alg: z.literal("EdDSA"),
    use: z.literal("sig"),
    kid: z.string().openapi({ description: "The key's thumbprint (RFC 7638)." }),
    x: z.string().openapi({ description: "The public key, base64url." }),
    whpk: z.string().openapi({ description: "The public key as Standard Webhooks encodes it." }),
  })
  .openapi("WebhookKey");

export const WebhookKeys = z
  .object({
    keys: z.array(WebhookKey),
  })
  .openapi("WebhookKeys", {
    example: {
      keys: [
        {
          company: 1,
          kty: "OKP",
          crv: "Ed25519",
          alg: "EdDSA",
          use: "sig",
          kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
          x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
          whpk: "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
        },
      ],
    },
  });
