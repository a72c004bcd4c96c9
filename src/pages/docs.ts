import type { Api } from "../http/api.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";

/** The files of Swagger UI that the page needs; the package's other files are not served. */
const SWAGGER_FILES: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

const START_SCRIPT = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Centavo API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Allows only this service's files; styles may be inline because Swagger UI sets them inline. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** `/docs`: the API reference as a page, without files from other hosts. */
export function docsPage(app: Api): void {
  app.use("/docs/*", limitPublicRoute);
  app.get("/docs", (c) =>
    c.html(PAGE, 200, { "Content-Security-Policy": CONTENT_SECURITY_POLICY }),
  );
  app.get("/docs/start.js", (c) =>
    c.body(START_SCRIPT, 200, { "Content-Type": "text/javascript; charset=utf-8" }),
  );
  app.get("/docs/:file{swagger-ui[a-z-]*\\.(?:css|js)}", async (c) => {
    const file = c.req.param("file");
    const contentType = SWAGGER_FILES[file];
    if (contentType === undefined) return c.notFound();
    const asset = await c.env.ASSETS.fetch(new URL(`/${file}`, c.req.url));
    return new Response(asset.body, {
      headers: { "Content-Type": contentType, "Cache-Control": "public, max-age=3600" },
    });
  });
}
