/** The references of the API: a page of Swagger UI for who charges, and one for who runs the gateway. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/root.ts";

/** The files of the package that a page needs. */
const FILES = ["swagger-ui.css", "swagger-ui-bundle.js"];

const REFERENCES = [
  { name: "api", title: "Centavo API", document: "/openapi/merchant.json" },
  { name: "operator", title: "Centavo: operator's API", document: "/openapi/operator.json" },
];

const page = (name: string, title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/docs/favicon.svg">
<link rel="stylesheet" href="/docs/swagger/swagger-ui.css">
<link rel="stylesheet" href="/docs/swagger/reference.css">
</head>
<body>
<nav><a href="/docs/">Guide</a><a href="/docs/pt-br/" lang="pt-BR">Guia</a></nav>
<div id="docs"></div>
<script src="/docs/swagger/swagger-ui-bundle.js"></script>
<script src="/docs/${name}/start.js"></script>
</body>
</html>
`;

const startScript = (document: string) => `SwaggerUIBundle({
  url: "${document}",
  dom_id: "#docs",
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Writes the pages and their files below the folder of `/docs`. */
export function writeReferences(docs: string): void {
  for (const { name, title, document } of REFERENCES) {
    const folder = join(docs, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.html"), page(name, title));
    writeFileSync(join(folder, "start.js"), startScript(document));
  }
  const shared = join(docs, "swagger");
  mkdirSync(shared, { recursive: true });
  copyFileSync(join(import.meta.dirname, "reference.css"), join(shared, "reference.css"));
  for (const file of FILES) {
    copyFileSync(join(ROOT, "node_modules/swagger-ui-dist", file), join(shared, file));
  }
}
