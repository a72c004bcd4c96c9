import { etag } from "hono/etag";
import { publicOrigin } from "../../config.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Api } from "../api.ts";
import { limitPublicRoute } from "../rate-limits/enforce.ts";

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

async function buildDocument(app: Api, origin: string): Promise<BuiltDocument> {
  const document: object = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Centavo",
      version: "1.0.0",
      description: "A Brazilian payment gateway that a company runs itself.",
      // `identifier` is OpenAPI 3.1; the library's type knows 3.0 only.
      license: { name: "MIT", identifier: "MIT" } as { name: string },
    },
    servers: [{ url: origin }],
  });
  const text = JSON.stringify(document);
  return { origin, text, etag: `"${await sha256Hex(text)}"` };
}
