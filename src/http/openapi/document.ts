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

/** `/openapi.json`: the OpenAPI document of all mounted routes. */
export function documentRoute(app: Api): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "ClientId", CLIENT_ID);
  app.openAPIRegistry.registerComponent("securitySchemes", "ApiKey", API_KEY);
  app.get("/openapi.json", limitPublicRoute, (c) => {
    const document: object = app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Centavo",
        version: "1.0.0",
        description: "A Brazilian payment gateway that a company runs itself.",
        // `identifier` is OpenAPI 3.1; the library's type knows 3.0 only.
        license: { name: "MIT", identifier: "MIT" } as { name: string },
      },
      servers: [{ url: new URL(c.req.url).origin }],
    });
    return c.json(document);
  });
}
