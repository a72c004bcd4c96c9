import { createRoute, z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { findKeyOwner, keyOwnersAfter, type KeyOwner } from "../../../db/webhook-secrets.ts";
import { configOf, type Env } from "../../../config.ts";
import { cursor } from "../../../http/fields/fields.ts";
import { jsonResponse, publicProblemResponses } from "../../../http/openapi/openapi.ts";
import { notFound } from "../../../http/problems.ts";
import { publishedKey, webhookKeySeed } from "../../../webhooks/signing/asymmetric-key.ts";

/** Each key is derived anew, about half a millisecond of the Worker's time, for whoever asks. */
const KEYS_PAGE_MAX = 20;
/** A key changes only with the Worker's own secret. */
const CACHE_CONTROL = "public, max-age=3600";

const WebhookKey = z
  .object({
    company: z.int().openapi({ description: "The number a `webhook-id` begins with: evt_1_42." }),
    kty: z.literal("OKP"),
    crv: z.literal("Ed25519"),
    alg: z.literal("EdDSA"),
    use: z.literal("sig"),
    kid: z.string().openapi({ description: "The key's thumbprint (RFC 7638)." }),
    x: z.string().openapi({ description: "The public key, base64url." }),
    whpk: z.string().openapi({ description: "The same as Standard Webhooks writes it." }),
  })
  .openapi("WebhookKey");

const WebhookKeys = z
  .object({
    keys: z.array(WebhookKey),
    after: z.string().nullable().openapi({ description: "Where the next page begins." }),
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
      after: null,
    },
  });

const list = createRoute({
  method: "get",
  path: "/.well-known/webhook-keys.json",
  summary: "The public keys of webhooks",
  description:
    "Verifies the `v1a` (Ed25519) signature of a company's webhooks, without credentials. Accept " +
    "only the key of your own company: `?company=` gives that one.",
  tags: ["Webhooks"],
  request: {
    query: z.object({
      company: z
        .string()
        .regex(/^\d{1,8}$/, "must be a company's number")
        .transform(Number)
        .optional()
        .openapi({ type: "integer", example: 1 }),
      after: cursor.default(0),
    }),
  },
  responses: {
    200: jsonResponse("The keys, by company number", WebhookKeys, {
      "Cache-Control": { schema: { type: "string" }, description: CACHE_CONTROL },
    }),
    ...publicProblemResponses("VALIDATION_FAILED", "NOT_FOUND"),
  },
});

/** `/.well-known/webhook-keys.json`: nothing in it is anybody's secret. */
export function webhookKeyRoutes(app: Api): void {
  app.openapi(list, async (c) => {
    const { company, after } = c.req.valid("query");
    const page =
      company === undefined
        ? await pageOfKeys(c.env, after)
        : { keys: [await keyOfCompany(c.env, company)], after: null };
    c.header("Cache-Control", CACHE_CONTROL);
    return c.json(page, 200);
  });
}

async function pageOfKeys(env: Env, after: number) {
  const owners = await keyOwnersAfter(env, after, KEYS_PAGE_MAX + 1);
  const page = owners.slice(0, KEYS_PAGE_MAX);
  const last = page.at(-1);
  return {
    keys: await Promise.all(page.map((owner) => keyView(env, owner))),
    after: last === undefined || owners.length === page.length ? null : String(last.id),
  };
}

async function keyOfCompany(env: Env, companyId: number) {
  const owner = await findKeyOwner(env, companyId);
  if (owner === null) throw notFound("company");
  return keyView(env, owner);
}

async function keyView(env: Env, { id, providerCompanyId }: KeyOwner) {
  const seed = await webhookKeySeed(configOf(env).secretsKey, providerCompanyId);
  return { company: id, ...(await publishedKey(seed)) };
}
