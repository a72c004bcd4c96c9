import { etag } from "hono/etag";
import { publicOrigin } from "../../config.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { VERSION } from "../../version.ts";
import type { Api } from "../api.ts";
import { limitPublicRoute } from "../rate-limits/enforce.ts";
import { AUDIENCES, documentFor, type Audience } from "./audience.ts";
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

const CACHE_CONTROL = "public, max-age=300";

/** The document as it is sent, for the origin that it names. */
interface BuiltDocument {
  origin: string;
  text: string;
  etag: string;
}

/** The whole document, and one for each audience. */
const DOCUMENTS: Record<string, Audience | null> = {
  "/openapi.json": null,
  ...Object.fromEntries(AUDIENCES.map((audience) => [`/openapi/${audience}.json`, audience])),
};

/** `/openapi.json` and its parts: the OpenAPI documents of all mounted routes, built once for an origin. */
export function documentRoute(app: Api): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "ClientId", CLIENT_ID);
  app.openAPIRegistry.registerComponent("securitySchemes", "ApiKey", API_KEY);
  app.openAPIRegistry.registerComponent("securitySchemes", "CheckoutSession", CHECKOUT_SESSION);
  for (const [path, audience] of Object.entries(DOCUMENTS)) {
    let built: BuiltDocument | null = null;
    app.get(path, limitPublicRoute, etag(), async (c) => {
      const origin = publicOrigin(c.env, c.req.url);
      const document =
        built?.origin === origin ? built : await buildDocument(app, origin, audience);
      built = document;
      return c.body(document.text, 200, {
        "Content-Type": "application/json",
        "Cache-Control": CACHE_CONTROL,
        ETag: document.etag,
      });
    });
  }
}

/** The OpenAPI document of all routes mounted on `app`, for a service at `origin`. */
export async function openApiDocument(app: Api, origin: string): Promise<Document> {
  const { completed } = await import("./examples/complete.ts");
  const { TAGS } = await import("./tags.ts");
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

async function buildDocument(
  app: Api,
  origin: string,
  audience: Audience | null,
): Promise<BuiltDocument> {
  const whole = await openApiDocument(app, origin);
  const text = JSON.stringify(audience === null ? whole : documentFor(audience, whole));
  return { origin, text, etag: `"${await sha256Hex(text)}"` };
}
