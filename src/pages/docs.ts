import type { Api } from "../http/api.ts";
import type { AppContext } from "../http/context.ts";
import { limitPublicRoute } from "../http/rate-limits/enforce.ts";
import { acceptedLanguage } from "./shared/language.ts";

/** Where the pages in Portuguese are; those in English are beside it. */
const PORTUGUESE = "/docs/pt-br/";
/** Swagger UI sets its styles inline. */
const REFERENCE = /^\/docs\/(?:api|operator)\/index\.html$/;
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** What runs under the policy of its own answer: a page, and the thread of the search. */
const RUNS = /\.html$|\/pagefind-worker\.js$/;
/** Files whose names change with their content. */
const HASHED = /^\/docs\/_astro\//;
const CACHE_FOR_GOOD = "public, max-age=31536000, immutable";
const CACHE_SHORTLY = "public, max-age=300";

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  md: "text/markdown; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

/**
 * `/docs`: the docs site and the references of the API, as `npm run docs:site` built them, with nothing of other hosts.
 * `/llms.txt`: its index for programs.
 */
export function docsPage(app: Api): void {
  app.use("/docs/*", limitPublicRoute);
  app.get("/docs/*", (c) => {
    const { path } = c.req;
    if (path.endsWith("/")) return page(c, path);
    return hasExtension(path) ? file(c, path) : negotiatedPage(c, `${path}/`);
  });
  app.get("/llms.txt", limitPublicRoute, (c) => file(c, "/llms.txt"));
}

/** A page without the slash at its end is asked for in any language: a reader of Portuguese is led to his. */
async function negotiatedPage(c: AppContext, path: string): Promise<Response> {
  const own = path.replace("/docs/", PORTUGUESE);
  const isPortuguese = acceptedLanguage(c.req.header("Accept-Language")) === "pt-BR";
  const leads =
    isPortuguese && !path.startsWith(PORTUGUESE) && (await exists(c, `${own}index.html`));
  const answer = leads ? c.redirect(own, 302) : await page(c, path);
  answer.headers.append("Vary", "Accept-Language");
  return answer;
}

function page(c: AppContext, path: string): Promise<Response> {
  return file(c, `${path}index.html`);
}

async function file(c: AppContext, path: string): Promise<Response> {
  const known = c.req.header("If-None-Match");
  const asset = await fetchAsset(c, path, known === undefined ? {} : { "If-None-Match": known });
  if (asset.status === 404) return c.notFound();
  const headers = new Headers(asset.headers);
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
  headers.set("Content-Type", type ?? "application/octet-stream");
  headers.set("Cache-Control", HASHED.test(path) ? CACHE_FOR_GOOD : CACHE_SHORTLY);
  if (RUNS.test(path)) headers.set("Content-Security-Policy", await policyOf(c, path));
  return new Response(asset.body, { status: asset.status, headers });
}

/** The policy of a page: the site's allows what stands in its pages, by hashes that its build found. */
async function policyOf(c: AppContext, path: string): Promise<string> {
  if (REFERENCE.test(path)) return REFERENCE_POLICY;
  return (await fetchAsset(c, "/policy.txt")).text();
}

async function exists(c: AppContext, path: string): Promise<boolean> {
  return (await fetchAsset(c, path)).status !== 404;
}

function fetchAsset(
  c: AppContext,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return c.env.ASSETS.fetch(new Request(new URL(path, c.req.url), { headers }));
}

function hasExtension(path: string): boolean {
  return path.slice(path.lastIndexOf("/")).includes(".");
}
