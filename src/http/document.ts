import {
  OpenApiGeneratorV31,
  OpenAPIRegistry,
  zodToOpenAPIRegistry,
} from "@asteasolutions/zod-to-openapi";
import type { Api } from "./api.ts";
import { descriptions } from "./descriptions.ts";

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

/** `/openapi.json`: the document of all routes that the app has by then. */
export function documentRoute(app: Api): void {
  app.get("/openapi.json", (c) => {
    const registry = new OpenAPIRegistry();
    registry.registerComponent("securitySchemes", "ClientId", CLIENT_ID);
    registry.registerComponent("securitySchemes", "ApiKey", API_KEY);
    for (const describe of app.described) describe(registry);
    for (const [schema, said] of descriptions) zodToOpenAPIRegistry.add(schema, said);
    const generator = new OpenApiGeneratorV31(registry.definitions);
    const document = generator.generateDocument({
      openapi: "3.1.0",
      info: {
        title: "Centavo",
        version: "1.0.0",
        description: "A Brazilian payment gateway that a company runs itself.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: new URL(c.req.url).origin }],
    });
    return c.json(document as object);
  });
}
