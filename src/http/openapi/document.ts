import { etag } from "hono/etag";
import { publicOrigin } from "../../config.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { VERSION } from "../../version.ts";
import type { Api } from "../api.ts";
import { limitPublicRoute } from "../rate-limits/enforce.ts";
import type { Document } from "./examples/complete.ts";

const CLIENT_ID = {
  type: "apiKey",
  in: "header",
  name: "X-Client-Id",
  description: "The public identifier of the application.",
} as const;
const API_KEY = {
  type: "apiKey",
  in: "header",
  name: "X-API-Key",
  description: "The company's secret. For servers only.",
} as const;
const CHECKOUT_SESSION = {
  type: "apiKey",
  in: "header",
  name: "X-Checkout-Session",
  description:
    "Made with a payer's page, for one card token of one checkout. Works once, for an hour.",
} as const;

/** Every tag of a route, in the order of the reference. `Public` and `Operator` say who may call. */
const TAGS = [
  ["Transactions", "Charge payers, give payments back, and look charges up."],
  ["Withdraws", "Send the company's money to a PIX key."],
  ["Disputes", "What payers' banks ask back, and what the merchant says to it."],
  ["Balance", "What the company has, what comes, and each posting."],
  ["Bookkeeping", "Sums of each day, and the merchant's own list compared."],
  ["Checkout", "What a payer's browser may ask about a charge."],
  ["Payment links", "Pages on which anybody pays, once or as often as the link allows."],
  ["Cards", "Tokens in the place of card numbers."],
  ["PIX", "Make static PIX codes, and read any PIX code."],
  ["Boleto", "Read any boleto."],
  ["Webhooks", "Where events go, what signs them, and each delivery."],
  ["Events", "The company's events in order, for who missed a webhook."],
  ["Settings", "The company's rules, allowed PIX keys and audit trail."],
  ["Applications", "The company's applications and their API keys."],
  ["People", "Who signs in to the console for the company, and in which role."],
  ["Receipts", "Signed proofs of payments and withdraws, and their check."],
  ["Refunds", "Refunds and returns that wait for somebody's approval."],
  ["Payments", "Payments that no charge expected as they came: what becomes of them."],
  ["Payers", "What the LGPD gives a payer: export and erasure."],
  ["Sandbox", "Play the payer, the bank and the clock. Sandbox companies only."],
  ["Public", "Operations without credentials, each limited by the caller's address."],
  ["Operator", "For who runs the gateway, with an operator's key. No key of a company works here."],
  ["Provider callbacks", "For PSPs only. The gateway queries the PSP about what they report."],
] as const;

const CACHE_CONTROL = "public, max-age=300";

/** The document as it is sent, for the origin that it names. */
interface BuiltDocument {
  origin: string;
  text: string;
  etag: string;
}

/** `/openapi.json`: the OpenAPI document of all mounted routes, built once for an origin. */
export function documentRoute(app: Api): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "ClientId", CLIENT_ID);
  app.openAPIRegistry.registerComponent("securitySchemes", "ApiKey", API_KEY);
  app.openAPIRegistry.registerComponent("securitySchemes", "CheckoutSession", CHECKOUT_SESSION);
  let built: BuiltDocument | null = null;
  app.get("/openapi.json", limitPublicRoute, etag(), async (c) => {
    const origin = publicOrigin(c.env, c.req.url);
    const document = built?.origin === origin ? built : await buildDocument(app, origin);
    built = document;
    return c.body(document.text, 200, {
      "Content-Type": "application/json",
      "Cache-Control": CACHE_CONTROL,
      ETag: document.etag,
    });
  });
}

/** The OpenAPI document of all routes mounted on `app`, for a service at `origin`. */
export async function openApiDocument(app: Api, origin: string): Promise<object> {
  const { completed } = await import("./examples/complete.ts");
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Centavo",
      version: VERSION,
      description: "A Brazilian payment gateway that a company runs itself.",
      // `identifier` is OpenAPI 3.1; the library's type knows 3.0 only.
      license: { name: "MIT", identifier: "MIT" } as { name: string },
    },
    servers: [{ url: origin }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
  });
  return completed(document as unknown as Document);
}

async function buildDocument(app: Api, origin: string): Promise<BuiltDocument> {
  const text = JSON.stringify(await openApiDocument(app, origin));
  return { origin, text, etag: `"${await sha256Hex(text)}"` };
}
